import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { findFreePort } from '../local/ports';
import { readSecrets } from '../local/secrets';
import { findTemporalServer } from '../local/temporal-binary';
import { startTemporalServer } from '../local/temporal-server';
import { interviewCreationId, searchAttributes, taskQueues } from '../workflows/ids';
import { machine, median, scaled, startBenchStack } from './stack';
import { end, startWorker, untilReady } from './worker';

const workflows = scaled(300);
const rounds = scaled(3);

/**
 * `npm run bench:temporal`: measures how many workflows with one activity the development server completes per
 * second, with a database file and in memory. The workflow is `interviewCreation` with an unknown id: the activity
 * looks for the row, then the workflow fails with InterviewGone.
 */
async function main(): Promise<void> {
  console.log(`machine: ${machine()}`);
  const bench = await startBenchStack();
  const folder = mkdtempSync(path.join(tmpdir(), 'interview-platform-temporal-'));
  try {
    const inFile = await measure(bench.stack.temporal_address);
    const server = await startTemporalServer({
      binary: await findTemporalServer({ onProgress: console.log }),
      port: await findFreePort(),
      searchAttributes,
      logFile: path.join(folder, 'temporal.log'),
    });
    const worker = await startWorker({
      folder,
      secrets: readSecrets(path.join(bench.folder, 'secrets.json')),
      adminUrl: bench.stack.database_url,
      temporalAddress: server.address,
    });
    await untilReady(worker);
    const inMemory = await measure(server.address);
    await end(worker, 'SIGKILL');
    await server.stop();
    console.log(`one-activity workflows, ${workflows} at once, median of ${rounds} rounds`);
    console.log(`  with its file   ${inFile.toFixed(0)} workflows/s`);
    console.log(`  in memory       ${inMemory.toFixed(0)} workflows/s`);
    console.log(`  ratio           ${(inFile / inMemory).toFixed(2)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await bench.stop();
  }
}

async function measure(address: string): Promise<number> {
  const connection = await Connection.connect({ address });
  const { workflow } = new Client({ connection });
  const queues = taskQueues('');
  const rates: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: workflows }, async () => {
        const id = randomUUID();
        const args = [{ interview_id: id, ai_task_queue: queues.ai }];
        const handle = await workflow.start('interviewCreation', {
          workflowId: interviewCreationId(id),
          taskQueue: queues.main,
          args,
        });
        await handle.result().catch(() => undefined);
      }),
    );
    rates.push((workflows / (performance.now() - startedAt)) * 1_000);
  }
  await connection.close();
  return median(rates);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
