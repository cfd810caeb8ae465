import { log } from '@temporalio/activity';
import { availableUntil } from '../../api/platform/text/available-until';
import { claimMails, countUnsentMails, giveUpMails, recordMailOutcomes } from '../../db/people/mails';
import type { ClaimedMail, MailOutcome } from '../../db/people/mails';
import { giveUpMessages, planMessages } from '../../db/people/messages';
import {
  planReminders,
  queueReminders,
  withdrawReminders,
  withdrawInvitationsToOldAddresses,
  withdrawMailsToOthers,
  withdrawSubmitReminders,
} from '../../db/people/reminders';
import type { ReminderKind, ReminderPlan } from '../../db/people/reminders';
import type { MailKind, MessageChannel } from '../../db/people/vocabulary';
import type { Database, Transaction } from '../../db/platform/database';
import { errorFacts } from '../../db/platform/error-facts';
import type { LinkTokens } from '../../db/platform/link-tokens';
import { withHeartbeat } from '../platform/heartbeat';
import { retryRecordingOutcomes } from '../platform/retry-recording';
import { ProviderError } from '../providers/provider-error';
import type { Mailer } from '../providers/sendgrid';
import type { Messenger } from '../providers/twilio';
import { writeMail } from './mails/write-mail';
import { createMessageSender } from './messages/send-messages';
import { sendChunk } from './send-chunk';

export type InvitationActivities = ReturnType<typeof createInvitationActivities>;
type Input = { batch_id: string };

type InvitationActivityDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  links: LinkTokens;
  mailer: Mailer;
  /** Undefined if the deployment sends no messages by SMS or WhatsApp. */
  messenger: Messenger | undefined;
  /** The origin of the console. */
  publicOrigin: string;
  /** Called after every call to the provider, for the metrics. */
  onMail: (kind: MailKind | MessageChannel, outcome: 'sent' | 'rejected' | 'failed') => void;
};

/**
 * The outcome of one chunk of mails. `unsent` counts all mails of the batch that are still unsent, and the messages that
 * accompany them. `failed` counts those of this chunk that will be retried.
 */
export type MailChunkReport = {
  sent: number;
  rejected: number;
  failed: number;
  unsent: number;
  retry_after_ms: number;
  /** The kind of the last failure, without any data from the mail. */
  last_error: string | null;
};

type Outcome = MailOutcome & { retryAfterMs: number };

/**
 * A chunk is recorded after it was sent, so a killed worker may have sent at most this many mails without recording
 * them.
 */
const chunkMails = 100;

