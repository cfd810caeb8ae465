import { log } from '@temporalio/activity';
import { errorFacts } from '../../db/platform/error-facts';
import type {
  ClaimedReportMail,
  ReportDelivery,
  ReportFile,
  ReportMailOutcome,
} from '../../db/reports/report-deliveries';
import { ProviderError } from '../providers/provider-error';
import type { Mailer } from '../providers/sendgrid';
import { reportMail } from './report-mail';

/** Called after every call to the provider, for the metrics. */
export type OnReportMail = (kind: 'report', outcome: 'sent' | 'rejected' | 'failed') => void;

type Deps = { mailer: Mailer; publicOrigin: string; onMail: OnReportMail };
type Claimed = {
  delivery: ReportDelivery;
  file: ReportFile & { created_at: string; zone: string };
  mails: readonly ClaimedReportMail[];
};
type SentReportMail = ReportMailOutcome & { retryAfterMs: number };

/** After this many consecutive failures, the cause is assumed to be the provider and not the mails. */
const maxFailuresInARow = 3;

/**
 * Sends mails one after another and records each outcome before sending the next mail, so that a killed worker leaves
 * at most one mail that may be sent twice. If the provider fails repeatedly, the remaining mails are queued again.
 */
export async function sendReportMails(
  deps: Deps,
  { delivery, file, mails }: Claimed,
  signal: AbortSignal,
  record: (outcome: ReportMailOutcome) => Promise<unknown>,
): Promise<SentReportMail[]> {
  const outcomes: SentReportMail[] = [];
  let failuresInARow = 0;
  for (const mail of mails) {
    const mustWait = outcomes.some(({ retryAfterMs }) => retryAfterMs > 0);
    const outcome =
      failuresInARow >= maxFailuresInARow || mustWait || signal.aborted
        ? putBack(mail)
        : await sendOne(deps, delivery, file, mail, signal);
    failuresInARow = outcome.state === 'queued' ? failuresInARow + 1 : 0;
    await record(outcome);
    outcomes.push(outcome);
  }
  return outcomes;
}

const putBack = ({ id, attempts }: ClaimedReportMail): SentReportMail => ({
  id,
  attempts,
  state: 'queued',
  error: null,
  message_id: null,
  retryAfterMs: 0,
});

async function sendOne(
  { mailer, publicOrigin, onMail }: Deps,
  delivery: ReportDelivery,
  file: Claimed['file'],
  mail: ClaimedReportMail,
  signal: AbortSignal,
): Promise<SentReportMail> {
  const { merchant_id, environment, merchant_name, report_id } = delivery;
  const outcome = putBack(mail);
  try {
    const { message_id } = await mailer.send(
      {
        mail_id: mail.id,
        kind: 'report',
        to: { email: mail.email, name: mail.name ?? '' },
        from_name: merchant_name,
        reply_to: null,
        ...reportMail({
          language: mail.platform_language_code,
          recipient_name: mail.name,
          merchant_name,
          title: file.title,
          ran_at: new Date(file.created_at),
          time_zone: file.zone,
          link: `${publicOrigin}/console/reports/${report_id}`,
          is_own: mail.is_own,
        }),
        attachment: {
          name: file.name,
          type: file.name.endsWith('.csv') ? 'text/csv' : 'application/pdf',
          content: file.content,
        },
        categories: [environment],
        custom_args: { environment, merchant_id },
      },
      signal,
    );
    onMail('report', 'sent');
    return { ...outcome, state: 'sent', message_id };
  } catch (error) {
    const isRejected = error instanceof ProviderError && error.kind === 'rejected';
    onMail('report', isRejected ? 'rejected' : 'failed');
    if (isRejected) return { ...outcome, state: 'rejected', error: error.message };
    if (error instanceof ProviderError)
      return { ...outcome, error: error.message, retryAfterMs: error.retryAfterMs ?? 0 };
    log.error('failed to write a mail', { mail_id: mail.id, error: errorFacts(error) });
    return { ...outcome, error: 'the mail could not be written' };
  }
}
