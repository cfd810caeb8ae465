import { randomUUID } from 'node:crypto';
import {
  cancelReplay,
  countReplayable,
  insertReplay,
  lockReplay,
  recordPage,
  requeuePage,
} from '../../../db/webhooks/replays';
import type { Replay, ReplayFilter, RequeuedPage } from '../../../db/webhooks/replays';
import { merchants } from '../../../local/seed/accounts';
import { startInterviewWorker } from '../../harness/interviews/interview-worker';
import type { InterviewWorker } from '../../harness/interviews/interview-worker';
import { deliveriesOf, putDeliveries, putEndpoint } from '../../harness/webhooks/webhook-rows';

let workflow: InterviewWorker;
beforeAll(async () => {
  workflow = await startInterviewWorker();
});

const count = async (filter: ReplayFilter) => {
  const [row] = await workflow.api.query<{ matched: number }>(workflow.caller, countReplayable(filter));
  return row?.matched;
};
const insert = (filter: ReplayFilter, perSecond = 100) =>
  workflow.api.write(workflow.caller, async (trx) => {
    const [row] = await trx.rows<{ id: string; matched: number }>(insertReplay(filter, perSecond));
    if (!row) throw new Error('nothing was inserted');
    return row;
  });
const find = (id: string) =>
  workflow.worker.writeAsWorker(async (trx) => (await trx.rows<Replay>(lockReplay(id)))[0]);
const page = (id: string, limitRows: number) =>
  workflow.worker.writeAsWorker(async (trx) => {
    const [replay] = await trx.rows<Replay>(lockReplay(id));
    const [found] = replay ? await trx.rows<RequeuedPage>(requeuePage(replay, limitRows)) : [];
    if (!found) throw new Error('no page');
    await trx.count(recordPage(id, found));
    return found;
  });
/** Returns a UUIDv7 that contains this time. */
const idAt = (time: string) => {
  const hex = Date.parse(time).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
};
const finished = { attempts: 10, finished_at: '2026-01-01', next_attempt_at: null };

describe('countReplayable', () => {
  it('counts what matches the filter', async () => {
    const filters: [string, ReplayFilter, number][] = [
      ['no field, which matches all that are not in the queue', {}, 5],
      ['one state', { state: 'gave_up' }, 2],
      ['the event', { event: 'interview_failed' }, 1],
      ['the last outcome', { outcome: 'timeout' }, 1],
      ['the last status', { status: 500 }, 2],
      ['two fields', { state: 'gave_up', status: 500 }, 1],
      ['fields that are null', { state: null, event: null, since: null, status: null }, 5],
      ['since a time', { since: '2026-02-01T00:00:00Z' }, 4],
      ['until a time, which is exclusive', { until: '2026-01-15T00:00:00.000Z' }, 0],
      ['between two times', { since: '2026-01-15T00:00:00.000Z', until: '2026-01-16T00:00:00Z' }, 1],
    ];
    const endpoint_id = await putEndpoint(workflow.database);
    await putDeliveries(workflow.database, endpoint_id, {
      ...finished,
      state: 'gave_up',
      last_status: 500,
      last_outcome: 'refused',
    });
    await putDeliveries(workflow.database, endpoint_id, {
      ...finished,
      state: 'gave_up',
      last_outcome: 'timeout',
    });
    await putDeliveries(workflow.database, endpoint_id, {
      ...finished,
      state: 'acknowledged',
      event: 'interview_failed',
    });
    await putDeliveries(workflow.database, endpoint_id, { state: 'retried', last_status: 500 });
    await putDeliveries(workflow.database, endpoint_id, { state: 'retried', is_released: true });
    await putDeliveries(workflow.database, endpoint_id, { state: 'queued' });
    await putDeliveries(workflow.database, endpoint_id, {
      ...finished,
      id: idAt('2026-01-15T00:00:00Z'),
      state: 'acknowledged',
      created_at: '2026-01-15T00:00:00Z',
    });
    for (const [name, filter, matched] of filters)
      expect([name, await count({ ...filter, endpoint_id })]).toEqual([name, matched]);
    await workflow.database.rows('update webhook_endpoint set deleted_at = now() where id = $1', [
      endpoint_id,
    ]);
    for (const [name, filter] of filters)
      expect([name, await count({ ...filter, endpoint_id })]).toEqual([name, 0]);
  });
});

