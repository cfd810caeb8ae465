import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { WebhookPayload } from '../../../api/webhooks/webhook-body';
import { generateSigningSecret } from '../../../db/platform/tokens';
import { secretContext } from '../../../db/webhooks/webhook-endpoints';
import { guideCode } from '../../harness/platform/guide-code';
import { until } from '../../harness/wait-for';
import { startReceiver } from '../../harness/webhooks/hook-sink';
import type { Received, Receiver } from '../../harness/webhooks/hook-sink';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';

/*
 * Two deliveries of one result are in flight at the same time, and the receiver gets the older body last. The
 * receiver is the sample code of the guide in its own process, behind a proxy that delays the first request.
 */

let webhooks: Webhooks;
let proxy: Receiver;
let sample: ChildProcess;
let sampleUrl: string;
const secret = generateSigningSecret();
/** The sample receiver of the guide with an addition: when the test asks, it sends what it has stored. */
const withDump = `${guideCode('webhooks', 'Node.js')}
process.on('message', () => process.send([...results.values()]));`;

beforeAll(async () => {
  webhooks = await openWebhooks();
  proxy = await startReceiver();
  const port = await freePort();
  sampleUrl = `http://127.0.0.1:${port}`;
  sample = spawn(process.execPath, ['--input-type=module', '--eval', withDump], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
  });
  await until(
    'the receiver to listen',
    () =>
      fetch(sampleUrl, { method: 'POST' }).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 400,
  );
});
afterAll(async () => {
  sample.kill();
  await proxy.close();
  await webhooks.close();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const forward = async ({ headers, body }: Received): Promise<number> => {
  const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const sent = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  return (await fetch(sampleUrl, { method: 'POST', headers: sent, body })).status;
};
const stored = async (): Promise<WebhookPayload[]> => {
  const told = once(sample, 'message');
  sample.send('tell');
  const [bodies] = (await told) as [WebhookPayload[]];
  return bodies;
};

describe('a receiver that follows the documentation', () => {
  it('ends with the newest body when the older one is stored last', async () => {
    const { rows } = webhooks.database;
    const decide = (decision: boolean) =>
      rows('update interview_result set recruiter_go_next_round = $2 where id = $1', [
        webhooks.resultId,
        decision,
      ]);
    const id = await webhooks.endpoint(proxy.url);
    const [kept] = await rows<{ id: string }>('select id from webhook_secret where endpoint_id = $1', [id]);
    await rows('update webhook_secret set secret_sealed = $2 where id = $1', [
      kept?.id,
      webhooks.seal.seal(secret, secretContext(String(kept?.id))),
    ]);
    webhooks.send();
    // After its first acknowledged delivery, the endpoint may have two calls in flight.
    await webhooks.deliveries(id);
    const acknowledged = (count: number) =>
      until(
        `${count} deliveries to be acknowledged`,
        () => webhooks.rowsOf(id),
        (found) => found.filter(({ state }) => state === 'acknowledged').length === count,
      );
    await acknowledged(1);
    proxy.received.length = 0;
    // The proxy delays the first request until the receiver has stored the body of the second one.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const statuses: number[] = [];
    proxy.answer = async (one, response) => {
      const { recruiter_go_next_round: decision } = JSON.parse(one.body) as WebhookPayload;
      if (decision === true) await held;
      const status = await forward(one);
      statuses.push(status);
      response.writeHead(status).end();
      if (decision === false) release();
    };
    await decide(true);
    await until(
      'the first request',
      () => proxy.received.length,
      (count) => count === 1,
    );
    await decide(false);
    await acknowledged(3);

    expect(statuses).toEqual([204, 204]);
    const bodies = proxy.received.map(({ body }) => JSON.parse(body) as WebhookPayload);
    expect(bodies.map((body) => body.recruiter_go_next_round)).toEqual([true, false]);
    expect(bodies[1]?.revision).toBe(Number(bodies[0]?.revision) + 1);
    expect(await stored()).toEqual([bodies[1]]);
  });
});
