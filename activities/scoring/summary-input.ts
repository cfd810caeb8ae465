import type { AttemptInput } from '../../db/scoring/attempt-input';
import type { StoredSample } from '../../db/scoring/samples';
import { sessionAnswersOf } from './attempt-answers';
import { judgeSession, judgeSteps, resultFindings } from './judged-steps';
import type { SummaryInput } from './rank-findings';

/** Returns the input of the summary: the findings of all samples of the run. */
export function summaryInputOf(input: AttemptInput, samples: readonly StoredSample[]): SummaryInput {
  const { type, names, steps, departments } = input;
  const findings = resultFindings(input, judgeSteps(input, samples), judgeSession(input, samples));
  return { type, answers: sessionAnswersOf(steps), findings, names, departments };
}
