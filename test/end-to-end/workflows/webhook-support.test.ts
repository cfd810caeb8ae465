import { Webhook } from 'standardwebhooks';
import type { WebhookPayload } from '../../../api/webhooks/webhook-body';
import { webhookSamples } from '../../../api/webhooks/webhook-samples';
import { webhookEvents } from '../../../db/webhooks/vocabulary';
import { eachRow } from '../../harness/each-row';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';
import { startReceiver } from '../../harness/webhooks/hook-sink';
import type { Received, Receiver } from '../../harness/webhooks/hook-sink';
import { makeEndpoint, webhookCalls } from '../../harness/webhooks/webhook-calls';

/* These tests call the operations while the worker sends deliveries, and check what arrives at the receiver. */

let platform: Platform;
let calls: ReturnType<typeof webhookCalls>;
let receiver: Receiver;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  calls = webhookCalls(platform);
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const stateOf = (delivery_id: string, state: string) =>
  waitFor(`${delivery_id} to be ${state}`, async () => {
    const { body } = await calls.delivery({ delivery_id });
    return body['state'] === state && body;
  });
const received = (count: number): Promise<Received[]> =>
  waitFor(`${count} requests`, async () => receiver.received.length >= count && receiver.received);
const verify = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/**
 * Returns the expected body of a sample. The id in the body is the id of the delivery, so that a receiver treats each
 * sample as a new result.
 */
const sampleIn = ({ headers }: Received, event: keyof typeof webhookSamples = 'test') => ({
  ...webhookSamples[event],
  ...(event !== 'sync.changed' && { id: headers['webhook-id'] }),
  timestamp: expect.stringMatching(instant),
});

describe('support of webhooks', () => {
  it('signs a test with the secret, and sends headers that the history masks', async () => {
    const { id, signing_secret } = await makeEndpoint(platform, {
      url: receiver.url,
      custom_headers: { 'X-Api-Key': 'the-key-of-the-receiver' },
    });
    const { delivery_id } = (await calls.test({ endpoint_id: id })).body;
    const [request] = await received(1);
    if (!request) throw new Error('no request');
    expect(verify(signing_secret, request)).toEqual(sampleIn(request));
    expect(request.headers).toMatchObject({
      'x-api-key': 'the-key-of-the-receiver',
      'x-platform-event': 'test',
      'webhook-id': delivery_id,
    });
    const delivery = await stateOf(String(delivery_id), 'acknowledged');
    expect(delivery['timeline']).toMatchObject([
      {
        outcome: 'acknowledged',
        status: 200,
        response_body: 'the receiver’s words',
        request_headers: { 'X-Api-Key': 'the-…' },
        triggered_by: expect.any(String),
      },
    ]);
    expect(JSON.stringify(delivery)).not.toContain('the-key-of');
    const { last_success_at, last_failure_at } = (await calls.get({ endpoint_id: id })).body;
    expect([last_success_at, last_failure_at]).toEqual([expect.any(String), null]);
  });

  it('sends a sample of each event as such an event', () =>
    eachRow(webhookEvents, async (event) => {
      const { id, signing_secret } = await makeEndpoint(platform, { url: receiver.url });
      const before = receiver.received.length;
      const { delivery_id } = (await calls.test({ endpoint_id: id, event })).body;
      const request = (await received(before + 1))[before];
      if (!request) throw new Error('no request');
      expect(request.headers['x-platform-event']).toBe(event);
      expect(verify(signing_secret, request)).toEqual(sampleIn(request, event));
      expect(await stateOf(String(delivery_id), 'acknowledged')).toMatchObject({
        event: 'test',
        reason: event,
      });
      const refused = await calls.test({ endpoint_id: id, event: 'interview_started' });
      expect([refused.status, refused.body['name']]).toEqual([422, 'event']);
    }));

  it('sends again by hand with the same webhook-id in a new series', async () => {
    const { id } = await makeEndpoint(platform, { url: receiver.url });
    const delivery_id = String((await calls.test({ endpoint_id: id })).body['delivery_id']);
    await stateOf(delivery_id, 'acknowledged');
    expect((await calls.retry({ delivery_id })).body).toMatchObject({ state: 'queued', series: 2 });
    const requests = await received(2);
    expect(requests.map((request) => [request.id, request.attempt])).toEqual([
      [delivery_id, 1],
      [delivery_id, 1],
    ]);
    expect(requests.map(({ body }) => (JSON.parse(body) as WebhookPayload).is_replay)).toEqual([false, true]);
    const { timeline } = (await stateOf(delivery_id, 'acknowledged')) as { timeline: { series: number }[] };
    expect(timeline.map(({ series }) => series)).toEqual([1, 2]);
  });
});
