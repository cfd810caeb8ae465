import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pino from 'pino';
import { Registry } from 'prom-client';
import { createWebhookPost } from '../../activities/providers/webhook-post';
import { createEndpointMemory } from '../../activities/sender/endpoint-memory';
import { createSenderMetrics } from '../../activities/sender/metrics';
import { runShard } from '../../activities/sender/shard';
import type { SenderDeps } from '../../activities/sender/shard';
import { addressRanges } from '../../api/contracts/webhook-url';
import { openPool } from '../../db/pool';
import { openDoors } from '../../db/scope';
import { createSeal } from '../../db/sealed';
import { merchants } from '../../local/seed/accounts';
import { interviewId } from '../../local/seed/interviews';
import { createDatabase } from './database';
import type { TestDatabase } from './database';

export type DeliveryRow = {
  id: string;
  endpoint_id: string;
  state: string;
  series: number;
  attempts: number;
  owner: string | null;
  last_outcome: string | null;
  last_status: number | null;
  /** Until its next attempt, by the database's clock. */
  wait_s: number | null;
  is_finished: boolean;
};
export type AttemptRow = Record<string, unknown> & {
  delivery_id: string;
  series: number;
  attempt: number;
  outcome: string;
};
export type Sender = { stop: () => Promise<void>; signalled: Set<string>; registry: Registry };
export type Webhooks = Awaited<ReturnType<typeof openWebhooks>>;

/** A database with what webhooks need, and senders on it. */
export async function openWebhooks(given?: TestDatabase) {
  const database = given ?? (await createDatabase());
  const sealingKeys = `test:${randomBytes(32).toString('base64')}`;
  const seal = createSeal(sealingKeys);
  const pool = openPool({
    url: database.workerUrl,
    size: 10,
    applicationName: 'webhooks test',
    onIdleError: () => undefined,
  });
  const worker = openDoors(pool);
  const { rows } = database;
  const resultId = randomUUID();
  await rows(
    `insert into interview_result (id, merchant_id, environment, interview_id, status, interview_status, processing_status, score, ai_analysis)
     values ($1, $2, 'production', $3, 'active', 'completed', 'completed', 7.5, 'Öffnet "Türen"\nund \\ Fenster')`,
    [resultId, merchants.main.id, interviewId('active')],
  );
  const running = new Set<Sender>();
  const post = createWebhookPost({
    allowedRanges: addressRanges.parse('127.0.0.0/8'),
    allowedPorts: 'any',
    allowHttp: true,
  });

  const webhooks = {
    database,
    worker,
    seal,
    sealingKeys,
    resultId,
    post,
    endpoint: async (url: string, more: Record<string, unknown> = {}, headers?: Record<string, string>) => {
      const id = randomUUID();
      const row: Record<string, unknown> = {
        id,
        merchant_id: merchants.main.id,
        environment: 'production',
        url,
        events: ['interview_result'],
        custom_headers_sealed: headers ? seal.seal(JSON.stringify(headers), `webhook_endpoint/${id}`) : null,
        ...more,
      };
      const names = Object.keys(row);
      await rows(
        `insert into webhook_endpoint (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
        Object.values(row),
      );
      const secretId = randomUUID();
      await rows(
        `insert into webhook_secret (id, merchant_id, environment, endpoint_id, secret_sealed)
         values ($1, $2, 'production', $3, $4)`,
        [
          secretId,
          row['merchant_id'],
          id,
          seal.seal(`whsec_${randomBytes(32).toString('base64')}`, `webhook_secret/${secretId}`),
        ],
      );
      return id;
    },
    /** Deliveries of the one result, in their order. */
    deliveries: async (
      endpointId: string,
      count = 1,
      more: Record<string, unknown> = {},
    ): Promise<string[]> => {
      const names = Object.keys(more);
      const made = await rows<{ id: string }>(
        `insert into webhook_delivery (merchant_id, environment, endpoint_id, event, result_id, reason, next_attempt_at
           ${names.map((name) => `, ${name}`).join('')})
         select merchant_id, environment, id, 'interview_result', $2, 'score', clock_timestamp()
           ${names.map((_, index) => `, $${index + 4}`).join('')}
         from webhook_endpoint, generate_series(1, $3) where id = $1 returning id`,
        [endpointId, resultId, count, ...Object.values(more)],
      );
      return made.map(({ id }) => id);
    },
    rowsOf: (endpointId: string) =>
      rows<DeliveryRow>(
        `select id, endpoint_id, state, series, attempts, owner, last_outcome, last_status, finished_at is not null as is_finished,
           extract(epoch from next_attempt_at - clock_timestamp())::float8 as wait_s
         from webhook_delivery where endpoint_id = $1 order by id`,
        [endpointId],
      ),
    attemptsOf: (endpointId: string) =>
      rows<AttemptRow>(
        `select a.* from webhook_attempt a join webhook_delivery d on d.id = a.delivery_id
         where d.endpoint_id = $1 order by a.delivery_id, a.series, a.attempt`,
        [endpointId],
      ),
    /** Starts a sender; it is stopped by the end. */
    send: (more: Partial<SenderDeps & { shard: number; shards: number }> = {}): Sender => {
      const stop = new AbortController();
      const registry = new Registry();
      const signalled = new Set<string>();
      const { shard = 0, shards = 1, ...deps } = more;
      const ended = runShard(
        {
          database: worker,
          databaseUrl: database.workerUrl,
          endpoints: createEndpointMemory(worker, seal),
          post,
          signal: ({ endpoint_id }) => signalled.add(endpoint_id),
          metrics: createSenderMetrics(registry),
          log: pino({ level: 'silent' }),
          graceMs: 2_000,
          ...deps,
        },
        { shard, shards },
        stop.signal,
      );
      const sender = {
        registry,
        signalled,
        stop: async () => {
          stop.abort();
          await ended;
          running.delete(sender);
        },
      };
      running.add(sender);
      return sender;
    },
    stopSenders: () => Promise.all([...running].map((sender) => sender.stop())),
    close: async () => {
      await webhooks.stopSenders();
      await post.close();
      await worker.close();
      await database.drop();
    },
  };
  return webhooks;
}

/** Asks until it is so; fails after ten seconds with what it found last. */
export async function until<T>(find: () => Promise<T> | T, isSo: (found: T) => boolean): Promise<T> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const found = await find();
    if (isSo(found)) return found;
    if (performance.now() > deadline) throw new Error(`still ${JSON.stringify(found).slice(0, 2_000)}`);
    await wait(20);
  }
}