/** The activities that send a batch's mails; each is safe to run twice. */
export function createInvitationActivities({
  database,
  links,
  mailer,
  messenger,
  publicOrigin,
  onMail,
}: InvitationActivityDeps) {
  const sendMessages = createMessageSender({ database, links, messenger, onMessage: onMail });
  const sendOne = async (mail: ClaimedMail, signal: AbortSignal): Promise<Outcome> => {
    const outcome = putBack(mail);
    try {
      const { message_id } = await mailer.send(
        {
          mail_id: mail.id,
          kind: mail.kind,
          to: { email: mail.email, name: mail.name ?? '' },
          from_name: mail.merchant_name,
          reply_to: mail.enrolment?.recruiter_email ?? null,
          ...writeMail(mail, { link: await linkOf(mail, links), console_url: `${publicOrigin}/console` }),
          categories: [mail.environment],
          custom_args: {
            batch_id: mail.batch_id,
            merchant_id: mail.merchant_id,
            environment: mail.environment,
          },
        },
        signal,
      );
      onMail(mail.kind, 'sent');
      return { ...outcome, state: 'sent', message_id };
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'rejected') {
        onMail(mail.kind, 'rejected');
        return { ...outcome, state: 'rejected', error: error.message };
      }
      onMail(mail.kind, 'failed');
      if (error instanceof ProviderError)
        return { ...outcome, state: 'queued', error: error.message, retryAfterMs: error.retryAfterMs ?? 0 };
      // An error thrown here would make Temporal retry the activity, which would send the chunk's other mails again.
      log.error('failed to write a mail', { mail_id: mail.id, error: errorFacts(error) });
      return { ...outcome, state: 'queued', error: 'the mail could not be written' };
    }
  };

  return {
    /**
     * Sends up to 100 mails of the batch, and up to 100 messages that accompany mails, and records each outcome. Failures of the provider are returned, not thrown.
     * Heartbeats begin before the mails are claimed. Otherwise the activity could time out during the claim, and then
     * send its mails at the same time as its retry.
     */
    sendMails: ({ batch_id }: Input): Promise<MailChunkReport> =>
      withHeartbeat(async (signal) => {
        const claimed = await database.writeAsWorker(async (trx) => {
          await trx.count(withdrawReminders(batch_id));
          await trx.rows(withdrawSubmitReminders(batch_id));
          await trx.count(withdrawInvitationsToOldAddresses(batch_id));
          await trx.count(withdrawMailsToOthers(batch_id));
          if (messenger) await trx.count(planMessages(batch_id, messenger.channel));
          return trx.rows(claimMails(batch_id, chunkMails));
        });
        const repeated = claimed.filter(({ attempts }) => attempts > 1).length;
        if (repeated > 0) log.warn('retrying mails', { batch_id, mails: repeated });
        const outcomes = await sendChunk(claimed, (mail) => sendOne(mail, signal), putBack, signal);
        await retryRecordingOutcomes(
          () => database.writeAsWorker(async (trx) => void (await trx.count(recordMailOutcomes(outcomes)))),
          signal,
        );
        const messages = await sendMessages(batch_id, signal);
        const unsent = await database.writeAsWorker((trx) => getUnsent(trx, batch_id));
        const failed = [...outcomes, ...messages].filter(({ state }) => state === 'queued');
        return {
          sent: outcomes.filter(({ state }) => state === 'sent').length,
          rejected: outcomes.filter(({ state }) => state === 'rejected').length,
          failed: failed.length,
          unsent,
          retry_after_ms: Math.max(0, ...failed.map(({ retryAfterMs }) => retryAfterMs)),
          last_error: failed.findLast(({ error }) => error !== null)?.error ?? null,
        };
      }),

    /** Marks the mails that are still unsent as given up. */
    giveUpMails: async ({ batch_id }: Input): Promise<void> => {
      const [mails, messages] = await database.writeAsWorker(async (trx) => [
        await trx.count(giveUpMails(batch_id)),
        await trx.count(giveUpMessages(batch_id)),
      ]);
      log.error('gave up on mails', { batch_id, mails, messages });
    },

    /** Returns how many milliseconds remain until each reminder of the batch is due. */
    planReminders: async ({ batch_id }: Input): Promise<ReminderPlan> => {
      const plan = await database.writeAsWorker((trx) => trx.maybeOne(planReminders(batch_id)));
      return plan ?? { reminder: null, final_reminder: null };
    },

    /** Queues reminders to candidates who have not begun. Returns the number of mails that are to be sent. */
    queueReminders: async ({ batch_id, kind }: Input & { kind: ReminderKind }): Promise<{ queued: number }> =>
      database.writeAsWorker(async (trx) => {
        await trx.count(queueReminders(batch_id, kind));
        return { queued: await getUnsent(trx, batch_id) };
      }),
  };
}

async function getUnsent(trx: Transaction, batchId: string): Promise<number> {
  return (await trx.one(countUnsentMails(batchId))).unsent;
}

const putBack = ({ id, attempts }: ClaimedMail): Outcome => ({
  id,
  attempts,
  state: 'queued',
  error: null,
  message_id: null,
  retryAfterMs: 0,
});

function linkOf(mail: ClaimedMail, links: LinkTokens): Promise<string> {
  const { enrolment } = mail;
  if (!enrolment)
    return links.accountUrl({
      profileId: mail.profile_id,
      merchantId: mail.merchant_id,
      generation: mail.invitation_generation,
    });
  return links.interviewUrl(
    {
      enrolmentId: enrolment.id,
      interviewId: enrolment.interview_id,
      generation: enrolment.link_generation,
      isTest: mail.is_test,
    },
    {
      availableTill: availableUntil(enrolment.interview_available_till),
      hideMenu: mail.hide_menu,
      hideIframe: mail.hide_iframe,
      portalDomain: mail.portal_domain,
    },
  );
}
