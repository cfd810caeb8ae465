import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { createLostHoldRelease } from '../../../activities/results/release-lost-holds';
import { resultScoringId } from '../../../workflows/ids';
import { createAnnouncingWorld } from '../../db/webhooks/announcing-world';
import { infrastructure } from '../../harness/platform/infrastructure';

describe('createLostHoldRelease', () => {
  it('releases events whose scoring was terminated or is unknown to Temporal, and no others', async () => {
    const world = await createAnnouncingWorld();
    const connection = await Connection.connect({ address: infrastructure().temporalAddress });
    const client = new Client({ connection });
    // No worker polls this queue, so a started workflow stays open.
    const taskQueue = `lost-holds-${randomBytes(4).toString('hex')}`;
    const scored = async () => {
      const { key } = await world.scored({ pdf_export_auto_config: '{"transcript": true}' });
      await world.born(key.result_id);
      return key.result_id;
    };
    const [queued, running, terminated, unknown] = [
      await scored(),
      await scored(),
      await scored(),
      await scored(),
    ];
    const ids = [queued, running, terminated, unknown];
    const start = (id: string) =>
      client.workflow.start('resultScoring', { workflowId: resultScoringId(id, 1, 1), taskQueue });
    await world.database.rows('update interview_result set scoring_run = 1 where id = any($1)', [ids]);
    await world.database.rows(
      `delete from workflow_start where workflow_id like 'result-scoring/%' and argument ->> 'result_id' <> $1`,
      [queued],
    );
    const open = await start(running);
    await (await start(terminated)).terminate();
    const check = createLostHoldRelease({ database: world.worker, client });
    expect(await check()).toBe(0);
    await world.database.rows(`update webhook_hold set held_at = now() - interval '2 minutes'`);
    expect(await check()).toBe(2);
    expect(await check()).toBe(0);
    await open.terminate();
    const found = await Promise.all(
      ids.map(async (id) => [
        (await world.born(id)).map(([event]) => event),
        (await world.show(id))['pdf_failed_at'] !== null,
      ]),
    );
    await connection.close();
    expect(found).toEqual([
      [[], false],
      [[], false],
      [['interview_result'], true],
      [['interview_result'], true],
    ]);
  });
});
