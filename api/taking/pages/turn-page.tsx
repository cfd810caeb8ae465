import type { Response } from 'express';
import type { VNode } from 'preact';
import type { TurnRow } from '../../../db/taking/attempts';
import { Hidden } from '../../platform/site/buttons';
import { takingTextTable } from '../texts';
import { AnswerField } from './answer-field';
import type { Refused } from './answer-field';
import { FieldError, Form, Heading, NoteLine, sendInterviewPage } from './layout';
import type { Note, Visit } from './visit';

/** Shows the turn that is to be answered, or says that the next one is being decided. */
export function sendTurnPage(
  response: Response,
  visit: Visit,
  { refused, note }: { refused?: Refused | undefined; note?: Note | undefined } = {},
): void {
  const { texts, attempt } = visit;
  const turn = attempt?.turn;
  if (!attempt || !turn) {
    sendWaitingPage(response, visit, 'wait_text', 2);
    return;
  }
  const isQuestion = turn.number > 0 && turn.answer.mode !== 'none';
  const counted = isQuestion ? texts('question_of', { number: turn.number, of: turn.of }) : undefined;
  sendInterviewPage(response, visit, {
    title: counted ?? titleOf(visit, turn),
    hasScript: true,
    status: refused ? 422 : 200,
    content: (
      <>
        <Progress visit={visit} counted={counted} />
        <NoteLine visit={visit} note={note} />
        <Question visit={visit} turn={turn} hasFocus={!refused} />
        <Form visit={visit} action="answer">
          <Hidden fields={{ turn_id: turn.turn_id }} />
          <AnswerFields visit={visit} turn={turn} refused={refused} />
        </Form>
        {attempt.steps.done > 0 && (
          <p class="quiet">
            <a href={visit.address('finish')}>{texts('finish')}</a>
          </p>
        )}
      </>
    ),
  });
}

/**
 * Shows a page that reloads by itself until there is a turn or the attempt has ended. `longestWait` is in minutes,
 * and is shown if it is set.
 */
export const sendWaitingPage = (
  response: Response,
  visit: Visit,
  text: 'wait_text' | 'time_is_over',
  reloadAfter: number,
  longestWait?: number,
): void =>
  sendInterviewPage(response, visit, {
    title: visit.texts(text === 'wait_text' ? 'wait_title' : 'closed_title'),
    reloadAfter,
    content: (
      <>
        <Heading>{visit.texts(text === 'wait_text' ? 'wait_title' : 'closed_title')}</Heading>
        <p role="status">{visit.texts(text)}</p>
        {longestWait !== undefined && (
          <p>{visit.texts('longest_wait', { duration: { value: longestWait, unit: 'minute' } })}</p>
        )}
        <p>
          <a class="button" href={visit.address()}>
            {visit.texts('reload')}
          </a>
        </p>
      </>
    ),
  });

function titleOf({ texts, interview }: Visit, { kind }: TurnRow): string {
  return kind === 'introduction' ? texts('introduction') : interview.interview_name;
}

function Progress({ visit, counted }: { visit: Visit; counted: string | undefined }): VNode {
  const { texts, attempt } = visit;
  const { done, total } = attempt?.steps ?? { done: 0, total: 0 };
  // The script replaces the placeholder in this text.
  const timeLeft = takingTextTable[visit.language].time_left;
  const value = Math.ceil((attempt?.remaining_ms ?? 0) / 60_000);
  return (
    <div class="progress">
      <p>{counted}</p>
      <p class="soft" data-remaining-ms={attempt?.remaining_ms} data-text={timeLeft}>
        {texts('time_left', { duration: { value, unit: 'minute' } })}
      </p>
      <p class="unseen" role="status" id="announcement" />
      <progress aria-label={texts('progress')} value={done} max={total} />
    </div>
  );
}

/** The words of the turn. They are the heading of the page, in the direction of their own language. */
function Question({ visit, turn, hasFocus }: { visit: Visit; turn: TurnRow; hasFocus: boolean }): VNode {
  const { texts } = visit;
  const { kind, text } = turn;
  if (kind === 'introduction')
    return (
      <>
        <Heading hasFocus={hasFocus}>{texts('introduction')}</Heading>
        <p>{texts('introduction_text')}</p>
        {!turn.answer.required && <p class="soft">{texts('introduction_optional')}</p>}
      </>
    );
  const eyebrow = kind === 'follow_up' ? 'follow_up' : kind === 'candidate_asks' ? 'your_questions' : null;
  const isVideo = kind === 'instructional_video' && /^https:\/\/\S+$/.test(text);
  return (
    <>
      {eyebrow && <p class="eyebrow soft">{texts(eyebrow)}</p>}
      <h1 class="question" tabindex={-1} autofocus={hasFocus} dir="auto">
        {isVideo ? (
          <a href={text} target="_blank" rel="noreferrer">
            {texts('open_video')}
          </a>
        ) : (
          text
        )}
      </h1>
    </>
  );
}

type FieldsProps = { visit: Visit; turn: TurnRow; refused: Refused | undefined };

function AnswerFields({ visit, turn, refused }: FieldsProps): VNode {
  const { texts, interview } = visit;
  const { mode, required } = turn.answer;
  if (mode === 'none')
    return (
      <button name="seen" value="true">
        {texts('next')}
      </button>
    );
  return (
    <>
      {mode === 'choice' ? (
        <Choices visit={visit} turn={turn} refused={refused} />
      ) : (
        <AnswerField id="answer" rows={8} texts={texts} refused={refused} />
      )}
      <p class="soft small">{texts(interview.can_edit ? 'can_edit' : 'cannot_edit')}</p>
      <div class="buttons">
        <button>{texts('send')}</button>
        {!required && (
          <button class="plain" name="seen" value="true">
            {texts('skip')}
          </button>
        )}
      </div>
    </>
  );
}

const Choices = ({ visit: { texts }, turn, refused }: FieldsProps): VNode => (
  <fieldset aria-describedby={refused && 'problem'}>
    <legend>{texts('choose')}</legend>
    {refused && <FieldError id="problem">{texts(refused.problem)}</FieldError>}
    {(turn.choices ?? []).map((choice, index) => (
      <label class="choice">
        <input
          type="radio"
          name="choice"
          value={choice}
          autofocus={refused !== undefined && index === 0}
          aria-invalid={refused ? 'true' : undefined}
        />
        <span dir="auto">{choice}</span>
      </label>
    ))}
  </fieldset>
);
