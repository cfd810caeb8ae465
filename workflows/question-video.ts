import {
  CancellationScope,
  condition,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { QuestionVideoActivities, VideoAttempt } from '../activities/interviews/question-videos';
import { aiQueueOf, videoReportedSignalName } from './ids';
import { patientTransactions, videoCalls } from './policies';
import { createStatusSetter } from './status';
import type { WorkflowStatus } from './status';

export type QuestionVideoInput = {
  video_id: string;
  /** The video is given up after this many milliseconds. */
  tried_for_ms?: number;
  /** The provider is asked this often, and after a failure with growing pauses up to `longest_pause_ms`. */
  pause_ms?: number;
  longest_pause_ms?: number;
};

/** Says that the provider has reported the end of the rendering. */
const videoReportedSignal = defineSignal(videoReportedSignalName);

const { giveUpVideo } = proxyActivities<QuestionVideoActivities>(patientTransactions);

/**
 * Renders the video of a question: orders it once, waits until the provider has rendered it, and stores it. The text is
 * in Postgres; the workflow's history contains only ids.
 */
export async function questionVideo(input: QuestionVideoInput): Promise<void> {
  const { video_id, tried_for_ms = 24 * 3_600_000, pause_ms = 10_000, longest_pause_ms = 300_000 } = input;
  const { orderVideo, collectVideo } = proxyActivities<QuestionVideoActivities>({
    ...videoCalls,
    taskQueue: aiQueueOf(workflowInfo().taskQueue),
  });
  const giveUpAt = Date.now() + tried_for_ms;
  const show = createProgress();
  let isReported = false;
  setHandler(videoReportedSignal, () => {
    isReported = true;
  });

  try {
    show('sending', '**Ordering** the video.');
    const ordered = await repeat(() => orderVideo({ video_id }), sleep);
    if (ordered.outcome !== 'ordered') return end(ordered);
    show('waiting', '**Rendering**: the provider makes the video.');
    end(
      await repeat(
        () => collectVideo({ video_id }),
        async (waitMs) => {
          // A report ends the wait. The provider is still asked, because anyone might report.
          await condition(() => isReported, waitMs);
          isReported = false;
        },
      ),
    );
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => giveUpVideo({ video_id }));
    show('gave_up', '**Cancelled**: the drawn figure speaks instead.');
    throw error;
  }

  /** Repeats an attempt with pauses until it has an outcome or the time is over. */
  async function repeat(
    attempt: () => Promise<VideoAttempt>,
    wait: (waitMs: number) => Promise<unknown>,
  ): Promise<VideoAttempt> {
    for (let pauseMs = pause_ms; ;) {
      const tried = await attempt();
      if (tried.outcome !== 'rendering' && tried.outcome !== 'unavailable') return tried;
      const leftMs = giveUpAt - Date.now();
      if (leftMs <= 0) return giveUpVideo({ video_id });
      const waitMs = Math.min(Math.max(pauseMs, tried.retry_after_ms ?? 0), leftMs);
      if (tried.outcome === 'unavailable')
        show(
          'in_trouble',
          `**In trouble** (${tried.failure}), next attempt at ${new Date(Date.now() + waitMs).toISOString()}.`,
        );
      await wait(waitMs);
      pauseMs = Math.min(longest_pause_ms, pauseMs * 1.5);
    }
  }

  function end({ outcome, failure }: VideoAttempt): void {
    if (outcome === 'ready') show('done', '**Done**: the video is stored.');
    else if (outcome === 'gone') show('done', '**Done**: the question is no longer asked.');
    else
      show(
        'gave_up',
        `**Failed** (${failure ?? 'before'}): the drawn figure speaks. The page of the interview can render it again.`,
      );
  }
}

/** Returns a function that shows Temporal operators the status, which they can filter by, and the details. */
function createProgress() {
  const showStatus = createStatusSetter();
  return (status: WorkflowStatus, details: string): void => {
    showStatus(status);
    setCurrentDetails(details);
  };
}
