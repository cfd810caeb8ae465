import { Context, log } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { obstacleSentence, runScheduledReport } from '../../api/reports/public';
import { isScopeError } from '../../db/platform/database';
import type { Database, Transaction } from '../../db/platform/database';
import {
  claimReportMails,
  countReportMails,
  endDelivery,
  findReportDelivery,
  findReportDeliveryByWorkflow,
  findReportFile,
  noteDeliveryError,
  openDelivery,
  recordReportMails,
  storeReportFile,
} from '../../db/reports/report-deliveries';
import type { ReportDelivery } from '../../db/reports/report-deliveries';
import { failures } from '../../workflows/failures';
import { withHeartbeat } from '../platform/heartbeat';
import type { PdfWriter } from '../platform/pdf-writer';
import { retryRecordingOutcomes } from '../platform/retry-recording';
import type { Mailer } from '../providers/sendgrid';
import { sendReportMails } from './send-report-mails';
import type { OnReportMail } from './send-report-mails';
import { writeReportFile } from './write-report-file';

export type ReportDeliveryActivities = ReturnType<typeof createReportDeliveryActivities>;
type Input = { delivery_id: string };

type ReportDeliveryDeps = {
  database: Pick<Database, 'query' | 'snapshot' | 'writeAsWorker'>;
  mailer: Mailer;
  pdfs: PdfWriter;
  /** The origin of the console. */
  publicOrigin: string;
  onMail: OnReportMail;
};

/**
 * What the workflow needs to know about a delivery of a report. `obstacle` is the reason why the schedule may not
 * run, or null if it may. `mails` is the number of mails to send.
 */
type OpenedDelivery = { delivery_id: string; obstacle: string | null; mails: number };

/** The mails of a delivery, counted by their state. `failed` counts the mails that the last call could not send. */
export type MailedReport = {
  sent: number;
  rejected: number;
  failed: number;
  unsent: number;
  retry_after_ms: number;
  /** The kind of the last failure, without any data from the mail. */
  last_error: string | null;
};

