import type { Client } from '@temporalio/client';
import type { Database } from '../../db/platform/database';
import { giveUpPdf, listHeldResults } from '../../db/webhooks/public';
import type { HeldResult } from '../../db/webhooks/public';
import { resultScoringId } from '../../workflows/ids';
import { endedWorkflowStates, readWorkflowState } from '../platform/workflow-state';

type LostHoldDeps = { database: Pick<Database, 'queryAsWorker' | 'writeAsWorker'>; client: Client };

const batchHolds = 50;
const describeDeadlineMs = 10_000;

/**
 * Returns a job that sends the events that wait for a PDF which no workflow makes any more. The scoring of a result
 * makes the PDF, so this is the case when its workflow has ended: it gave up, or it was cancelled, terminated or lost.
 * Each call checks the next 50 results and returns how many events it has released.
 */
export function createLostHoldRelease({ database, client }: LostHoldDeps): () => Promise<number> {
  let last: HeldResult | undefined;
  return async () => {
    const held = await database.queryAsWorker(listHeldResults(last, batchHolds));
    // After the last batch, the next call begins with the oldest result again.
    last = held.length === batchHolds ? held.at(-1) : undefined;
    const states = await client.withDeadline(Date.now() + describeDeadlineMs, () =>
      Promise.all(
        held.map(({ result_id, attempt, run }) =>
          readWorkflowState(client, resultScoringId(result_id, attempt, run)),
        ),
      ),
    );
    const lost = held.filter((_, at) => endedWorkflowStates.has(states[at] ?? ''));
    for (const { result_id, attempt } of lost)
      await database.writeAsWorker((trx) => trx.count(giveUpPdf(result_id, attempt)));
    return lost.length;
  };
}
