import { merchants } from '../../local/seed/accounts';
import { interviewId } from '../../local/seed/interviews';
import type { TestDatabase } from './database';
import type { Platform, Reply } from './platform';

export type Place = { merchant_id: string; environment: string };
export const ours: Place = { merchant_id: merchants.main.id, environment: 'production' };

const insert = async (
  { rows }: TestDatabase,
  table: string,
  row: Record<string, unknown>,
): Promise<string> => {
  const names = Object.keys(row);
  const [made] = await rows<{ id: string }>(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning *`,
    Object.values(row),
  );
  return made?.id ?? '';
};

/** An endpoint, as the administrator puts it there; without a secret. */
export const putEndpoint = (
  database: TestDatabase,
  more: Record<string, unknown> = {},
  place = ours,
): Promise<string> =>
  insert(database, 'webhook_endpoint', {
    ...place,
    url: 'https://example.com/webhooks',
    events: ['interview_result', 'interview_collected', 'interview_failed'],
    ...more,
  });

/** A delivery of the test event, or of another with its `result_id`. */
export const putDelivery = (
  database: TestDatabase,
  endpoint_id: string,
  more: Record<string, unknown> = {},
  place = ours,
): Promise<string> =>
  insert(database, 'webhook_delivery', { ...place, endpoint_id, event: 'test', reason: 'test', ...more });

export const putAttempt = (
  database: TestDatabase,
  delivery_id: string,
  more: Record<string, unknown> = {},
  place = ours,
): Promise<string> =>
  insert(database, 'webhook_attempt', {
    ...place,
    delivery_id,
    series: 1,
    attempt: 1,
    started_at: '2026-01-15T09:30:00Z',
    outcome: 'refused',
    ...more,
  });

export const putReplay = (
  database: TestDatabase,
  more: Record<string, unknown> = {},
  place = ours,
): Promise<string> =>
  insert(database, 'webhook_replay', {
    ...place,
    filter: '{}',
    per_second: 100,
    matched: 0,
    requested_by: place.merchant_id,
    ...more,
  });

/** A draft result under way: `interview_collected` fires when it is collected. */
export const putResult = (
  database: TestDatabase,
  more: Record<string, unknown> = {},
  place = ours,
  interview_id = interviewId('active'),
): Promise<string> =>
  insert(database, 'interview_result', { ...place, interview_id, interview_status: 'started', ...more });

/** Changes a result so that `interview_collected` fires. */
export const collect = (database: TestDatabase, resultId: string): Promise<unknown> =>
  database.rows(`update interview_result set interview_status = 'completed' where id = $1`, [resultId]);

export type DeliveryRow = {
  id: string;
  endpoint_id: string;
  event: string;
  result_id: string | null;
  reason: string;
  state: string;
  series: number;
  attempts: number;
  next_attempt_at: Date | null;
  finished_at: Date | null;
  triggered_by: string | null;
  owner: string | null;
};
export const deliveriesOf = (database: TestDatabase, endpointId: string): Promise<DeliveryRow[]> =>
  database.rows<DeliveryRow>('select * from webhook_delivery where endpoint_id = $1 order by id', [
    endpointId,
  ]);

export type EndpointRow = {
  url: string;
  events: string[];
  custom_headers_sealed: Buffer | null;
  timeout_seconds: number;
  description: string | null;
  enabled: boolean;
  paused_reason: string | null;
  failing_since: Date | null;
  paused_mailed_at: Date | null;
  version: number;
  deleted_at: Date | null;
};
export const endpointRow = async (database: TestDatabase, id: string): Promise<EndpointRow> => {
  const [row] = await database.rows<EndpointRow>('select * from webhook_endpoint where id = $1', [id]);
  if (!row) throw new Error(`no endpoint ${id}`);
  return row;
};

/** Calls of the operations, named for what they do. */
export const webhookCalls = (platform: Platform, token?: string) => {
  const post = (name: string) => (body: Record<string, unknown>) =>
    platform.call(name, { body, ...(token ? { token } : {}) });
  const get =
    (name: string) =>
    (query: Record<string, string> = {}) =>
      platform.call(name, { query, ...(token ? { token } : {}) });
  return {
    create: post('webhook-endpoint-create'),
    update: post('webhook-endpoint-update'),
    list: get('webhook-endpoint-list'),
    get: get('webhook-endpoint-get'),
    remove: post('webhook-endpoint-delete'),
    pause: post('webhook-endpoint-pause'),
    resume: post('webhook-endpoint-resume'),
    rotate: post('webhook-endpoint-rotate-secret'),
    test: post('webhook-endpoint-test'),
    deliveries: get('webhook-delivery-list'),
    delivery: get('webhook-delivery-get'),
    retry: post('webhook-delivery-retry'),
    replay: post('webhook-delivery-replay'),
    replayState: get('webhook-replay-get'),
    cancelReplay: post('webhook-replay-cancel'),
  };
};

/** An endpoint made by the API. */
export async function makeEndpoint(
  platform: Platform,
  more: Record<string, unknown> = {},
): Promise<{ id: string; signing_secret: string }> {
  const reply = await webhookCalls(platform).create({
    url: 'https://example.com/webhooks',
    events: ['interview_result', 'interview_collected', 'interview_failed'],
    ...more,
  });
  if (reply.status !== 200) throw new Error(reply.text);
  return { id: String(reply.body['id']), signing_secret: String(reply.body['signing_secret']) };
}

/** Status, sentence and name of a refusal. */
export const refusal = ({ status, body }: Reply) => [status, body.error, body.name];
export const unknownId = '0198a000-0000-7000-8000-0000000000ff';
