import { log } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import {
  beginIssueAttempt,
  findIssueReport,
  giveUpIssue,
  recordIssueFailure,
  recordIssueSent,
} from '../../db/support/issue-reports';
import type { IssueReport, IssueToSend } from '../../db/support/issue-reports';
import type { Database } from '../../db/platform/database';
import { failures } from '../../workflows/failures';
import { withHeartbeat } from '../platform/heartbeat';
import { SupportDeskFailed } from '../providers/support-desk';
import type { SupportDesk } from '../providers/support-desk';
import { supportTicket } from './support-ticket';

export type IssueReportActivities = ReturnType<typeof createIssueReportActivities>;

export type IssueReportDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  /** Undefined if no support desk is configured. Technical issues then wait. */
  supportDesk: Pick<SupportDesk, 'createTicket' | 'findTicket'> | undefined;
  /** Called after every attempt, for the metrics. */
  onAttempt: (outcome: 'sent' | 'failed') => void;
};

/** The outcome of an attempt: the number of the conversation, or why there is none. */
export type IssueAttempt =
  | { reference: string }
  | { reference: null; failure: string; retry_after_ms: number };

const maxRetryAfterMs = 24 * 3_600_000;

/**
 * The activities that send technical issues to support. They return and throw nothing of an issue's text or its
 * people.
 */
export function createIssueReportActivities({ database, supportDesk, onAttempt }: IssueReportDeps) {
  const find = async (id: string): Promise<IssueReport | undefined> =>
    database.writeAsWorker((trx) => trx.maybeOne(findIssueReport(id)));

  return {
    /**
     * Opens the conversation of a technical issue, once. Every attempt is counted before it is made. All attempts but
     * the first search for a conversation of an earlier attempt that failed, was killed or was not recorded. If the
     * issue was already sent, the number of its conversation is returned.
     */
    sendIssueReport: async ({ report_id }: { report_id: string }): Promise<IssueAttempt> => {
      const report = await database.writeAsWorker((trx) => trx.maybeOne(beginIssueAttempt(report_id)));
      if (!report) {
        const { reference = null } = (await find(report_id)) ?? {};
        if (reference !== null) return { reference };
        throw ApplicationFailure.nonRetryable('there is no such report', failures.issueReportGone);
      }
      try {
        if (!supportDesk) throw new SupportDeskFailed('not configured');
        const number = await withHeartbeat((signal) => openConversation(supportDesk, report, signal));
        const reference = `#${number}`;
        await database.writeAsWorker((trx) => trx.count(recordIssueSent(report_id, reference)));
        onAttempt('sent');
        return { reference };
      } catch (error) {
        if (!(error instanceof SupportDeskFailed)) throw error;
        onAttempt('failed');
        await database.writeAsWorker((trx) => trx.count(recordIssueFailure(report_id, error.kind)));
        const { kind: failure, retryAfterMs = 0 } = error;
        return { reference: null, failure, retry_after_ms: Math.min(retryAfterMs, maxRetryAfterMs) };
      }
    },

    /** Marks the technical issue as given up. It stays queued, and an operator must look at it. */
    giveUpIssueReport: async ({ report_id }: { report_id: string }): Promise<void> => {
      const report = await database.writeAsWorker((trx) => trx.maybeOne(giveUpIssue(report_id)));
      if (report) log.error('support took a report at no attempt: it is given up', { report_id, ...report });
    },
  };
}

async function openConversation(
  desk: NonNullable<IssueReportDeps['supportDesk']>,
  report: IssueToSend,
  signal: AbortSignal,
): Promise<number> {
  const made = report.attempts > 1 ? await desk.findTicket(report.id, signal) : undefined;
  if (made !== undefined) return made;
  const { subject, body } = supportTicket(report);
  const { reporter_name, reporter_email } = report;
  return desk.createTicket(
    {
      external_id: report.id,
      requester: { name: reporter_name.trim() || reporter_email, email: reporter_email },
      subject,
      body,
      tags: ['technical_issue'],
    },
    signal,
  );
}
