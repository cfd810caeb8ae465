import type { Response } from 'express';
import type { VNode } from 'preact';
import { z } from 'zod';
import { findQuotePosition, readTakeaways } from '../../../db/results/public';
import type { AttemptRow } from '../../../db/taking/attempts';
import type { TakingText, TakingTexts } from '../texts';
import { AfterSubmit } from './after-submit';
import { AnswerFeedback, shownQuestion, shownText } from './answer-feedback';
import { FocusedHeading, NoteLine, sendInterviewPage } from './layout';
import { Consent } from './start-page';
import { Takeaways } from './takeaways';
import { StoppedNote } from './turn-view';
import type { NoteKey, InterviewVisit } from './visit';

/** What `app.shown_result` returns. Analyses are written by a model, so fields of an unexpected type are left out. */
const shownResult = z.object({
  score: z.number().nullable().catch(null),
  max_score: z.number().nullable().catch(null),
  score_text: shownText.nullable().catch(null),
  ai_analysis: shownText.nullable().catch(null),
  takeaways: z.unknown().optional().transform(readTakeaways),
  questions: z
    .array(z.unknown())
    .catch([])
    .transform((all) => all.flatMap((each) => shownQuestion.safeParse(each).data ?? [])),
});
type Shown = z.output<typeof shownResult>;

/**
 * Thanks the candidate, and shows as much of the result as `result_view` allows. Another attempt can be begun while some
 * are left. `isOpen` is false if the link begins no attempt, whatever is left.
 */
export function sendSubmittedPage(
  response: Response,
  visit: InterviewVisit,
  {
    isOpen,
    canBegin,
    problem,
    note,
  }: {
    isOpen: boolean;
    canBegin: boolean;
    problem?: TakingText | undefined;
    note?: NoteKey | undefined;
  },
): void {
  const { texts, attempt, interview } = visit;
  const merchant = interview.merchant_name;
  const result = attempt?.result ? shownResult.parse(attempt.result) : undefined;
  const view = attempt?.result_view ?? 'none';
  const title = texts(result ? 'result_title' : 'thanks_title');
  sendInterviewPage(response, visit, {
    title,
    status: problem ? 422 : 200,
    content: (
      <>
        <FocusedHeading hasFocus={!problem && !visit.refusedMessage}>{title}</FocusedHeading>
        <NoteLine visit={visit} note={note} />
        {attempt?.turn?.kind === 'thank_you' && !result && <p dir="auto">{attempt.turn.text}</p>}
        {!result && <StoppedNote texts={texts} because={attempt?.stopped_because} />}
        <p>{texts('thanks_text', { merchant })}</p>
        {attempt?.is_restored && <p class="note">{texts('attempt_lost')}</p>}
        {attempt && isOpen && (interview.has_practice_left || !canBegin) && (
          <AttemptsLeft {...{ texts, attempt, canBegin }} />
        )}
        {!result && view !== 'none' && view !== 'minimal' && <p class="note">{texts('result_later')}</p>}
        {result && (
          <Result
            texts={texts}
            result={result}
            transcript={attempt?.transcript ?? []}
            isExpanded={view === 'full_expand_scores'}
          />
        )}
        <AfterSubmit visit={visit} />
        {canBegin && <Consent visit={visit} problem={problem} />}
      </>
    ),
  });
}

/** Says how many attempts are left, and when the next one can begin. */
function AttemptsLeft({
  texts,
  attempt: { attempts_left: count },
  canBegin,
}: {
  texts: TakingTexts;
  attempt: AttemptRow;
  canBegin: boolean;
}): VNode | null {
  if (count === 0) return null;
  return (
    <>
      {count !== null && <p>{texts('attempts_left', { count })}</p>}
      <p>{canBegin ? <a href="#consent">{texts('again')}</a> : texts('attempt_waits')}</p>
    </>
  );
}

type ResultProps = {
  texts: TakingTexts;
  result: Shown;
  transcript: NonNullable<AttemptRow['transcript']>;
  isExpanded: boolean;
};

function Result({ texts, result, transcript, isExpanded }: ResultProps): VNode {
  const answers = new Map(transcript.map(({ turn_id, answer }) => [turn_id, answer]));
  const speakers = new Map(transcript.map(({ turn_id, speaker }) => [turn_id, speaker]));
  const passages = result.questions
    .flatMap((question) => question.passages)
    .filter((passage) => findQuotePosition(answers.get(passage.turn_id) ?? '', passage) !== undefined);
  const quotes = new Set(passages.flatMap(({ quote }) => quote ?? []));
  return (
    <section>
      {result.score !== null && (
        <p class="score">
          <span class="soft">{texts('score')}</span>{' '}
          <strong>{texts('score_of', { number: result.score, of: result.max_score ?? 10 })}</strong>
        </p>
      )}
      {result.score_text && <p dir="auto">{result.score_text}</p>}
      {result.ai_analysis && (
        <>
          <h2>{texts('feedback')}</h2>
          <p class="said" dir="auto">
            {result.ai_analysis}
          </p>
        </>
      )}
      {result.takeaways && <Takeaways texts={texts} takeaways={result.takeaways} />}
      {result.questions.length > 0 && (
        <>
          <h2>{texts('feedback_answers')}</h2>
          <ol class="answers">
            {result.questions.map((question) => (
              <li>
                <AnswerFeedback
                  {...{ texts, question, quotes }}
                  isOpen={isExpanded}
                  speaker={speakers.get(question.turn_id) ?? null}
                  answer={answers.get(question.turn_id) ?? null}
                  passages={passages.filter(({ turn_id }) => turn_id === question.turn_id)}
                />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}
