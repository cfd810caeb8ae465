import type { Seal } from '../../../db/platform/sealed';
import type { TestDatabase } from './database';
import type { FakeCalls } from './fakes';
import { openOperations } from './operations';
import type { Operations } from './operations';
import { startTestWorker } from './test-worker';

export type OperationsWithWorker = Omit<Operations, 'sealingKeys'> & FakeCalls;

/**
 * Opens the operations of the API in this process, together with the product's workflows and the activities in
 * `opened`, for operations that wait for a workflow.
 */
export async function openOperationsWith(
  opened: FakeCalls & {
    database: TestDatabase;
    activities: Parameters<typeof startTestWorker>[0];
    seal?: Seal;
  },
): Promise<OperationsWithWorker> {
  const { database, activities, seal, fault, faultsLeft, clearFaults, clearRecords, fake } = opened;
  const { client: temporal, queues } = await startTestWorker(activities);
  const { call, stack, signingKeysFile } = await openOperations(
    { temporal, queues, ...(seal ? { seal } : {}) },
    database,
  );
  return { call, stack, signingKeysFile, database, fault, faultsLeft, clearFaults, clearRecords, fake };
}