/** The activities that mail a scheduled report (docs/reports.md#deliveries); each is safe to run twice. */
export function createReportDeliveryActivities(deps: ReportDeliveryDeps) {
  const { database, pdfs } = deps;
  const find = (id: string) => database.writeAsWorker((trx) => trx.maybeOne(findReportDelivery(id)));

  return {
    /**
     * Records a delivery of the report with its recipients, and returns it. Returns null if the schedule does not
     * exist. If the schedule may not run or no recipient is left, the delivery ends here.
     */
    openReportDelivery: ({ schedule_id }: { schedule_id: string }): Promise<OpenedDelivery | null> =>
      database.writeAsWorker(async (trx) => {
        const { workflowId } = Context.current().info.workflowExecution ?? { workflowId: '' };
        await trx.count(openDelivery(schedule_id, workflowId));
        const delivery = await trx.maybeOne(findReportDeliveryByWorkflow(schedule_id, workflowId));
        if (!delivery) return null;
        const { mails } = await trx.one(countReportMails(delivery.id));
        const { obstacle } = delivery;
        if (obstacle !== null)
          await trx.count(endDelivery(delivery.id, 'paused', obstacleSentence(obstacle, null)));
        else if (mails === 0)
          await trx.count(
            endDelivery(delivery.id, 'failed', 'None of the recipients is in the team any more.'),
          );
        return { delivery_id: delivery.id, obstacle, mails };
      }),

    /**
     * Runs the report and stores its file until it is mailed. Returns the reason if the schedule may no longer run.
     * Throws `ReportNotMade`, which is not retried, if the report cannot be made; the report's page in the console
     * says why.
     */
    makeReportFile: ({ delivery_id }: Input): Promise<{ obstacle: string | null }> =>
      withHeartbeat(async (signal) => {
        const delivery = await find(delivery_id);
        if (delivery?.state !== 'preparing') return { obstacle: delivery?.obstacle ?? null };
        if (delivery.obstacle !== null) return pause(database, delivery, delivery.obstacle);
        const { schedule_id: id, report_id: reportId, block_id: blockId, format } = delivery;
        const ran = await runScheduledReport(database, { id, reportId, blockId, format }, signal).catch(
          (error: unknown) => {
            // The schedule's creator has lost the right to run it since the row was read. The error is retryable,
            // because the next attempt reads the row again and finds the reason why the schedule may not run.
            if (isScopeError(error)) throw ApplicationFailure.retryable('the schedule may not run any more');
            throw error;
          },
        );
        const file =
          ran.error === undefined
            ? await writeReportFile(pdfs, ran.report, delivery.merchant_name, signal)
            : ran;
        if (file.error !== undefined) {
          await database.writeAsWorker((trx) => trx.count(noteDeliveryError(delivery_id, file.error)));
          throw ApplicationFailure.nonRetryable(
            'the report could not be made; its page in the console says why',
            failures.reportNotMade,
          );
        }
        await database.writeAsWorker((trx) => trx.count(storeReportFile(delivery_id, file)));
        return { obstacle: null };
      }),

    /** Mails the file to all recipients who have not got it yet. Failures of the provider are returned, not thrown. */
    mailReportFile: ({ delivery_id }: Input): Promise<MailedReport> =>
      withHeartbeat(async (signal) => {
        const [delivery, file, claimed] = await database.writeAsWorker(async (trx) => [
          await trx.maybeOne(findReportDelivery(delivery_id)),
          await trx.maybeOne(findReportFile(delivery_id)),
          await trx.rows(claimReportMails(delivery_id)),
        ]);
        const repeated = claimed.filter(({ attempts }) => attempts > 1).length;
        if (repeated > 0) log.warn('retrying mails of a report', { delivery_id, mails: repeated });
        const outcomes =
          delivery && file
            ? await sendReportMails(deps, { delivery, file, mails: claimed }, signal, (outcome) =>
                retryRecordingOutcomes(
                  () => database.writeAsWorker((trx) => trx.count(recordReportMails([outcome]))),
                  signal,
                ),
              )
            : [];
        const counts = await database.writeAsWorker(async (trx) => {
          const counted = await trx.one(countReportMails(delivery_id));
          if (counted.unsent === 0) await trx.count(endMailed(delivery_id, counted));
          return counted;
        });
        const failed = outcomes.filter(({ state }) => state === 'queued');
        return {
          sent: counts.sent,
          rejected: counts.rejected,
          failed: failed.length,
          unsent: counts.unsent,
          retry_after_ms: Math.max(0, ...failed.map(({ retryAfterMs }) => retryAfterMs)),
          last_error: failed.findLast(({ error }) => error !== null)?.error ?? null,
        };
      }),

    /** Gives up the mails that are not sent yet, and ends the delivery. */
    giveUpReport: ({ delivery_id }: Input): Promise<void> =>
      database.writeAsWorker(async (trx: Transaction) => {
        const counts = await trx.one(countReportMails(delivery_id));
        await trx.count(endMailed(delivery_id, counts));
        log.error('gave up on the mails of a report', { delivery_id, mails: counts.unsent });
      }),
  };
}

/**
 * Returns the statement that ends a delivery: as sent if at least one recipient got the report, otherwise as failed.
 */
const endMailed = (id: string, { sent, last_error }: { sent: number; last_error: string | null }) =>
  sent > 0
    ? endDelivery(id, 'sent', null)
    : endDelivery(
        id,
        'failed',
        last_error === null
          ? 'The report could not be made.'
          : `Nobody got the report, because ${last_error}.`,
      );

async function pause(
  database: Pick<Database, 'writeAsWorker'>,
  { id }: ReportDelivery,
  obstacle: NonNullable<ReportDelivery['obstacle']>,
): Promise<{ obstacle: string }> {
  await database.writeAsWorker((trx) =>
    trx.count(endDelivery(id, 'paused', obstacleSentence(obstacle, null))),
  );
  return { obstacle };
}
