import {
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  sleep,
} from '@temporalio/workflow';
import type { MailChunkReport, InvitationActivities } from '../activities/people/invitations';
import { mailChunks, patientTransactions } from './policies';
import { createStatusSetter } from './status';
import type { WorkflowStatus } from './status';

type InvitationBatchInput = {
  batch_id: string;
  /** Failed mails are retried for this many milliseconds (docs/people.md#mails). */
  tried_for_ms?: number;
};

const { sendMails } = proxyActivities<InvitationActivities>(mailChunks);
const { giveUpMails, planReminders, queueReminders } =
  proxyActivities<InvitationActivities>(patientTransactions);

const shortestPauseMs = 1_000;
const maxPauseMs = 600_000;
const dayMs = 24 * 3_600_000;

/**
 * Sends the mails of one call in chunks until each mail is sent, rejected or 24 hours old. Then sleeps until
 * reminders are due and sends them to candidates who have not started. The mails are in Postgres; the workflow's
 * history contains only counts.
 */
export async function invitationBatch({
  batch_id,
  tried_for_ms = dayMs,
}: InvitationBatchInput): Promise<void> {
  const progress = createProgress();
  try {
    await sendAll({ batch_id, tried_for_ms }, 'invitations', progress);
    const plan = await planReminders({ batch_id });
    const begin = Date.now();
    for (const kind of ['reminder', 'final_reminder'] as const) {
      const afterMs = plan[kind];
      if (afterMs === null) continue;
      const what = kind.replace('_', ' ');
      const waitMs = Math.max(0, begin + afterMs - Date.now());
      progress.show('waiting', `**Waiting** until ${toTime(waitMs)} for the ${what}.`);
      await sleep(waitMs);
      // If both reminders are due, for example because Temporal was unavailable for days, only the final reminder is
      // sent.
      const isOvertaken =
        kind === 'reminder' && plan.final_reminder !== null && begin + plan.final_reminder <= Date.now();
      if (isOvertaken) continue;
      const { queued } = await queueReminders({ batch_id, kind });
      if (queued > 0) await sendAll({ batch_id, tried_for_ms }, `${what}s`, progress);
    }
    progress.show('done', '**Done**: all mails and reminders are sent.');
  } catch (error) {
    if (!isCancellation(error)) throw error;
    // Mails that will not be sent must not stay in the state `queued`.
    await CancellationScope.nonCancellable(() => giveUpMails({ batch_id }));
    progress.show('done', '**Cancelled**: unsent mails are given up.');
    throw error;
  }
}

async function sendAll(
  { batch_id, tried_for_ms }: Required<InvitationBatchInput>,
  what: string,
  progress: Progress,
): Promise<void> {
  const giveUpAt = Date.now() + tried_for_ms;
  let sent = 0;
  let rejected = 0;
  let pauseMs = shortestPauseMs;
  progress.show('sending', `**Sending** ${what}.`);
  for (;;) {
    const chunk = await sendMails({ batch_id });
    sent += chunk.sent;
    rejected += chunk.rejected;
    const counts = `${what}: ${sent} sent, ${rejected} rejected`;
    if (chunk.unsent === 0) {
      progress.close(`${counts}.`);
      return;
    }
    if (chunk.failed === 0) {
      pauseMs = shortestPauseMs;
      progress.show('sending', `**Sending** ${counts}, ${chunk.unsent} unsent.`);
      continue;
    }
    const leftMs = giveUpAt - Date.now();
    if (leftMs <= 0) {
      await giveUpMails({ batch_id });
      progress.close(`${counts}, ${chunk.unsent} **given up**. Last: ${reasonOf(chunk)}.`);
      return;
    }
    // The pause doubles with each failure and starts over when mails were sent. A longer pause that the provider asks
    // for takes precedence. No pause is longer than the time that is left for retries, so the last attempt is made at
    // its end.
    if (chunk.sent > 0) pauseMs = shortestPauseMs;
    const waitMs = Math.min(Math.max(pauseMs, chunk.retry_after_ms), leftMs);
    const trouble = `**In trouble** (${reasonOf(chunk)}), next attempt at ${toTime(waitMs)}`;
    progress.show('in_trouble', `${trouble}; ${counts}, ${chunk.unsent} unsent.`);
    await sleep(waitMs);
    pauseMs = Math.min(maxPauseMs, pauseMs * 2);
  }
}

const reasonOf = ({ last_error }: MailChunkReport) => last_error ?? 'the worker stopped';
const toTime = (fromNowMs: number) => new Date(Date.now() + fromNowMs).toISOString();

type Progress = ReturnType<typeof createProgress>;

/** Writes the text that Temporal operators read: a line for each completed step, followed by the current one. */
function createProgress() {
  const over: string[] = [];
  const showStatus = createStatusSetter();
  return {
    close: (line: string) => {
      over.push(line);
      setCurrentDetails(over.join('\n\n'));
    },
    show: (status: WorkflowStatus, now: string) => {
      showStatus(status);
      setCurrentDetails([...over, now].join('\n\n'));
    },
  };
}