describe('the pages of a replay', () => {
  it('start a new series for each matching delivery in order, or make it due if it waits for its retry', async () => {
    const endpoint_id = await putEndpoint(workflow.database);
    const later = '2100-01-01';
    const [first] = await putDeliveries(workflow.database, endpoint_id, {
      ...finished,
      state: 'acknowledged',
      attempts: 3,
    });
    const [second] = await putDeliveries(workflow.database, endpoint_id, {
      state: 'retried',
      attempts: 2,
      next_attempt_at: later,
    });
    const [third] = await putDeliveries(workflow.database, endpoint_id, {
      ...finished,
      state: 'gave_up',
      series: 2,
    });
    const [held] = await putDeliveries(workflow.database, endpoint_id, {
      state: 'retried',
      attempts: 2,
      is_released: true,
    });
    const { id, matched } = await insert({ endpoint_id });
    expect(matched).toBe(3);
    const [born] = await putDeliveries(workflow.database, endpoint_id, {
      ...finished,
      state: 'acknowledged',
    });

    expect(await page(id, 2)).toEqual({
      requeued: 2,
      last_id: second,
      is_last: false,
    });
    expect(await find(id)).toMatchObject({ state: 'running', replayed: 2, last_delivery_id: second });
    expect(await page(id, 2)).toEqual({
      requeued: 1,
      last_id: born,
      is_last: true,
    });
    const replay = await find(id);
    expect(replay).toMatchObject({ state: 'done', replayed: 3, merchant_id: merchants.main.id });
    const triggered_by = replay?.requested_by;
    const anew = {
      state: 'queued',
      attempts: 0,
      triggered_by,
      is_finished: false,
      is_due: true,
    };
    expect(await deliveriesOf(workflow.database, endpoint_id)).toMatchObject([
      { id: first, endpoint_id, series: 2, ...anew },
      { id: second, endpoint_id, series: 1, ...anew, state: 'retried', attempts: 2, is_released: true },
      { id: third, endpoint_id, series: 3, ...anew },
      expect.objectContaining({ id: held, series: 1, attempts: 2, triggered_by: null }),
      expect.objectContaining({ id: born, state: 'acknowledged', series: 1, triggered_by: null }),
    ]);
  });

  it('do not send a delivery twice that fails in the meantime', async () => {
    const endpoint_id = await putEndpoint(workflow.database);
    await putDeliveries(workflow.database, endpoint_id, { ...finished, state: 'gave_up' }, 3);
    const { id } = await insert({ endpoint_id });
    const { last_id } = await page(id, 2);
    await workflow.database.rows(
      `update webhook_delivery set state = 'gave_up', next_attempt_at = null, finished_at = now() where endpoint_id = $1`,
      [endpoint_id],
    );
    expect(await page(id, 2)).toMatchObject({ requeued: 1, is_last: true });
    const series = (await deliveriesOf(workflow.database, endpoint_id)).map((row) => row.series);
    expect([series, last_id]).toEqual([
      [2, 2, 2],
      (await deliveriesOf(workflow.database, endpoint_id))[1]?.id,
    ]);
  });

  it('leave other merchants and environments unchanged, whatever the filter is', async () => {
    const endpoint_id = await putEndpoint(workflow.database);
    const state = { ...finished, state: 'gave_up' };
    await putDeliveries(workflow.database, endpoint_id, { ...state, merchant_id: merchants.sub.id });
    await putDeliveries(workflow.database, endpoint_id, { ...state, environment: 'demo' });
    const { id, matched } = await insert({ endpoint_id });
    expect([matched, (await page(id, 5)).requeued]).toEqual([0, 0]);
  });

  it('end once when the replay is cancelled', async () => {
    const { id } = await insert({ endpoint_id: await putEndpoint(workflow.database) });
    const cancel = () => workflow.api.write(workflow.caller, (trx) => trx.count(cancelReplay(id)));
    expect([await cancel(), await cancel()]).toEqual([1, 0]);
    expect(await find(id)).toMatchObject({ state: 'cancelled' });
  });
});
