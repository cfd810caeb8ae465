import { z } from 'zod';
import { createSignInActivities } from '../../../activities/identity/sign-in';
import { createInvitationActivities } from '../../../activities/people/invitations';
import { createOneMailSender } from '../../../activities/platform/one-mail';
import { createPdfWriter } from '../../../activities/platform/pdf-writer';
import { createMailer } from '../../../activities/providers/sendgrid';
import type { Messenger } from '../../../activities/providers/twilio';
import { createReportDeliveryActivities } from '../../../activities/reports/report-deliveries';
import { createWebhookPauseActivities } from '../../../activities/webhooks/webhook-pauses';
import { recordMailEvents } from '../../../db/people/mails';
import type { MailEvent } from '../../../db/people/mails';
import type { Database } from '../../../db/platform/database';
import { createLinkTokens } from '../../../db/platform/link-tokens';
import { generateSigningKeys } from '../../../db/platform/tokens';
import { merchants, people } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { atEnd } from '../at-end';
import { openActivities } from '../platform/open-activities';

export type MailWorker = Awaited<ReturnType<typeof startMailWorker>>;
export type MailRow = {
  id: string;
  kind: string;
  state: string;
  attempts: number;
  last_error: string | null;
  message_id: string | null;
  sent_at: Date | null;
  email: string;
};

const mailbox = z.array(
  z.object({
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    custom_args: z.record(z.string(), z.string()),
  }),
);

/**
 * Runs the real mail activities in this process, with their own database and the real mail client, which calls the
 * fake provider.
 */
export async function startMailWorker() {
  const opened = await openActivities('sendgrid');
  const { database, worker, api, url } = opened;
  const links = await createLinkTokens(await generateSigningKeys(), 'https://portal.example');
  const counted: string[] = [];
  const onMail = (kind: string, outcome: string) => void counted.push(`${kind} ${outcome}`);
  const mailerWith = (changes: { timeoutMs?: number; mailsPerSecond?: number; providerUrl?: string } = {}) =>
    createMailer({
      apiKey: 'test',
      baseUrl: `${changes.providerUrl ?? url}/sendgrid`,
      fromAddress: 'no-reply@acme.test',
      mailsPerSecond: changes.mailsPerSecond ?? 500,
      timeoutMs: changes.timeoutMs ?? 60_000,
    });
  const staffMails = {
    database: worker,
    sendOneMail: createOneMailSender({ mailer: mailerWith(), onMail }),
    publicOrigin: 'https://api.example',
  };
  /** Creates the activities with another database or another time limit. */
  const activitiesWith = (
    changes: {
      door?: Pick<Database, 'writeAsWorker'>;
      messenger?: Messenger;
    } & Parameters<typeof mailerWith>[0] = {},
  ) =>
    createInvitationActivities({
      database: changes.door ?? worker,
      links,
      mailer: mailerWith(changes),
      messenger: changes.messenger,
      publicOrigin: 'https://api.example',
      onMail,
    });

  const pdfs = createPdfWriter({ onFailedTry: () => undefined });
  atEnd(pdfs.close);
  return {
    ...opened,
    links,
    counted,
    activities: activitiesWith(),
    activitiesWith,
    reportActivities: createReportDeliveryActivities({
      database: worker,
      mailer: mailerWith(),
      pdfs,
      publicOrigin: 'https://api.example',
      onMail,
    }),
    signInActivities: createSignInActivities(staffMails),
    pauseActivities: createWebhookPauseActivities(staffMails),
    /**
     * Stores a report with one block, and a schedule that mails the block `blockId` as CSV every week. Returns the
     * schedule's id.
     */
    putSchedule: async (title: string, blockId: string): Promise<string> => {
      const block = { id: 'block', type: 'kpi', dataset: 'interview_results', measures: ['completed'] };
      const definition = { schema: 'platform.report/v1', title, blocks: [block] };
      const [schedule] = await database.rows<{ id: string }>(
        `with r as (
           insert into report (merchant_id, title, creator_id) values ($1, 'Any', $2) returning id
         ), v as (
           insert into report_version (merchant_id, report_id, version, definition) select $1, id, 1, $3 from r
         )
         insert into report_schedule (merchant_id, environment, report_id, creator_id, every, format, block_id, recipients)
         select $1, 'production', id, $2, 'week', 'csv', $4, array[$2]::uuid[] from r returning id`,
        [merchants.main.id, people.merchant.id, JSON.stringify(definition), blockId],
      );
      return schedule?.id ?? '';
    },
    /**
     * Inserts a person with this email address, and a sign-in link that must be mailed to this person. Returns the
     * link's id.
     */
    askForLink: async (email: string): Promise<string> => {
      const [row] = await database.rows<{ id: string }>(
        `with person as (
           insert into profile (merchant_id, role, name, email, email_key, activated_at)
           values ($1, 'merchant', 'Ann Secret', $2, lower($2), now()) returning id
         )
         insert into sign_in_link (profile_id, environment, is_mailed) select id, 'production', true from person returning id`,
        [merchants.main.id, email],
      );
      return row?.id ?? '';
    },
    /** Queues a mail to each address, as an invitation of candidates does, and returns the batch's id. */
    queue: async (
      emails: string[],
      {
        name = 'Ann Secret',
        language = 'en',
        interview = 'active',
        isTest = false,
        kind = 'candidate_invitation',
      } = {},
    ): Promise<string> => {
      const [batch] = await database.rows<{ id: string }>(
        `with batch as (
           insert into invitation_batch (merchant_id, environment, platform_language_code, is_test)
           values ($1, 'production', $4, $5) returning id
         ), person as (
           insert into profile (merchant_id, role, name, email, email_key)
           select $1, 'candidate', $3, email, lower(email) from unnest($2::text[]) as email
           returning id, name, email, email_key
         ), candidate as (
           insert into enrolment (merchant_id, environment, interview_id, profile_id, name, email, email_key, invited_at)
           select $1, 'production', $6, id, name, email, email_key, now() from person returning id, profile_id
         ), queued as (
           insert into mail (merchant_id, environment, batch_id, kind, profile_id, enrolment_id)
           select $1, 'production', batch.id, $7, profile_id, case when $7 = 'candidate_invitation' then candidate.id end
           from batch, candidate
         )
         select id from batch`,
        [merchants.main.id, emails, name, language, isTest, interviewId(interview), kind],
      );
      return batch?.id ?? '';
    },
    /** Returns the mails of a batch in the order in which a worker would claim them for the first time. */
    mails: (batchId: string) =>
      database.rows<MailRow>(
        `select m.id, m.kind, m.state, m.attempts, m.last_error, m.message_id, m.sent_at, p.email
         from mail m join profile p on p.id = m.profile_id where m.batch_id = $1 order by m.id`,
        [batchId],
      ),
    /** Records an event of the mail provider directly in the database, without the signed request of the provider. */
    tell: (ids: string[], event: MailEvent['event'] = 'sent') =>
      api.write({ kind: 'mail_hook' }, (trx) =>
        trx.count(
          recordMailEvents(
            ids.map((mail_id) => ({ mail_id, event, at: new Date().toISOString(), reason: null })),
          ),
        ),
      ),
    /** Returns the mails that the provider has accepted, oldest first. */
    mailbox: async () => mailbox.parse(await opened.fake('/mailbox')),
  };
}
