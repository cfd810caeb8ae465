import { ApplicationFailure } from '@temporalio/common';
import type { Database, Transaction } from '../../db/platform/database';
import { cancelReplay, lockReplay, recordPage, requeuePage, wakeIdleSender } from '../../db/webhooks/replays';
import type { Replay, ReplayState } from '../../db/webhooks/replays';
import { failures } from '../../workflows/failures';
import { withHeartbeat } from '../platform/heartbeat';

export type WebhookReplayActivities = ReturnType<typeof createWebhookReplayActivities>;
type Input = { replay_id: string };

/**
 * A page of a replay is at most this many seconds of sending. At the highest rate that a replay may have, these are
 * 2,000 deliveries.
 */
const maxSeconds = 2;

type WebhookReplayDeps = { database: Pick<Database, 'writeAsWorker'> };

/** The progress of a replay. `requeued` counts the deliveries of this page only. */
export type ReplayPage = {
  state: ReplayState;
  requeued: number;
  replayed: number;
  matched: number;
  per_second: number;
};

/** The activities of replays. Each is safe to run twice. */
export function createWebhookReplayActivities({ database }: WebhookReplayDeps) {
  return {
    /**
     * Requeues the next page: as many deliveries as the replay's rate allows in `seconds`, which is at most
     * `maxSeconds`. Does nothing if the replay has ended.
     */
    replayPage: ({ replay_id, seconds = 1 }: Input & { seconds?: number }): Promise<ReplayPage> =>
      withHeartbeat(() => database.writeAsWorker((trx) => playPage(trx, replay_id, seconds))),

    /** Cancels the replay. Deliveries that the replay has not requeued yet are not sent. */
    endReplay: ({ replay_id }: Input): Promise<ReplayPage> =>
      database.writeAsWorker(async (trx) => {
        await trx.count(cancelReplay(replay_id));
        return toPage(await getReplay(trx, replay_id));
      }),
  };
}

async function playPage(trx: Transaction, replayId: string, seconds: number): Promise<ReplayPage> {
  const replay = await getReplay(trx, replayId);
  if (replay.state !== 'running') return toPage(replay);
  const requeued = await trx.one(
    requeuePage(replay, Math.max(1, Math.floor(replay.per_second * Math.min(seconds, maxSeconds)))),
  );
  await trx.count(recordPage(replayId, requeued));
  if (requeued.requeued > 0) await trx.rows(wakeIdleSender);
  return toPage(await getReplay(trx, replayId), requeued.requeued);
}

async function getReplay(trx: Transaction, id: string): Promise<Replay> {
  const replay = await trx.maybeOne(lockReplay(id));
  if (!replay) throw ApplicationFailure.nonRetryable('there is no such replay', failures.replayGone);
  return replay;
}

const toPage = ({ state, replayed, matched, per_second }: Replay, requeued = 0): ReplayPage => ({
  state,
  requeued,
  replayed,
  matched,
  per_second,
});
