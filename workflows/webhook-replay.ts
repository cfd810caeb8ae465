import {
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ReplayPage, WebhookReplayActivities } from '../activities/webhook-replays';
import { flowStatus } from './ids';
import { patientTransactions } from './policies';

export type WebhookReplayInput = {
  replay_id: string;
  /** So many events of history, or fewer where the engine says so, and the flow goes on in a new one. */
  limit_events?: number;
};

const { endReplay, replayPage } = proxyActivities<WebhookReplayActivities>(patientTransactions);

/**
 * Sends deliveries anew, page by page and no faster than asked, until all that matched are through or the replay is
 * cancelled: by its row or by cancelling the flow. How far it has come lives in Postgres.
 */
export async function webhookReplay(input: WebhookReplayInput): Promise<void> {
  const { replay_id, limit_events = 4_000 } = input;
  tellStatus('replaying');
  try {
    for (;;) {
      const beganAt = Date.now();
      const page = await replayPage({ replay_id });
      setCurrentDetails(describe(page));
      if (page.state !== 'running') break;
      const waitMs = beganAt + (page.requeued * 1_000) / page.per_second - Date.now();
      if (waitMs > 0) await sleep(waitMs);
      const { historyLength, continueAsNewSuggested } = workflowInfo();
      if (historyLength >= limit_events || continueAsNewSuggested)
        await continueAsNew<typeof webhookReplay>(input);
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    const page = await CancellationScope.nonCancellable(() => endReplay({ replay_id }));
    setCurrentDetails(describe(page));
    tellStatus('done');
    throw error;
  }
  tellStatus('done');
}

const tellStatus = (value: 'replaying' | 'done') => upsertSearchAttributes([{ key: flowStatus, value }]);

const words = { running: 'Replaying', done: 'Done', cancelled: 'Cancelled' } as const;

/** More than matched may be through, or less: what is meanwhile in somebody's hand, or has failed again. */
const describe = ({ state, replayed, matched, per_second }: ReplayPage) =>
  `**${words[state]}**: ${replayed} of ${matched} that matched when it was asked for; at most ${per_second} a second.`;
