import {
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { ReplayPage, WebhookReplayActivities } from '../activities/webhooks/webhook-replays';
import { patientTransactions, replayPages } from './policies';
import { createStatusSetter } from './status';

export type WebhookReplayInput = {
  replay_id: string;
  /** After this many events, or earlier when Temporal suggests it, the workflow continues as new. */
  limit_events?: number;
};

/**
 * Temporal's timers fire up to a second late (a timer of 470 ms took 980 ms). The next page makes up for the lost
 * time with more deliveries, but for at most this long, so that no flood follows a stall.
 */
const maxLateMs = 1_000;

const { replayPage } = proxyActivities<WebhookReplayActivities>(replayPages);
const { endReplay } = proxyActivities<WebhookReplayActivities>(patientTransactions);

/**
 * Requeues deliveries page by page, no faster than the requested rate, until all matching deliveries are requeued or
 * the replay is cancelled. A replay is cancelled by changing the state in its row or by cancelling the workflow. The
 * progress is kept in Postgres.
 */
export async function webhookReplay(input: WebhookReplayInput): Promise<void> {
  const { replay_id, limit_events = 4_000 } = input;
  const showStatus = createStatusSetter();
  showStatus('replaying');
  /** The earliest time for the next page at the requested rate. */
  let nextAt = Date.now();
  try {
    for (;;) {
      nextAt = Math.max(nextAt, Date.now() - maxLateMs);
      const page = await replayPage({ replay_id, seconds: 1 + (Date.now() - nextAt) / 1_000 });
      setCurrentDetails(describe(page));
      if (page.state !== 'running') break;
      nextAt += (page.requeued * 1_000) / page.per_second;
      if (nextAt > Date.now()) await sleep(nextAt - Date.now());
      const { historyLength, continueAsNewSuggested } = workflowInfo();
      if (historyLength >= limit_events || continueAsNewSuggested)
        await continueAsNew<typeof webhookReplay>(input);
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    const page = await CancellationScope.nonCancellable(() => endReplay({ replay_id }));
    setCurrentDetails(describe(page));
    showStatus('done');
    throw error;
  }
  showStatus('done');
}

const words = { running: 'Replaying', done: 'Done', cancelled: 'Cancelled' } as const;

/**
 * Shows how many deliveries were replayed and how many matched. The numbers can differ: some of the matched
 * deliveries may have been leased in the meantime, and others may have failed again.
 */
const describe = ({ state, replayed, matched, per_second }: ReplayPage) =>
  `**${words[state]}**: ${replayed} of ${matched} that matched when it was asked for; at most ${per_second} a second.`;
