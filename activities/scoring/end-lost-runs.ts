import type { Client } from '@temporalio/client';
import type { Database } from '../../db/platform/database';
import { failRun, listOpenRuns, lockRun, supersedeRun } from '../../db/scoring/runs';
import type { OpenRun, RunKey } from '../../db/scoring/runs';
import { resultScoringId } from '../../workflows/ids';
import { endedWorkflowStates, readWorkflowState } from '../platform/workflow-state';

type LostRunDeps = {
  database: Pick<Database, 'queryAsWorker' | 'writeAsWorker'>;
  client: Client;
  /** Called when a run has ended without scores, for the metrics. */
  onFailed: () => void;
};

const batchRuns = 50;
const describeDeadlineMs = 10_000;
/**
 * Returns a job that ends runs of the scoring whose workflow cannot end them, because it was terminated or Temporal
 * does not know it. Each call checks the next 50 open runs and returns how many it has ended.
 */
export function createLostRunCheck({ database, client, onFailed }: LostRunDeps): () => Promise<number> {
  let last: OpenRun | undefined;
  return async () => {
    const open = await database.queryAsWorker(listOpenRuns(last, batchRuns));
    // After the last batch, the next call begins with the oldest run again.
    last = open.length === batchRuns ? open.at(-1) : undefined;
    const checked = await client.withDeadline(Date.now() + describeDeadlineMs, () =>
      Promise.all(
        open.map(async (run) => {
          const id = resultScoringId(run.result_id, run.attempt, run.run);
          return { run, state: await readWorkflowState(client, id) };
        }),
      ),
    );
    const lost = checked.filter(({ state }) => endedWorkflowStates.has(state));
    for (const { run, state } of lost) if (await endRun(database, run, state)) onFailed();
    return lost.length;
  };
}

/**
 * Ends a run. If the run is still open (`lockRun`), marks it as failed and returns true. Otherwise, marks it as
 * superseded unless it already has an outcome, and returns false.
 */
const endRun = (database: LostRunDeps['database'], key: RunKey, state: string): Promise<boolean> =>
  database.writeAsWorker(async (trx) => {
    const locked = await trx.maybeOne(lockRun(key));
    await trx.count(
      locked ? failRun(key, locked.merchant_id, `workflow_ended: ${state.toLowerCase()}`) : supersedeRun(key),
    );
    return locked !== undefined;
  });
