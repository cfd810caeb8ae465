import type { AttemptInput } from '../../db/scoring/attempt-input';
import type { Risk } from '../../db/scoring/write-scores';
import { isJudged } from './attempt-answers';
import type { JudgedStep } from './judged-steps';
import type { CombinedScore, ReviewReason } from './types';

type Reason = ReviewReason | 'few_scores';

/** Why a person must review a score, in the sentences that recruiters read. */
const reviewNotes: Readonly<Record<Reason, string>> = {
  samples_missing: 'An assessment is missing, because the model gave no usable reply.',
  samples_differ: 'Repeated assessments of the same answer differ.',
  quotes_rejected: 'Quotes of the model do not count as evidence, so a score may be too low.',
  all_met: 'Every criterion is said to be met, which is rare.',
  shared_quotes: 'The same passage or sentence is given as the proof of several criteria.',
  only_strong: 'Criteria of a strong answer are met, but none of a moderate answer.',
  few_scores: 'Fewer than half of the questions have a score, so the total rests on few answers.',
};
const reviewReasons = Object.keys(reviewNotes) as Reason[];

/** Returns the risks that a person should look at. Their notes are written for recruiters. */
export function findRisks(
  { steps, coverage }: Pick<AttemptInput, 'steps' | 'coverage'>,
  judged: readonly JudgedStep[],
  combined: readonly CombinedScore[],
): Risk[] {
  const turns = steps.flatMap((step) => step.turns);
  const found = new Set<Reason>(combined.flatMap(({ review_reasons: own }) => own));
  if (isMostlyUnscored(judged) || (coverage !== null && coverage < 50)) found.add('few_scores');
  const notes = reviewReasons.filter((reason) => found.has(reason)).map((reason) => reviewNotes[reason]);
  const risks: [boolean, Risk][] = [
    [
      combined.some(({ instructs }) => instructs),
      {
        key: 'instructs_the_assessor',
        severity: 'issue',
        note: 'An answer or the résumé contains instructions to the assessor. They were not counted as evidence.',
      },
    ],
    [
      notes.length > 0,
      {
        key: 'needs_review',
        severity: 'warning',
        note: [...notes, 'Check the criteria against the transcript.'].join(' '),
      },
    ],
    [
      turns.some(({ answer_original: original }) => original !== null),
      {
        key: 'edited_after',
        severity: 'warning',
        note: 'The candidate edited answers before the submission.',
      },
    ],
    [
      judged.some(({ isUnavailable }) => isUnavailable),
      {
        key: 'unavailable_transcript',
        severity: 'warning',
        note: 'A recorded answer could not be transcribed and was not scored.',
      },
    ],
  ];
  return risks.filter(([isFound]) => isFound).map(([, risk]) => risk);
}

/**
 * Returns true if most questions that could be scored have no score, because too little was said. Without this
 * warning, a candidate could raise the total unnoticed by not answering hard questions.
 */
function isMostlyUnscored(judged: readonly JudgedStep[]): boolean {
  const scorable = judged.filter(({ step, isUnavailable }) => isJudged(step) && !isUnavailable);
  const scored = scorable.filter(({ combined }) => (combined?.score ?? null) !== null);
  return scored.length > 0 && scored.length * 2 < scorable.length;
}
