import type { Response } from 'express';
import type { VNode } from 'preact';
import type { AttemptRow } from '../../../db/taking/attempts';
import { HiddenFields } from '../../platform/site/buttons';
import { languageTexts } from '../../platform/text/language-texts';
import { AnswerField } from './answer-field';
import type { RejectedAnswer } from './answer-field';
import { textHash } from './form-input';
import { FocusedHeading, NoteLine, sendInterviewPage } from './layout';
import { SpeakerLine, StoppedNote } from './turn-view';
import type { NoteKey, InterviewVisit } from './visit';
import { VisitForm } from './visit-form';

type Entry = NonNullable<AttemptRow['transcript']>[number];
/** The changes of a form that was rejected, by the ids of their turns. */
type RefusedEdits = ReadonlyMap<string, RejectedAnswer>;

/** The id of the form that all fields and buttons of the page belong to, so that no change is lost. */
const formId = 'review';

/**
 * Shows the answers of an attempt that has ended, and the button that submits them. Depending on the
 * interview, some answers can still be changed.
 */
export function sendReviewPage(
  response: Response,
  visit: InterviewVisit,
  { refused, note }: { refused?: RefusedEdits | undefined; note?: NoteKey | undefined } = {},
): void {
  const { texts, attempt } = visit;
  const transcript = attempt?.transcript ?? [];
  sendInterviewPage(response, visit, {
    title: texts('review_title'),
    status: refused ? 422 : 200,
    content: (
      <>
        <FocusedHeading hasFocus={!refused}>{texts('review_title')}</FocusedHeading>
        <NoteLine visit={visit} note={note} />
        <StoppedNote texts={texts} because={attempt?.stopped_because} />
        <p>
          <strong>{texts('not_submitted')}</strong> {texts('review_text')}
        </p>
        <ol class="answers">
          {transcript.map((entry) => (
            <li>
              <Answered visit={visit} entry={entry} refused={refused?.get(entry.turn_id)} />
            </li>
          ))}
        </ol>
        <VisitForm visit={visit} action="submit" id={formId} class="submit">
          <button>{texts('submit')}</button>
          <p class="soft small">{texts('submit_note')}</p>
        </VisitForm>
      </>
    ),
  });
}

type AnsweredProps = { visit: InterviewVisit; entry: Entry; refused: RejectedAnswer | undefined };

function Answered({ visit, entry, refused }: AnsweredProps): VNode {
  const { texts, language } = visit;
  return (
    <>
      <SpeakerLine name={entry.speaker} />
      <h2 dir="auto">{entry.question || texts('introduction')}</h2>
      {entry.editable ? (
        <EditFields visit={visit} entry={entry} refused={refused} />
      ) : (
        <p class="said" dir={entry.answer === null ? undefined : 'auto'}>
          {/* A recording may not be transcribed yet. */}
          {entry.answer ?? (
            <span class="soft">
              {entry.is_recorded ? languageTexts[language].pdf.recording : texts('no_answer')}
            </span>
          )}
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

/** The field of an answer that can be changed. Its button saves all changes of the page. */
function EditFields({ visit, entry, refused }: AnsweredProps): VNode {
  const { texts } = visit;
  const id = `answer-${entry.turn_id}`;
  return (
    <>
      <HiddenFields form={formId} fields={{ turn_id: entry.turn_id, shown: textHash(entry.answer ?? '') }} />
      <AnswerField
        id={id}
        problemId={`${id}-problem`}
        form={formId}
        rows={5}
        texts={texts}
        refused={refused}
        value={entry.answer}
      />
      <button class="plain" form={formId} formaction={visit.address('edit')}>
        {texts('save')}
      </button>
    </>
  );
}
