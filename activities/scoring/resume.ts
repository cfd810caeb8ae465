import type { AttemptInput } from '../../db/scoring/attempt-input';
import type { StoredSample } from '../../db/scoring/samples';
import { combineSamples, defaultThresholds } from './combine';
import { criteriaOf } from './criteria';
import { samplesOf } from './judged-steps';
import type { CombinedScore, Sample } from './types';

/**
 * Combines the model's samples of the résumé into one score, by the rubric of the session. Returns null if there is no
 * résumé with a text, no rubric or no sample.
 */
export function judgeResume(
  { session_rubric: rubric, resume }: Pick<AttemptInput, 'session_rubric' | 'resume'>,
  samples: readonly StoredSample[],
): CombinedScore | null {
  const own = samplesOf<Sample>(samples, 'resume', 0);
  if (rubric === null || resume === null || own.length === 0) return null;
  const said = [{ turn_id: null, question: '', answer: resume }];
  return combineSamples(own, criteriaOf(rubric), defaultThresholds, said);
}

/** Returns how many criteria of each bracket are met, as `2 of 3`. */
export function countMet({ criteria }: Pick<CombinedScore, 'criteria'>) {
  const count = (name: CombinedScore['bracket']) => {
    const own = criteria.filter(({ bracket }) => bracket === name);
    return `${own.filter(({ met }) => met === 'yes').length} of ${own.length}`;
  };
  return { strong: count('strong'), moderate: count('moderate'), weak: count('weak') };
}

/** Returns what the analyses of a result say about the résumé. */
export const resumeAnalyses = (judged: CombinedScore) => ({
  resume_rationale: { score: judged.score, bracket: judged.bracket, ...countMet(judged) },
  resume_criteria: judged.criteria,
});
