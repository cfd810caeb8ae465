import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { enterShard, lockShard } from '../../../db/webhooks/sender-shards';
import type { ShardLock } from '../../../db/webhooks/sender-shards';
import { retryMs } from './limits';
import { createSender } from './sender';
import type { Sender, SenderDeps } from './sender';

/**
 * Runs the senders of all shards whose lock this process can get. Resolves after `stop` aborts, when each sender has
 * finished or has no lock.
 */
export async function runSenders(deps: SenderDeps, shards: number, stop: AbortSignal): Promise<void> {
  await Promise.all(Array.from({ length: shards }, (_, shard) => runShard(deps, { shard, shards }, stop)));
}

/**
 * Runs the sender of one shard whenever this process has the shard's lock, until `stop` aborts. The sender then
 * finishes, unless its lock is lost. Never throws: retries while the database is unavailable. If a lost lock is
 * acquired again and no sender has reclaimed the lease meanwhile, the same sender continues.
 */
export async function runShard(
  deps: SenderDeps,
  { shard, shards }: { shard: number; shards: number },
  stop: AbortSignal,
): Promise<void> {
  const { database, log } = deps;
  let sender: Sender | undefined;
  let owner: string = randomUUID();
  while (!stop.aborted) {
    let lock: ShardLock | undefined;
    try {
      lock = await lockShard(deps.directUrl, { shard, owner, onNotified: () => sender?.wake(), stop });
      if (lock) {
        const entered = await database.writeAsWorker((trx) => trx.one(enterShard(shard, owner, shards)));
        if (sender && !entered.has_lease) {
          // The next sender gets a new owner id, so that it can reclaim what is leased to the old id.
          sender.discard();
          sender = undefined;
          owner = randomUUID();
        } else {
          sender ??= createSender(deps, { shard, shards, owner });
          await sender.run(AbortSignal.any([stop, lock.lost]));
          if (!stop.aborted) log.warn({ shard }, 'lost the lock of a webhook shard');
        }
      }
    } catch (err) {
      log.warn({ err, shard }, 'failed to take the lock of a webhook shard');
    }
    if (stop.aborted && sender && lock && !lock.lost.aborted) {
      // Once the shard is released, another process can start its sender. Requests in flight stay leased to this
      // owner until `lock.close()` below.
      await lock.releaseShard().catch(() => undefined);
      await sender.finish();
    }
    await lock?.close();
    await wait(retryMs, undefined, { signal: stop }).catch(() => undefined);
  }
  sender?.discard();
}
