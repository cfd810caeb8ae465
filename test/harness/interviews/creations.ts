import type { FakeCalls } from '../platform/fakes';
import { openOperations } from '../platform/operations';
import type { Operations } from '../platform/operations';
import { startTestWorker } from '../platform/test-worker';
import { startInterviewWorker } from './interview-worker';

export type Creations = Omit<Operations, 'sealingKeys'> & FakeCalls;

/**
 * Opens the operations of the API in this process, together with the workflow and the activities that create
 * interviews. They ask the fake model.
 */
export async function openCreations(): Promise<Creations> {
  const { database, activities, seal, fault, faultsLeft, clearFaults, clearRecords, fake } =
    await startInterviewWorker();
  const { client: temporal, queues } = await startTestWorker(activities);
  const { call, stack, signingKeysFile } = await openOperations({ temporal, queues, seal }, database);
  return { call, stack, signingKeysFile, database, fault, faultsLeft, clearFaults, clearRecords, fake };
}
