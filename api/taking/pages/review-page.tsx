import type { Response } from 'express';
import type { VNode } from 'preact';
import type { AttemptRow } from '../../../db/taking/attempts';
import { Hidden } from '../../platform/site/buttons';
import { AnswerField } from './answer-field';
import type { Refused } from './answer-field';
import { Heading, NoteLine, sendInterviewPage } from './layout';
import { Form } from './visit-form';
import type { Note, Visit } from './visit';

type Entry = NonNullable<AttemptRow['transcript']>[number];
type RefusedEdit = Refused & { turnId: string };

/**
 * Shows the answers of an attempt that has ended, and the button that submits them. Depending on the
 * interview, some answers can still be changed.
 */
export function sendReviewPage(
  response: Response,
  visit: Visit,
  { refused, note }: { refused?: RefusedEdit | undefined; note?: Note | undefined } = {},
): void {
  const { texts, attempt } = visit;
  const transcript = attempt?.transcript ?? [];
  sendInterviewPage(response, visit, {
    title: texts('review_title'),
    status: refused ? 422 : 200,
    content: (
      <>
        <Heading hasFocus={!refused}>{texts('review_title')}</Heading>
        <NoteLine visit={visit} note={note} />
        {attempt?.turn?.kind === 'thank_you' && <p dir="auto">{attempt.turn.text}</p>}
        <p>{texts('review_text')}</p>
        <ol class="answers">
          {transcript.map((entry) => (
            <li>
              <Answered visit={visit} entry={entry} refused={refused} />
            </li>
          ))}
        </ol>
        <Form visit={visit} action="submit">
          <p class="soft small">{texts('submit_note')}</p>
          <button>{texts('submit')}</button>
        </Form>
      </>
    ),
  });
}

type AnsweredProps = { visit: Visit; entry: Entry; refused: RefusedEdit | undefined };

function Answered({ visit, entry, refused }: AnsweredProps): VNode {
  const { texts } = visit;
  return (
    <>
      <h2 dir="auto">{entry.question || texts('introduction')}</h2>
      {entry.editable ? (
        <EditForm visit={visit} entry={entry} refused={refused} />
      ) : (
        <p class="said" dir={entry.answer === null ? undefined : 'auto'}>
          {entry.answer ?? <span class="soft">{texts('no_answer')}</span>}
        </p>
      )}
      {entry.answer_original !== null && (
        <details>
          <summary>{texts('first_version')}</summary>
          <p class="said" dir="auto">
            {entry.answer_original}
          </p>
        </details>
      )}
    </>
  );
}

function EditForm({ visit, entry, refused }: AnsweredProps): VNode {
  const { texts } = visit;
  const wrong = refused?.turnId === entry.turn_id ? refused : undefined;
  return (
    <Form visit={visit} action="edit">
      <Hidden fields={{ turn_id: entry.turn_id }} />
      <AnswerField
        id={`answer-${entry.turn_id}`}
        rows={5}
        texts={texts}
        refused={wrong}
        value={entry.answer}
      />
      <button class="plain">{texts('save')}</button>
    </Form>
  );
}
