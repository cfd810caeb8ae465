import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { generateSigningKeys } from '../../../db/platform/tokens';
import { takePort } from '../../harness/platform/ports';
import { launchProcess } from '../../harness/platform/process';
import { until } from '../../harness/wait-for';
import { startReceiver } from '../../harness/webhooks/hook-sink';
import type { Receiver } from '../../harness/webhooks/hook-sink';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const finished = async (webhooks: Webhooks) => {
  const [row] = await webhooks.database.rows<{ left: number }>(
    `select count(*) filter (where state = 'queued')::int as left from webhook_delivery`,
  );
  return row?.left;
};
const distinct = () => new Set(receiver.received.map(({ id }) => id)).size;

describe('a worker that is killed again and again while it sends', () => {
  it('loses no delivery and records every request as an attempt, at most ten for each delivery', async () => {
    const webhooks = await openWebhooks();
    const id = await webhooks.endpoint(receiver.url);
    const others = [await webhooks.endpoint(receiver.url), await webhooks.endpoint(receiver.url)];
    for (const each of [id, ...others]) await webhooks.deliveries(each, 300);
    const variables = {
      DATABASE_URL: webhooks.database.workerUrl,
      DATABASE_DIRECT_URL: webhooks.database.workerDirectUrl,
      SEALING_KEYS: webhooks.sealingKeys,
      // First attempts do not need Temporal, so no Temporal server runs at this address.
      TEMPORAL_ADDRESS: '127.0.0.1:9',
      PUBLIC_ORIGIN: 'http://127.0.0.1:9',
      PORTAL_ORIGIN: 'http://localhost:9',
      LINK_SIGNING_KEYS: JSON.stringify(await generateSigningKeys()),
      // The test stores no files, so this folder does not exist.
      OBJECT_STORE: 'file:///nonexistent',
      OPENAI_API_KEY: 'none',
      SENDGRID_API_KEY: 'none',
      MAIL_FROM: 'no-reply@acme.test',
      WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
      WEBHOOK_ALLOWED_PORTS: '*',
      WEBHOOK_ALLOW_HTTP: 'true',
    };
    for (let kill = 1; kill <= 2; kill++) {
      const worker = launchProcess('activities', {
        ...variables,
        METRICS_PORT: String(await takePort()),
      });
      const point = kill * 200 + Math.random() * 100;
      await until(
        'requests of the worker',
        () => receiver.received.length,
        (count) => count > point,
      );
      await worker.kill();
    }
    const last = launchProcess('activities', { ...variables, METRICS_PORT: String(await takePort()) });
    await until(
      'every delivery to be finished',
      () => finished(webhooks),
      (left) => left === 0,
    );
    await last.kill();
    expect(distinct()).toBe(900);
    // The worker was killed twice. Deliveries whose outcome was not yet recorded at that time are sent again.
    expect(receiver.received.length - distinct()).toBeLessThanOrEqual(400);
    const [sum] = await webhooks.database.rows<{ attempts: number; most: number; states: string[] }>(
      `select (select count(*)::int from webhook_attempt) as attempts, max(attempts) as most, array_agg(distinct state) as states
       from webhook_delivery`,
    );
    expect(sum?.attempts).toBeGreaterThanOrEqual(receiver.received.length);
    expect(sum?.most).toBeLessThanOrEqual(10);
    expect(sum?.states).toEqual(['acknowledged']);
  }, 300_000);
});

describe('a sender without a database', () => {
  it('waits for Postgres when it is unavailable from the start', async () => {
    const webhooks = await openWebhooks();
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id);
    const nowhere = `postgres://nobody:nothing@127.0.0.1:${await takePort()}/${randomUUID()}`;
    const warned: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void warned.push(line) });
    const stop = webhooks.send({ directUrl: nowhere, log });
    await until(
      'three warnings',
      () => warned.length,
      (count) => count >= 3,
    );
    expect(receiver.received).toEqual([]);
    await stop.stop();
  });
});
