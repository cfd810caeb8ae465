import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { RecordedEndpoint } from '../../db/delivery-outcomes';
import type { Database } from '../../db/scope';
import { enterShard, lockShard } from '../../db/sender-shards';
import type { ShardLock } from '../../db/sender-shards';
import type { WebhookPost } from '../providers/webhook-post';
import { createLoop } from './loop';
import type { Loop } from './loop';
import type { EndpointMemory } from './endpoint-memory';
import type { SenderMetrics } from './metrics';

/** An endpoint of which something has failed and waits for `webhookRetries`. */
export type TroubledEndpoint = Pick<RecordedEndpoint, 'endpoint_id' | 'merchant_id' | 'environment'>;

export type SenderDeps = {
  database: Pick<Database, 'asWorker' | 'hotAsWorker'>;
  /** Of the locks' connections. */
  databaseUrl: string;
  endpoints: EndpointMemory;
  post: Pick<WebhookPost, 'post'>;
  /** Called after failures were recorded; never awaited. */
  signal: (endpoint: TroubledEndpoint) => void;
  metrics: SenderMetrics;
  log: Logger;
  /** What calls under way get at the end. */
  graceMs: number;
};

const tryMs = 200;

/** Runs the loops of all shards that this process can have; resolves after `stop` when what was sent is on record. */
export async function runSender(deps: SenderDeps, shards: number, stop: AbortSignal): Promise<void> {
  await Promise.all(Array.from({ length: shards }, (_, shard) => runShard(deps, { shard, shards }, stop)));
}

/**
 * Runs the loop of one shard whenever this process owns it, until `stop` aborts; resolves when what was sent is on
 * record. Never throws: while the database is away it tries on. A lock that was lost and got again, with nobody
 * else's turn between, is the same turn: what was sent meanwhile is recorded as if nothing had happened.
 */
export async function runShard(
  deps: SenderDeps,
  { shard, shards }: { shard: number; shards: number },
  stop: AbortSignal,
): Promise<void> {
  const { log } = deps;
  let loop: Loop | undefined;
  let owner: string = randomUUID();
  while (!stop.aborted) {
    let lock: ShardLock | undefined;
    try {
      lock = await lockShard(deps.databaseUrl, { shard, owner, onBorn: () => loop?.wake(), stop });
      if (lock) {
        const wasMine = await enter(deps, shard, owner, shards);
        if (loop && !wasMine) {
          loop.discard();
          loop = undefined;
          // What it held is taken back, should its owner's name be nobody's any more.
          owner = randomUUID();
          await lock.close();
          continue;
        }
        loop ??= createLoop(deps, { shard, shards, owner });
        await loop.run(AbortSignal.any([stop, lock.lost]));
        if (!stop.aborted) log.warn({ shard }, 'the lock of the webhook sender was lost');
      }
    } catch (err) {
      log.warn({ err, shard }, 'the webhook sender cannot get its lock');
    }
    if (stop.aborted && loop && lock && !lock.lost.aborted) {
      // The next owner begins now; what this one has under way stays its own until its lock ends.
      await lock.releaseShard().catch(() => undefined);
      await loop.finish(deps.graceMs);
    }
    await lock?.close();
    await wait(tryMs, undefined, { signal: stop }).catch(() => undefined);
  }
  loop?.discard();
}

const enter = ({ database }: SenderDeps, shard: number, owner: string, shards: number): Promise<boolean> =>
  database.asWorker(async (trx) => {
    const [row] = await trx.rows<{ was_mine: boolean }>(enterShard(shard, owner, shards));
    return row?.was_mine ?? false;
  });
