import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { createLostRunCheck } from '../../../activities/scoring/end-lost-runs';
import { resultScoringId } from '../../../workflows/ids';
import { infrastructure } from '../../harness/platform/infrastructure';
import { startScoringWorld } from './scoring-world';

describe('createLostRunCheck', () => {
  it('fails runs whose workflow was terminated or is unknown to Temporal, and no others', async () => {
    const world = await startScoringWorld();
    const connection = await Connection.connect({ address: infrastructure().temporalAddress });
    const client = new Client({ connection });
    // No worker polls this queue, so a started workflow stays open.
    const taskQueue = `lost-runs-${randomBytes(4).toString('hex')}`;
    const queued = await world.submitted();
    const [running, terminated, unknown] = [
      await world.submitted(),
      await world.submitted(),
      await world.submitted(),
    ];
    const start = ({ result_id }: { result_id: string }) =>
      client.workflow.start('resultScoring', { workflowId: resultScoringId(result_id, 1, 1), taskQueue });
    const open = await start(running);
    await (await start(terminated)).terminate();
    await world.database.rows(`delete from workflow_start where argument ->> 'result_id' <> $1`, [
      queued.result_id,
    ]);
    // The rows of the world can be older than a minute.
    await world.database.rows('update score_record set requested_at = now()');
    let failed = 0;
    const check = createLostRunCheck({ database: world.worker, client, onFailed: () => (failed += 1) });
    expect(await check()).toBe(0);
    await world.database.rows(
      `update score_record set requested_at = now() - interval '2 minutes' where result_id = any($1)`,
      [[queued, running, terminated, unknown].map(({ result_id }) => result_id)],
    );
    expect(await check()).toBe(2);
    expect(await check()).toBe(0);
    await open.terminate();
    const found = await Promise.all(
      [queued, running, terminated, unknown].map(async ({ result_id }) => {
        const [record] = await world.recordsOf(result_id);
        return [(await world.result(result_id)).processing_status, record?.state, record?.['failure']];
      }),
    );
    await connection.close();
    await world.close();
    expect(found).toEqual([
      ['queued', 'queued', null],
      ['queued', 'queued', null],
      ['failed', 'failed', 'workflow_ended: terminated'],
      ['failed', 'failed', 'workflow_ended: not_found'],
    ]);
    expect(failed).toBe(2);
  });
});
