import { recordOutcomes } from '../../../db/webhooks/delivery-outcomes';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';
import { noExchange } from '../../harness/webhooks/attempts';

let webhooks: Webhooks;
beforeAll(async () => {
  webhooks = await openWebhooks();
});
afterAll(() => webhooks.close());

describe('a record of attempts', () => {
  it('keeps the body of each attempt, also with multi-byte characters and without a body', async () => {
    const bodies = [
      '{"a":"ä€😀"}',
      null,
      '{"b":"\\"\\\\\\n"}',
      '{"c":"é"}',
      null,
      `{"d":"${'ö'.repeat(9_000)}"}`,
    ];
    const endpointId = await webhooks.endpoint('http://a.example');
    const ids = await webhooks.deliveries(endpointId, bodies.length);
    const outcomes = ids.map((id, index) => ({
      id,
      series: 1,
      attempts: 0,
      outcome: 'acknowledged' as const,
      wait_ms: 0,
      since_ms: 1,
      status: 200,
      ...noExchange,
      request_body: bodies[index] ?? null,
    }));
    await webhooks.worker.queryAsWorker(recordOutcomes(null, outcomes));
    const kept = new Map(
      (await webhooks.attemptsOf(endpointId)).map((one) => [one.delivery_id, one['request_body']]),
    );
    expect(ids.map((id) => kept.get(id))).toEqual(bodies);
  });
});
