import type { VNode } from 'preact';
import { Facts } from '../platform/site/elements';
import { roundedText } from './result-words';
import type { ResultDetails } from './result-words';

const partNames: Readonly<Record<string, string>> = {
  answers: 'Answers',
  session: 'Session',
  resume: 'Résumé',
  pronunciation: 'Understood by speech recognition',
  cadence: 'Pace of speech',
  sentiment: 'Sentiment',
};

/** Shows the parts of the computed score with their shares. */
export const ScoreParts = ({
  parts,
}: {
  parts: { part: string; score: number; weight: number }[];
}): VNode | null =>
  parts.length === 0 ? null : (
    <section id="score-parts">
      <h3>Parts of the AI score</h3>
      <Facts
        entries={parts.map(({ part, score, weight }) => [
          partNames[part] ?? part,
          `${roundedText(score) ?? ''} of 10, ${Math.round(weight * 100)}% of the score`,
        ])}
      />
    </section>
  );

/**
 * Shows the figures that a result has besides its score. Each links to its source, such as the transcript, if the
 * page shows that source. Figures without a value are left out.
 */
export function Measures(props: { result: ResultDetails; max: number; hasSession: boolean }): VNode | null {
  const { result, max, hasSession } = props;
  const coverage = roundedText(result.ai_interview_coverage_percentage);
  const entries = [
    [
      'Session (of 10)',
      roundedText(result.ai_analysis_recruiter_score),
      hasSession ? 'session-criteria' : null,
    ],
    ['Answers (of 5)', roundedText(result.score_answer), 'answer-scores'],
    [`Simulation (of ${roundedText(max)})`, roundedText(result.score_simulation), 'answer-scores'],
    ['Sentiment (−1 to 1)', roundedText(result.score_sentiment), 'transcript'],
    ['Words per minute', roundedText(result.score_words_per_minute), 'transcript'],
    ['Understood by speech recognition (of 100)', roundedText(result.score_pronunciation), 'transcript'],
    ['Coverage', coverage && `${coverage}%`, 'transcript'],
  ] as const;
  const known = entries.filter(([, value]) => value !== null);
  if (known.length === 0) return null;
  return (
    <>
      <h3>Figures</h3>
      <Facts
        entries={known.map(([name, value, source]) => [
          name,
          source === null ? value : <a href={`#${source}`}>{value}</a>,
        ])}
      />
    </>
  );
}
