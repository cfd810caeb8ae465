import { proxyActivities, setCurrentDetails, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { InvitationActivities } from '../activities/invitations';
import { flowStatus } from './ids';
import { mailChunks, patientTransactions } from './policies';

export type InvitationBatchInput = { batch_id: string };

const { sendMails } = proxyActivities<InvitationActivities>(mailChunks);
const { giveUpMails, planReminders, queueReminders } =
  proxyActivities<InvitationActivities>(patientTransactions);

const shortestPauseMs = 1_000;
const longestPauseMs = 600_000;
/** How long mails are tried (spec/decisions.md section 4). */
const triedForMs = 24 * 3_600_000;

/**
 * Sends the mails of one call, chunk by chunk, until each is sent, refused or 24 hours old; then sleeps until its
 * reminders are due and sends them to who has not begun. The mails live in Postgres, the history holds counts.
 */
export async function invitationBatch({ batch_id }: InvitationBatchInput): Promise<void> {
  await sendAll(batch_id, 'invitations');
  const plan = await planReminders({ batch_id });
  const begin = Date.now();
  for (const kind of ['reminder', 'final_reminder'] as const) {
    const afterMs = plan[kind];
    if (afterMs === null) continue;
    const dueAt = begin + Math.max(0, afterMs);
    tell('waiting', `**Waiting** until ${new Date(dueAt).toISOString()} for the ${kind.replace('_', ' ')}.`);
    await sleep(Math.max(0, dueAt - Date.now()));
    const { queued } = await queueReminders({ batch_id, kind });
    if (queued > 0) await sendAll(batch_id, `${kind.replace('_', ' ')}s`);
  }
  tell('done', '**Done**: no more mails and reminders.');
}

async function sendAll(batch_id: string, what: string): Promise<void> {
  const giveUpAt = Date.now() + triedForMs;
  let sent = 0;
  let rejected = 0;
  let pauseMs = shortestPauseMs;
  tell('sending', `**Sending** ${what}.`);
  for (;;) {
    const chunk = await sendMails({ batch_id });
    sent += chunk.sent;
    rejected += chunk.rejected;
    const counts = `${what}: ${sent} sent, ${rejected} refused, ${chunk.unsent} to go`;
    if (chunk.unsent === 0) {
      setCurrentDetails(`**Sent** ${counts}.`);
      return;
    }
    if (chunk.failed === 0) {
      pauseMs = shortestPauseMs;
      setCurrentDetails(`**Sending** ${counts}.`);
      continue;
    }
    // As the provider asked, or doubling; some progress begins the doubling anew.
    pauseMs = chunk.sent > 0 ? shortestPauseMs : pauseMs;
    const waitMs = Math.max(pauseMs, chunk.retry_after_ms);
    if (Date.now() + waitMs > giveUpAt) {
      await giveUpMails({ batch_id });
      setCurrentDetails(`**Gave up** after 24 hours; ${counts}. Last: ${chunk.last_error}.`);
      return;
    }
    const nextAt = new Date(Date.now() + waitMs).toISOString();
    setCurrentDetails(`**Provider in trouble** (${chunk.last_error}), next try ${nextAt}; ${counts}.`);
    await sleep(waitMs);
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }
}

function tell(status: 'sending' | 'waiting' | 'done', details: string): void {
  upsertSearchAttributes([{ key: flowStatus, value: status }]);
  setCurrentDetails(details);
}
