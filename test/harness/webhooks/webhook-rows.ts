import { randomUUID } from 'node:crypto';
import { merchants } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import type { TestDatabase } from '../platform/database';

/* Functions that insert rows into the webhook tables as the administrator, without the scope of a caller. */

type Place = { merchant_id: string; environment: string };
export const ours: Place = { merchant_id: merchants.main.id, environment: 'production' };
export const unknownId = '0198a000-0000-7000-8000-0000000000ff';

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

/** Inserts an endpoint without a secret. */
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

export const putSecret = (
  database: TestDatabase,
  endpoint_id: string,
  more: Record<string, unknown>,
  place = ours,
): Promise<string> => insert(database, 'webhook_secret', { ...place, endpoint_id, ...more });

const ended = new Set<unknown>(['acknowledged', 'gave_up', 'cancelled']);

/**
 * Inserts deliveries of an existing endpoint and returns their ids in order. Without an `event`, the event is `test`;
 * for any other event, they get a random `result_id`. Deliveries in a final state get a `finished_at`.
 */
export async function putDeliveries(
  { rows }: TestDatabase,
  endpointId: string,
  more: Record<string, unknown> = {},
  count = 1,
): Promise<string[]> {
  const { merchant_id = null, environment = null, event = 'test', ...others } = more;
  const row: Record<string, unknown> = {
    event,
    reason: 'test',
    ...(event === 'test' ? {} : { result_id: randomUUID() }),
    ...(ended.has(more['state']) ? { finished_at: new Date() } : {}),
    ...others,
    ...(ended.has(more['state']) ? { next_attempt_at: null } : {}),
  };
  const names = Object.keys(row);
  const made = await rows<{ id: string }>(
    `insert into webhook_delivery (endpoint_id, merchant_id, environment, ${names.join(', ')})
     select e.id, coalesce($3, e.merchant_id), coalesce($4, e.environment), ${names.map((_, index) => `$${index + 5}`).join(', ')}
     from webhook_endpoint e, generate_series(1, $2) where e.id = $1 returning id`,
    [endpointId, count, merchant_id, environment, ...Object.values(row)],
  );
  return made.map(({ id }) => id).sort();
}

export async function putDelivery(
  database: TestDatabase,
  endpointId: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const [id] = await putDeliveries(database, endpointId, more);
  if (id === undefined) throw new Error(`no endpoint ${endpointId}`);
  return id;
}

/** Inserts a lease of a sender that has died. Each leased delivery has made `attempts` attempts in its first series. */
export const putLease = (database: TestDatabase, deliveryIds: readonly string[], attempts = 0) =>
  database.rows(
    `insert into webhook_lease (owner, delivery_ids, stamps) select uuidv7(), $1, array_agg(100 + $2::int) from unnest($1::uuid[])`,
    [deliveryIds, attempts],
  );

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

/**
 * Inserts a result with the status `draft` for an interview in progress. If `collect` then completes the interview,
 * the event `interview_collected` fires.
 */
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
  is_released: boolean;
  triggered_by: string | null;
  last_outcome: string | null;
  last_status: number | null;
  next_attempt_at: Date | null;
  finished_at: Date | null;
  is_finished: boolean;
  is_due: boolean | null;
};
export const deliveriesOf = (database: TestDatabase, endpointId: string): Promise<DeliveryRow[]> =>
  database.rows<DeliveryRow>(
    `select *, finished_at is not null as is_finished, next_attempt_at <= now() as is_due
     from webhook_delivery where endpoint_id = $1 order by id`,
    [endpointId],
  );

type EndpointRow = {
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
