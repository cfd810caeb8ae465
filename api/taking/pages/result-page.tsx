import type { Response } from 'express';
import type { VNode } from 'preact';
import { z } from 'zod';
import { boundedText } from '../../platform/text/bounded-text';
import type { TakingText, TakingTexts } from '../texts';
import { AfterSubmit } from './after-submit';
import { Heading, NoteLine, sendInterviewPage } from './layout';
import { Consent } from './start-page';
import type { Note, Visit } from './visit';

/** The schema of a text of a result. No text is longer than 100,000 characters. */
const shownText = boundedText(100_000);
const lines = z.array(shownText).catch([]);
/** What `app.shown_result` returns. Analyses are written by a model, so fields of an unexpected type are left out. */
const shownResult = z.object({
  score: z.number().nullable().catch(null),
  max_score: z.number().nullable().catch(null),
  score_text: shownText.nullable().catch(null),
  ai_analysis: shownText.nullable().catch(null),
  takeaways: lines,
  questions: z
    .array(
      z.object({
        question: shownText,
        ai_analysis: shownText.nullable().catch(null),
        score: z.number().nullable().catch(null),
        rubric: z.object({ strong: lines, moderate: lines, weak: lines }).nullable().catch(null),
        evidence: z.unknown(),
      }),
    )
    .catch([]),
});
type Shown = z.output<typeof shownResult>;

/** The highest score of an answer. */
const maxAnswerScore = 5;

/**
 * Thanks the candidate, and shows as much of the result as `result_view` allows. A test attempt can be started again.
 */
export function sendSubmittedPage(
  response: Response,
  visit: Visit,
  {
    canBegin,
    problem,
    note,
  }: { canBegin: boolean; problem?: TakingText | undefined; note?: Note | undefined },
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
        <Heading hasFocus={!problem && !visit.refusedMessage}>{title}</Heading>
        <NoteLine visit={visit} note={note} />
        {attempt?.turn?.kind === 'thank_you' && !result && <p dir="auto">{attempt.turn.text}</p>}
        <p>{texts('thanks_text', { merchant })}</p>
        {canBegin && (
          <p>
            <a href="#consent">{texts('again')}</a>
          </p>
        )}
        {!result && view !== 'none' && view !== 'minimal' && <p class="note">{texts('result_later')}</p>}
        {result && <Result texts={texts} result={result} isOpen={view === 'full_expand_scores'} />}
        <AfterSubmit visit={visit} />
        {canBegin && <Consent visit={visit} problem={problem} />}
      </>
    ),
  });
}

type ResultProps = { texts: TakingTexts; result: Shown; isOpen: boolean };

const Result = ({ texts, result, isOpen }: ResultProps): VNode => (
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
    {result.takeaways.length > 0 && <Lines lines={result.takeaways} />}
    {result.questions.length > 0 && (
      <>
        <h2>{texts('feedback_answers')}</h2>
        <ol class="answers">
          {result.questions.map((question) => (
            <li>
              <AnswerFeedback texts={texts} question={question} isOpen={isOpen} />
            </li>
          ))}
        </ol>
      </>
    )}
  </section>
);

function AnswerFeedback({
  texts,
  question: { question, ai_analysis, score, rubric, evidence },
  isOpen,
}: {
  texts: TakingTexts;
  question: Shown['questions'][number];
  isOpen: boolean;
}): VNode {
  const proofs = evidenceOf(evidence);
  return (
    <>
      <h3 dir="auto">{question || texts('introduction')}</h3>
      {score !== null && (
        <p>
          {texts('score')}: {texts('score_of', { number: score, of: maxAnswerScore })}
        </p>
      )}
      {ai_analysis && (
        <p class="said" dir="auto">
          {ai_analysis}
        </p>
      )}
      {rubric && (
        <details open={isOpen}>
          <summary>{texts('rubric')}</summary>
          {(['strong', 'moderate', 'weak'] as const).map((level) => (
            <>
              <h4>{texts(`rubric_${level}`)}</h4>
              <Lines lines={rubric[level]} />
            </>
          ))}
          {proofs.length > 0 && <h4>{texts('evidence')}</h4>}
          <Lines lines={proofs} />
        </details>
      )}
    </>
  );
}

const Lines = ({ lines }: { lines: readonly string[] }): VNode => (
  <ul>
    {lines.map((line) => (
      <li>
        <bdi>{line}</bdi>
      </li>
    ))}
  </ul>
);

const assessment = z.object({ criteria: z.array(z.object({ met: shownText, quote: z.unknown() })) });

/** Returns the quotes from an answer that support its score. */
function evidenceOf(raw: unknown): string[] {
  const { criteria = [] } = assessment.safeParse(raw).data ?? {};
  const quotes = criteria.flatMap(({ met, quote }) =>
    met === 'yes' ? (shownText.safeParse(quote).data ?? []) : [],
  );
  // One sentence can meet several criteria.
  return [...new Set(quotes)];
}
