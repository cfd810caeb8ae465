import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWebhookReplayActivities } from '../../../activities/webhooks/webhook-replays';
import type { ReplayPage } from '../../../activities/webhooks/webhook-replays';
import { withAdmin } from '../../../db/platform/credentials';
import { cancelReplay, insertReplay } from '../../../db/webhooks/replays';
import type { ReplayFilter } from '../../../db/webhooks/replays';
import { activityEnvironment, startInterviewWorker } from '../../harness/interviews/interview-worker';
import type { InterviewWorker } from '../../harness/interviews/interview-worker';
import { deliveriesOf, putDeliveries, putEndpoint } from '../../harness/webhooks/webhook-rows';

let workflow: InterviewWorker;
let activities: ReturnType<typeof createWebhookReplayActivities>;
beforeAll(async () => {
  workflow = await startInterviewWorker();
  activities = createWebhookReplayActivities({ database: workflow.worker });
});
afterAll(() => workflow.stop());

const insert = (filter: ReplayFilter, perSecond = 100) =>
  workflow.api.write(workflow.caller, async (trx) => {
    const [row] = await trx.rows<{ id: string }>(insertReplay(filter, perSecond));
    return row?.id ?? '';
  });
const page = (id: string, seconds?: number): Promise<ReplayPage> =>
  activityEnvironment().run(activities.replayPage, {
    replay_id: id,
    ...(seconds === undefined ? {} : { seconds }),
  });
const gaveUp = { state: 'gave_up', attempts: 10 };
const seriesOf = async (endpointId: string) =>
  (await deliveriesOf(workflow.database, endpointId)).map(({ state, series }) => `${state} ${series}`);

describe('replayPage', () => {
  it('requeues as many deliveries as a second allows, each once, and counts them', async () => {
    const endpoint_id = await putEndpoint(workflow.database);
    await putDeliveries(workflow.database, endpoint_id, gaveUp, 230);
    const id = await insert({ endpoint_id });
    const shared = { matched: 230, per_second: 100 };
    expect(await page(id)).toEqual({ state: 'running', requeued: 100, replayed: 100, ...shared });
    expect(await page(id)).toEqual({ state: 'running', requeued: 100, replayed: 200, ...shared });
    expect(await page(id)).toEqual({ state: 'done', requeued: 30, replayed: 230, ...shared });
    expect(await page(id)).toEqual({ state: 'done', requeued: 0, replayed: 230, ...shared });
    expect(new Set(await seriesOf(endpoint_id))).toEqual(new Set(['queued 2']));
  });

  it.each([3, 1_000])('requeues no more than the rate at %i a second', async (perSecond) => {
    const endpoint_id = await putEndpoint(workflow.database);
    await putDeliveries(workflow.database, endpoint_id, gaveUp, perSecond + 2);
    expect(await page(await insert({ endpoint_id }, perSecond))).toMatchObject({ requeued: perSecond });
  });

  it('requeues more when it is late, for up to two seconds', async () => {
    const endpoint_id = await putEndpoint(workflow.database);
    await putDeliveries(workflow.database, endpoint_id, gaveUp, 40);
    const id = await insert({ endpoint_id }, 10);
    expect(await page(id, 1.35)).toMatchObject({ requeued: 13 });
    expect(await page(id, 60)).toMatchObject({ requeued: 20 });
  });

  it('sends heartbeats while it takes long', async () => {
    const endpoint_id = await putEndpoint(workflow.database);
    await putDeliveries(workflow.database, endpoint_id, gaveUp, 2);
    const id = await insert({ endpoint_id });
    const environment = activityEnvironment();
    const running = await withAdmin(workflow.database.adminUrl, async (holder) => {
      await holder.query('begin');
      await holder.query('select from webhook_replay where id = $1 for update', [id]);
      const beat = once(environment, 'heartbeat');
      const ended = environment.run(activities.replayPage, { replay_id: id });
      await beat;
      await holder.query('commit');
      return { ended };
    });
    expect(await running.ended).toMatchObject({ requeued: 2 });
  });

  it('requeues each delivery once when two run at the same time', async () => {
    const endpoint_id = await putEndpoint(workflow.database);
    await putDeliveries(workflow.database, endpoint_id, gaveUp, 150);
    const id = await insert({ endpoint_id });
    const pages = await Promise.all([page(id), page(id), page(id)]);
    expect(pages.map(({ requeued }) => requeued).sort((a, b) => a - b)).toEqual([0, 50, 100]);
    expect(new Set(await seriesOf(endpoint_id))).toEqual(new Set(['queued 2']));
  });

  it('does nothing for a cancelled replay, and fails for good for an unknown one', async () => {
    const endpoint_id = await putEndpoint(workflow.database);
    await putDeliveries(workflow.database, endpoint_id, gaveUp, 2);
    const id = await insert({ endpoint_id }, 1);
    await page(id);
    await workflow.api.write(workflow.caller, (trx) => trx.count(cancelReplay(id)));
    expect(await page(id)).toMatchObject({ state: 'cancelled', requeued: 0, replayed: 1 });
    expect(await seriesOf(endpoint_id)).toEqual(['queued 2', 'gave_up 1']);
    await expect(page(randomUUID())).rejects.toMatchObject({ type: 'ReplayGone', nonRetryable: true });
  });
});

describe('endReplay', () => {
  it('cancels a running replay, and leaves one that is done', async () => {
    const endpoint_id = await putEndpoint(workflow.database);
    await putDeliveries(workflow.database, endpoint_id, gaveUp, 2);
    const [running, done] = [
      await insert({ endpoint_id }, 1),
      await insert({ endpoint_id: await putEndpoint(workflow.database) }),
    ];
    await page(running);
    await page(done);
    const end = (id: string) => activityEnvironment().run(activities.endReplay, { replay_id: id });
    expect(await end(running)).toMatchObject({ state: 'cancelled', replayed: 1 });
    expect(await end(done)).toMatchObject({ state: 'done' });
  });
});

describe('replayPage of a merchant with many deliveries', () => {
  it('continues where the last search ended when few of many deliveries match', async () => {
    const endpoint_id = await putEndpoint(workflow.database);
    const many = await putEndpoint(workflow.database);
    const status = { endpoint_id, state: 'gave_up' as const };
    const [first] = await putDeliveries(workflow.database, endpoint_id, gaveUp);
    await putDeliveries(workflow.database, many, { ...gaveUp, state: 'acknowledged' }, 20_500);
    const [last] = await putDeliveries(workflow.database, endpoint_id, gaveUp);
    const id = await insert(status);
    const pages = [await page(id), await page(id)];
    expect(pages.map(({ state, replayed }) => `${state} ${replayed}`)).toEqual(['running 1', 'done 2']);
    expect((await deliveriesOf(workflow.database, endpoint_id)).map((row) => row.id)).toEqual([first, last]);
  });
});
