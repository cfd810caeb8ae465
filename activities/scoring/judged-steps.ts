import type { AttemptInput, ScoredStep } from '../../db/scoring/attempt-input';
import type { StoredSample } from '../../db/scoring/samples';
import { answersOf, sessionAnswersOf } from './attempt-answers';
import { isChoice, judgeChoice } from './choices';
import { combineSamples, defaultThresholds } from './combine';
import { criteriaOf } from './criteria';
import { findingsOf } from './findings';
import type { Finding, JudgedPart } from './findings';
import type { CombinedScore, Sample, SessionSample } from './types';

/**
 * A scored step and the score from its samples (assessments by the model). Each quote names the turn from which it
 * comes.
 */
export type JudgedStep = { step: ScoredStep; combined: CombinedScore | null; isUnavailable: boolean };

/** Returns the samples of an answer, the session or the summary. */
export const samplesOf = <Kind>(samples: readonly StoredSample[], subject: string, place: number): Kind[] =>
  samples
    .filter((stored) => stored.subject === subject && stored.place === place)
    .map(({ sample }) => sample as Kind);

/** Combines the model's samples of each scored step into one score per step. Choices are scored by their key. */
export const judgeSteps = (
  { steps }: Pick<AttemptInput, 'steps'>,
  samples: readonly StoredSample[],
): JudgedStep[] =>
  steps
    .filter(({ is_scored }) => is_scored)
    .map((step) => {
      const isUnavailable = step.turns.some(
        ({ transcript_status: status, answer }) =>
          status === 'pending' || (status === 'failed' && answer === null),
      );
      if (isChoice(step)) return { step, combined: judgeChoice(step), isUnavailable };
      const own = samplesOf<Sample>(samples, 'answer', step.place);
      if (step.rubric === null || own.length === 0) return { step, combined: null, isUnavailable };
      const combined = combineSamples(own, criteriaOf(step.rubric), defaultThresholds, answersOf(step));
      return { step, combined, isUnavailable };
    });

/** Combines the model's samples of the session into one score. Returns null if there is no rubric or no sample. */
export function judgeSession(
  { session_rubric: rubric, steps }: Pick<AttemptInput, 'session_rubric' | 'steps'>,
  samples: readonly StoredSample[],
): CombinedScore | null {
  const own = samplesOf<SessionSample>(samples, 'session', 0);
  if (rubric === null || own.length === 0) return null;
  return combineSamples(own, criteriaOf(rubric), defaultThresholds, sessionAnswersOf(steps));
}

/** Returns what the summary of a result may say about its answers and the session. */
export const resultFindings = (
  { language }: Pick<AttemptInput, 'language'>,
  judged: readonly JudgedStep[],
  session: CombinedScore | null,
): Finding[] => findingsOf(resultParts(judged, session), language);

/** Returns the judged criteria of all answers and of the session. */
export const resultParts = (judged: readonly JudgedStep[], session: CombinedScore | null): JudgedPart[] => [
  ...judged.map(judgedPart),
  { turn_id: null, criteria: session?.criteria ?? [] },
];

/** Returns the criteria of a step, for its findings. A choice has none: it would only repeat the option, or tell the key. */
export const judgedPart = ({ step, combined }: JudgedStep): JudgedPart => ({
  turn_id: step.turns[0]?.turn_id ?? null,
  criteria: isChoice(step) ? [] : (combined?.criteria ?? []),
});
