import { Client } from 'pg';
import type { Statement } from '../platform/statement';
import { stampOf } from './deliveries';
import type { LeasedDelivery } from './deliveries';
import { ownerLock, shardLock } from './delivery-outcomes';

/**
 * Makes `owner` the owner of the shard (a part of all endpoints), and creates the owner's lease row if it is missing.
 * `has_lease` is true if the lease row existed. It is missing if the owner is new or another sender has reclaimed the
 * owner's deliveries.
 */
export const enterShard = (
  shard: number,
  owner: string,
  shards: number,
): Statement<{ has_lease: boolean }> => ({
  text: `
    with unused as (
      update webhook_sender set is_idle = false where shard >= $3 and is_idle
    ),
    entered as (
      insert into webhook_sender as s (shard, owner) values ($1, $2)
      on conflict (shard) do update set owner = excluded.owner, is_idle = false
    ),
    lease as (insert into webhook_lease (owner) values ($2) on conflict do nothing returning owner)
    select not exists (select from lease) as has_lease`,
  values: [shard, owner, shards],
});

/** Reduces the owner's lease to the deliveries in `held`, and deletes the lease if there are none. */
export const endLease = (owner: string, held: readonly LeasedDelivery[]): Statement => ({
  text: `
    with kept as (
      update webhook_lease set delivery_ids = $2, stamps = $3 where owner = $1 and cardinality($2::uuid[]) > 0
    )
    delete from webhook_lease where owner = $1 and cardinality($2::uuid[]) = 0`,
  values: [owner, held.map(({ id }) => id), held.map(stampOf)],
});

/**
 * Leases a delivery to an owner that does not exist, as if a sender had died while sending it. The next sender that
 * looks for dead owners reclaims the delivery.
 */
export const orphanDelivery = (id: string, stamp: number): Statement => ({
  text: 'insert into webhook_lease (owner, delivery_ids, stamps) values (gen_random_uuid(), array[$1::uuid], array[$2::int])',
  values: [id, stamp],
});

/** Sets whether the shard's sender wants notifications of new deliveries. */
export const setIdle = (shard: number, owner: string, isIdle: boolean): Statement => ({
  name: 'set_sender_idle',
  text: 'update webhook_sender set is_idle = $3 where shard = $1 and owner = $2',
  values: [shard, owner, isIdle],
});

export type ShardLock = {
  /** Aborts when the connection, and with it the lock, is lost. */
  lost: AbortSignal;
  /**
   * Releases the shard but keeps the owner's lock, so that no other sender reclaims the deliveries that this owner
   * has leased.
   */
  releaseShard: () => Promise<void>;
  /** Releases the shard and the owner's lock. */
  close: () => Promise<void>;
};

const tryMs = 200;
const beatMs = 1_000;
const queryTimeoutMs = 5_000;
const silenceLimitMs = 10_000;

/**
 * Locks the shard with session locks on a separate connection, so the locks end with the process. Waits while another
 * owner has the lock. Returns undefined if `stop` aborts first. Calls `onNotified` on each notification of new
 * deliveries. Throws when the database is unavailable. `url` is the direct address of Postgres.
 */
export async function lockShard(
  url: string,
  {
    shard,
    owner,
    onNotified,
    stop,
  }: { shard: number; owner: string; onNotified: () => void; stop: AbortSignal },
): Promise<ShardLock | undefined> {
  const client = new Client({
    connectionString: url,
    application_name: `webhook sender ${shard}`,
    connectionTimeoutMillis: queryTimeoutMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    // If the process freezes or the connection breaks unnoticed, Postgres ends the session after this time and
    // releases its locks. PgBouncer rejects this option, so an address that is not direct is noticed.
    options: `-c idle_session_timeout=${silenceLimitMs}ms`,
  });
  const lost = new AbortController();
  const onLost = () => lost.abort();
  client.on('error', onLost);
  client.on('end', onLost);
  client.on('notification', onNotified);
  const tryLock = async (first: number, second: string): Promise<boolean> => {
    const { rows } = await client.query<{ is_mine: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as is_mine',
      [first, second],
    );
    return rows[0]?.is_mine ?? false;
  };
  try {
    await client.connect();
    // The sender tries the lock repeatedly, because waiting for it inside Postgres would hold back vacuum.
    while (!(await tryLock(shardLock, String(shard)))) {
      await new Promise((resolve) => setTimeout(resolve, tryMs));
      if (stop.aborted) {
        await client.end();
        return undefined;
      }
    }
    if (!(await tryLock(ownerLock, owner))) throw new Error('the owner of the shard is alive elsewhere');
    await client.query('listen webhook_delivery');
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  // A connection on which this query fails or exceeds `queryTimeoutMs` counts as lost, too.
  const beat = setInterval(() => {
    client.query('select').catch(() => {
      onLost();
      client.end().catch(() => undefined);
    });
  }, beatMs);
  lost.signal.addEventListener('abort', () => clearInterval(beat));
  return {
    lost: lost.signal,
    releaseShard: async () => {
      await client.query('select pg_advisory_unlock($1, hashtext($2))', [shardLock, String(shard)]);
    },
    close: async () => {
      clearInterval(beat);
      await client.end().catch(() => undefined);
    },
  };
}
