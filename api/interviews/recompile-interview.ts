import { compileDefinition } from '../../db/interviews/compiled-definition';
import { lockInterview, updateInterviewOrPosition } from '../../db/interviews/locked-definition';
import { listSteps } from '../../db/interviews/steps';
import type { Transaction } from '../../db/platform/database';

/** Compiles the interview's definition again, so that a test session uses the current questions and welcome step. */
export async function recompileInterview(trx: Transaction, id: string): Promise<void> {
  const interview = await trx.maybeOne(lockInterview(id));
  if (!interview) return;
  const steps = await trx.rows(listSteps(id));
  await trx.count(
    updateInterviewOrPosition('interview', id, { calc_definition_json: compileDefinition(interview, steps) }),
  );
}
