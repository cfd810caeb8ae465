import { compileDefinition } from '../../db/compiled-definition';
import { lockInterview, updateColumns } from '../../db/interview-updates';
import type { LockedInterview } from '../../db/interview-updates';
import type { Transaction } from '../../db/scope';
import { listSteps } from '../../db/steps';
import type { Step } from '../../db/steps';

/** Compiles the interview's definition anew, so that a test takes its present questions and welcome step. */
export async function recompileInterview(trx: Transaction, id: string): Promise<void> {
  const [interview] = await trx.rows<LockedInterview>(lockInterview(id));
  if (!interview) return;
  const steps = await trx.rows<Step>(listSteps(id));
  await trx.count(
    updateColumns('interview', id, { calc_definition_json: compileDefinition(interview, steps) }),
  );
}
