import { recordOutcomes } from '../../../db/webhooks/delivery-outcomes';
import type { DeliveryOutcome, RecordedEndpoint } from '../../../db/webhooks/delivery-outcomes';
import { noExchange } from '../../harness/webhooks/attempts';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';

/*
 * Tests that an endpoint is paused after it has failed for days without a success in between. The tests give all
 * times in hours before now.
 */

let webhooks: Webhooks;
beforeAll(async () => {
  webhooks = await openWebhooks();
});
afterAll(() => webhooks.close());

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

/** Creates an endpoint whose first failure was `since` hours ago and whose last failure was `last` hours ago. */
const failing = (since: number | null, last: number | null) =>
  webhooks.endpoint('http://a.example', {
    failing_since: since === null ? null : hoursAgo(since),
    last_failed_at: last === null ? null : hoursAgo(last),
  });

/** Records attempts with these outcomes, and returns why the endpoint was paused, or null if it was not. */
async function attempt(endpointId: string, ...outcomes: DeliveryOutcome['outcome'][]) {
  const ids = await webhooks.deliveries(endpointId, outcomes.length);
  const recorded = await webhooks.worker.queryAsWorker<RecordedEndpoint>(
    recordOutcomes(outcomes.map((outcome, index) => ({ ...unanswered, id: ids[index] ?? '', outcome }))),
  );
  return recorded[0]?.paused_reason;
}
const unanswered = {
  series: 1,
  attempts: 0,
  wait_ms: 5_000,
  since_ms: 20,
  status: null,
  ...noExchange,
};

const find = async (id: string) => {
  const [row] = await webhooks.database.rows<{ since: number | null; last: number | null }>(
    `select round(extract(epoch from now() - failing_since) / 3600)::int as since,
       round(extract(epoch from now() - last_failed_at) / 3600)::int as last
     from webhook_endpoint where id = $1`,
    [id],
  );
  return row;
};

describe('recordOutcomes of an endpoint that fails', () => {
  it.each<[string, number | null, number | null, number, number]>([
    ['the first time', null, null, 0, 0],
    ['some hours after the last failure', 100, 30, 100, 0],
    ['within the hour: nothing is written', 100, 0.4, 100, 0],
    ['after the longest Retry-After', 100, 57, 100, 0],
    ['after days without an attempt', 200, 59, 0, 0],
    ['after an acknowledgement', null, 3, 0, 0],
  ])('stores the first and last failure: %s', async (_, since, last, expectedSince, expectedLast) => {
    const id = await failing(since, last);
    expect(await attempt(id, 'refused')).toBeNull();
    expect(await find(id)).toEqual({ since: expectedSince, last: expectedLast });
  });

  it.each<[string, number, number, DeliveryOutcome['outcome'][], string | null]>([
    ['five days of failures', 121, 1, ['timeout'], 'failing'],
    ['five days, some minutes after the last failure', 121, 0.1, ['network'], 'failing'],
    ['not quite five days', 119, 1, ['timeout'], null],
    ['one failure long ago, one now', 121, 60, ['timeout'], null],
    ['five days with an acknowledgement among them', 121, 1, ['refused', 'acknowledged'], null],
    ['five days of failures, then an attempt lost with its worker', 121, 1, ['worker_lost'], null],
  ])('pauses the endpoint after five days of failures only: %s', async (_, since, last, outcomes, reason) => {
    expect(await attempt(await failing(since, last), ...outcomes)).toBe(reason);
  });

  it('does not update an endpoint whose last failure was within the hour', async () => {
    const id = await failing(100, 0.4);
    const version = () =>
      webhooks.database.rows('select xmin::text from webhook_endpoint where id = $1', [id]);
    const before = await version();
    await attempt(id, 'refused', 'refused');
    expect(await version()).toEqual(before);
  });
});
