import { Client } from 'pg';
import { ownerLock, shardLock } from './delivery-outcomes';
import type { Statement } from '../platform/statement';

/** Makes the owner the shard's, with a hand; `was_mine` when it had one already: nobody has taken it for dead. */
export const enterShard = (
  shard: number,
  owner: string,
  shards: number,
): Statement<{ was_mine: boolean }> => ({
  text: `
    with unused as (
      update webhook_sender set is_idle = false where shard >= $3 and is_idle
    ),
    entered as (
      insert into webhook_sender as s (shard, owner) values ($1, $2)
      on conflict (shard) do update set owner = excluded.owner, is_idle = false
    ),
    hand as (insert into webhook_hand (owner) values ($2) on conflict do nothing returning owner)
    select not exists (select from hand) as was_mine`,
  values: [shard, owner, shards],
});

/** Ends the owner's hand, when all that it held is on record. */
export const leaveShard = (owner: string): Statement => ({
  text: 'delete from webhook_hand where owner = $1',
  values: [owner],
});

/** Puts a delivery into a hand of nobody's, as if a loop had died with it: the next one that looks takes it back. */
export const orphanDelivery = (id: string, stamp: number): Statement => ({
  text: 'insert into webhook_hand (owner, delivery_ids, stamps) values (gen_random_uuid(), array[$1::uuid], array[$2::int])',
  values: [id, stamp],
});

/** Whether the shard's loop wants to be notified of what is born. */
export const setIdle = (shard: number, owner: string, isIdle: boolean): Statement => ({
  name: 'set_sender_idle',
  text: 'update webhook_sender set is_idle = $3 where shard = $1 and owner = $2',
  values: [shard, owner, isIdle],
});

export type ShardLock = {
  /** Aborts when the connection, and with it the lock, is lost. */
  lost: AbortSignal;
  /** Gives up the shard but not the owner's life: what it holds is not taken back. */
  releaseShard: () => Promise<void>;
  /** Gives up both. */
  close: () => Promise<void>;
};

const tryMs = 200;
const beatMs = 1_000;
const answerLimitMs = 5_000;
const silenceLimitMs = 10_000;

/**
 * Owns the shard by session locks on a connection of its own, which ends with the process; waits for another owner's end,
 * undefined where `stop` aborts first. `onBorn` is called on each notification. Throws when the database is away.
 */
export async function lockShard(
  url: string,
  { shard, owner, onBorn, stop }: { shard: number; owner: string; onBorn: () => void; stop: AbortSignal },
): Promise<ShardLock | undefined> {
  const client = new Client({
    connectionString: url,
    application_name: `webhook sender ${shard}`,
    connectionTimeoutMillis: answerLimitMs,
    query_timeout: answerLimitMs,
    keepAlive: true,
  });
  const lost = new AbortController();
  const onLost = () => lost.abort();
  client.on('error', onLost);
  client.on('end', onLost);
  client.on('notification', onBorn);
  const tryLock = async (first: number, second: string): Promise<boolean> => {
    const { rows } = await client.query<{ is_mine: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as is_mine',
      [first, second],
    );
    return rows[0]?.is_mine ?? false;
  };
  try {
    await client.connect();
    // A lock that is waited for in the server would hold back vacuum as long.
    while (!(await tryLock(shardLock, String(shard)))) {
      await new Promise((resolve) => setTimeout(resolve, tryMs));
      if (stop.aborted) {
        await client.end();
        return undefined;
      }
    }
    if (!(await tryLock(ownerLock, owner))) throw new Error('the owner of the shard is alive elsewhere');
    await client.query('listen webhook_delivery');
    // The server's part of the beat: a process that is frozen, or cut off without a word, loses its locks.
    await client.query("select set_config('idle_session_timeout', $1, false)", [`${silenceLimitMs}ms`]);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  // A connection that hangs is lost, too.
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
