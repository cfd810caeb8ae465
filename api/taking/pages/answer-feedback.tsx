import type { VNode } from 'preact';
import { z } from 'zod';
import { brackets, markPassages, readAssessment } from '../../../db/results/public';
import { boundedText } from '../../platform/text/bounded-text';
import type { TakingTexts } from '../texts';
import { SpeakerLine } from './turn-view';

/** The schema of a text of a result. No text is longer than 100,000 characters. */
export const shownText = boundedText(100_000);
const lines = z.array(shownText).catch([]);
const offset = z.int().nonnegative().nullish().catch(null);

/** Feedback on an answer. It was written by a model, so fields of an unexpected type are left out. */
export const shownQuestion = z.object({
  turn_id: shownText,
  question: shownText.nullable(),
  ai_analysis: shownText.nullable().catch(null),
  is_choice: z.boolean().catch(false),
  score: z.number().nullish().catch(null),
  passages: z
    .array(
      z.object({ turn_id: shownText, quote: shownText.nullish().catch(null), start: offset, end: offset }),
    )
    .catch([]),
  rubric: z.object({ strong: lines, moderate: lines, weak: lines }).nullish().catch(null),
  evidence: z.unknown().optional(),
});
export type ShownQuestion = z.output<typeof shownQuestion>;

/** The highest score of an answer. */
const maxAnswerScore = 5;

type FeedbackProps = {
  texts: TakingTexts;
  question: ShownQuestion;
  /** The person whom the AI played, if that person said the question. */
  speaker: string | null;
  /** The candidate's answer, and the passages in it that are highlighted. */
  answer: string | null;
  passages: ShownQuestion['passages'];
  /** All quotes that are highlighted, in this or another answer. */
  quotes: ReadonlySet<string>;
  /** True if the criteria are shown without a click. */
  isOpen: boolean;
};

/**
 * Shows an answer with its highlighted passages, its score, the feedback, and the criteria if the candidate may see
 * them.
 */
export function AnswerFeedback(props: FeedbackProps): VNode {
  const { texts, question, speaker, answer, passages, quotes, isOpen } = props;
  const { is_choice: isChoice, score, rubric, evidence } = question;
  const assessed = readAssessment(evidence);
  const feedback = withoutQuotes(question.ai_analysis ?? '', quotes);
  return (
    <>
      <SpeakerLine name={speaker} />
      <h3 dir="auto">{question.question || texts('introduction')}</h3>
      {typeof score === 'number' && (
        <p>
          {texts('score')}: {texts('score_of', { number: score, of: maxAnswerScore })}
        </p>
      )}
      {assessed?.reason === 'too_little_said' && <p class="note">{texts('too_little')}</p>}
      {answer !== null && (
        <p class="own" dir="auto">
          {markPassages(
            answer,
            passages.map((passage) => ({ ...passage, bracket: null, mark: null })),
          ).map(({ text, isMarked }) => (isMarked ? <mark>{text}</mark> : text))}
        </p>
      )}
      {passages.length > 0 && <p class="soft small">{texts('highlighted')}</p>}
      {feedback && (
        <p class="said" dir="auto">
          {feedback}
        </p>
      )}
      {rubric && (
        <details open={isOpen}>
          <summary>{texts('rubric')}</summary>
          {brackets.map((level) => {
            const judged = assessed?.criteria.filter(({ bracket }) => bracket === level) ?? [];
            const items =
              judged.length > 0 ? judged : rubric[level].map((text) => ({ text, met: null, quote: null }));
            return (
              items.length > 0 && (
                <>
                  <h4>{texts(`${isChoice ? 'choice' : 'rubric'}_${level}`)}</h4>
                  <ul>
                    {items.map(({ text, met, quote }) => (
                      <li>
                        <bdi>{text}</bdi>
                        {met === 'yes' && quote && !isChoice && (
                          <p class="small">
                            <span class="soft">{texts('evidence')}:</span> <q dir="auto">{quote}</q>
                          </p>
                        )}
                      </li>
                    ))}
                  </ul>
                </>
              )
            );
          })}
        </details>
      )}
    </>
  );
}

/**
 * Returns the feedback without the lines that are only quotes, because these quotes are highlighted in the answers. Results
 * that were scored before 2026-11-27 have such lines.
 */
const withoutQuotes = (feedback: string, quotes: ReadonlySet<string>): string =>
  feedback
    .split('\n')
    .filter((line) => !quotes.has(line.replaceAll(/^“|”$/g, '')))
    .join('\n')
    .trim();
