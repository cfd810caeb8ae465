import type { Database } from '../../db/platform/database';
import type { AttemptInput } from '../../db/scoring/attempt-input';
import type { RunKey } from '../../db/scoring/runs';
import { listSamples } from '../../db/scoring/samples';
import { sessionAnswersOf } from './attempt-answers';
import { judgeSession, judgeSteps } from './judged-steps';
import type { SummaryInput } from './types';

/** Returns the input of the summary, or null if no criterion was judged. */
export async function summaryInputOf(
  database: Pick<Database, 'queryAsWorker'>,
  key: RunKey,
  input: AttemptInput,
): Promise<SummaryInput | null> {
  const samples = await database.queryAsWorker(listSamples(key, input.merchant_id, null));
  const session = judgeSession(input, samples);
  const evidence = [
    ...judgeSteps(input, samples).flatMap(({ step, combined }) =>
      (combined?.criteria ?? []).map((criterion) => ({
        ...criterion,
        turn_id: criterion.turn_id ?? step.turns[0]?.turn_id ?? null,
      })),
    ),
    ...(session?.criteria ?? []),
  ].map(({ bracket, text, met, quote, turn_id }) => ({ bracket, text, met, quote, turn_id }));
  if (evidence.length === 0) return null;
  const { type, language, names, previous_steps } = input;
  return { type, language, answers: sessionAnswersOf(input.steps), evidence, names, previous_steps };
}
