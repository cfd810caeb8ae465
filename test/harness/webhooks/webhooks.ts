import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { Registry } from 'prom-client';
import { createWebhookPost } from '../../../activities/providers/webhook-post';
import { createEndpointCache } from '../../../activities/webhooks/sender/endpoint-cache';
import type { SenderDeps } from '../../../activities/webhooks/sender/sender';
import { runShard } from '../../../activities/webhooks/sender/shard';
import { createSenderMetrics } from '../../../activities/webhooks/webhook-metrics';
import { createWebhookRetryActivities } from '../../../activities/webhooks/webhook-retries';
import { addressRanges } from '../../../api/platform/text/webhook-url';
import { createSeal } from '../../../db/platform/sealed';
import { generateSigningSecret } from '../../../db/platform/tokens';
import { headersContext, secretContext } from '../../../db/webhooks/webhook-endpoints';
import { merchants } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { atEnd } from '../at-end';
import { createDatabase, openTestDatabase } from '../platform/database';
import type { TestDatabase } from '../platform/database';
import { until } from '../wait-for';
import { ours, putDeliveries, putEndpoint, putSecret } from './webhook-rows';
import type { DeliveryRow } from './webhook-rows';

export type SentDelivery = Omit<
  DeliveryRow,
  | 'endpoint_id'
  | 'event'
  | 'result_id'
  | 'reason'
  | 'triggered_by'
  | 'next_attempt_at'
  | 'finished_at'
  | 'is_due'
> & {
  /** Seconds until the next attempt, by the database's clock. */
  wait_s: number | null;
};
type AttemptRow = Record<string, unknown> & {
  delivery_id: string;
  series: number;
  attempt: number;
  outcome: string;
};
type Sender = { stop: () => Promise<void>; registry: Registry };
export type Webhooks = Awaited<ReturnType<typeof openWebhooks>>;

/**
 * Opens a database with everything that webhooks need, and returns functions that run senders on it. By default, the
 * database is a new one. The senders stop when the test file ends.
 */
export async function openWebhooks(
  given?: TestDatabase,
  sealingKeys = `test:${randomBytes(32).toString('base64')}`,
) {
  const database = given ?? (await createDatabase());
  const seal = createSeal(sealingKeys);
  const worker = openTestDatabase(database.workerUrl);
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
    /** Creates an endpoint with a signing secret. */
    endpoint: async (url: string, more: Record<string, unknown> = {}, headers?: Record<string, string>) => {
      const id = randomUUID();
      const custom_headers_sealed = headers ? seal.seal(JSON.stringify(headers), headersContext(id)) : null;
      await putEndpoint(database, { id, url, custom_headers_sealed, ...more });
      const secretId = randomUUID();
      const secret_sealed = seal.seal(generateSigningSecret(), secretContext(secretId));
      const { merchant_id = ours.merchant_id } = more;
      await putSecret(database, id, { id: secretId, secret_sealed, merchant_id });
      return id;
    },
    /** Creates deliveries of the same result, and returns their ids in order. */
    deliveries: (endpointId: string, count = 1, more: Record<string, unknown> = {}): Promise<string[]> =>
      putDeliveries(
        database,
        endpointId,
        { event: 'interview_result', result_id: resultId, reason: 'score', ...more },
        count,
      ),
    forget: () =>
      database.rows('truncate webhook_delivery, webhook_attempt, webhook_endpoint, webhook_lease cascade'),
    /**
     * Returns the deliveries of an endpoint, with only the columns that a sender changes, because tests repeat this
     * query while a sender is running.
     */
    rowsOf: (endpointId: string) =>
      rows<SentDelivery>(
        `select id, state, series, attempts, is_released, last_outcome, last_status, finished_at is not null as is_finished,
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
    /** Starts a sender, which stops at the end of the tests. */
    send: (more: Partial<SenderDeps & { shard: number; shards: number }> = {}): Sender => {
      const stop = new AbortController();
      const registry = new Registry();
      const { shard = 0, shards = 1, ...deps } = more;
      const ended = runShard(
        {
          database: worker,
          directUrl: database.workerDirectUrl,
          endpoints: createEndpointCache(worker, seal),
          post,
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
        stop: async () => {
          stop.abort();
          await ended;
          running.delete(sender);
        },
      };
      running.add(sender);
      return sender;
    },
    /** Waits until `count` deliveries of the endpoint were attempted and none of them is in flight. */
    settled: (endpointId: string, count: number) =>
      until(
        `${count} deliveries to be attempted`,
        () => webhooks.rowsOf(endpointId),
        (rows) => rows.filter(({ state, is_released }) => state !== 'queued' && !is_released).length >= count,
      ),
    /** The worker's activities that decide when to retry. */
    retryActivities: createWebhookRetryActivities({ database: worker }),
    stopSenders: () => Promise.all([...running].map((sender) => sender.stop())),
  };
  atEnd(post.close);
  atEnd(webhooks.stopSenders);
  return webhooks;
}
