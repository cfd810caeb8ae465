import { log } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../../db/platform/database';
import {
  beginIssueAttempt,
  findTechnicalIssue,
  giveUpIssue,
  recordIssueFailure,
  recordIssueSent,
} from '../../db/support/technical-issues';
import type { TechnicalIssue, IssueToSend } from '../../db/support/technical-issues';
import { failures } from '../../workflows/failures';
import { withHeartbeat } from '../platform/heartbeat';
import { ProviderError } from '../providers/provider-error';
import type { SupportDesk } from '../providers/support-desk';
import { conversationText } from './conversation-text';

export type TechnicalIssueActivities = ReturnType<typeof createTechnicalIssueActivities>;

type TechnicalIssueDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  /** Undefined if no support desk is configured. Technical issues then wait. */
  supportDesk: Pick<SupportDesk, 'createTicket' | 'findTicket'> | undefined;
  /** Called after every attempt, for the metrics. */
  onAttempt: (outcome: 'sent' | 'failed') => void;
};

/** The outcome of an attempt: the number of the conversation, or the reason why none was opened. */
export type IssueAttempt =
  | { reference: string }
  | { reference: null; failure: string; retry_after_ms: number };

const maxRetryAfterMs = 24 * 3_600_000;

/**
 * The activities that send technical issues to support. Their results and errors contain no text of the issue and no
 * data of people.
 */
export function createTechnicalIssueActivities({ database, supportDesk, onAttempt }: TechnicalIssueDeps) {
  const find = async (id: string): Promise<TechnicalIssue | undefined> =>
    database.writeAsWorker((trx) => trx.maybeOne(findTechnicalIssue(id)));

  return {
    /**
     * Opens the conversation of a technical issue and returns its number, or returns the number of the existing
     * conversation. Every attempt is counted before it is made. From the second attempt on, first searches for a
     * conversation that an earlier attempt opened without recording it.
     */
    sendIssueReport: async ({ report_id }: { report_id: string }): Promise<IssueAttempt> => {
      const issue = await database.writeAsWorker((trx) => trx.maybeOne(beginIssueAttempt(report_id)));
      if (!issue) {
        const { reference = null } = (await find(report_id)) ?? {};
        if (reference !== null) return { reference };
        throw ApplicationFailure.nonRetryable(
          'this technical issue does not exist',
          failures.technicalIssueGone,
        );
      }
      try {
        if (!supportDesk) throw new ProviderError('the support desk', 'not configured');
        const number = await withHeartbeat((signal) => openConversation(supportDesk, issue, signal));
        const reference = `#${number}`;
        await database.writeAsWorker((trx) => trx.count(recordIssueSent(report_id, reference)));
        onAttempt('sent');
        return { reference };
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        onAttempt('failed');
        await database.writeAsWorker((trx) => trx.count(recordIssueFailure(report_id, error.kind)));
        const { kind: failure, retryAfterMs = 0 } = error;
        return { reference: null, failure, retry_after_ms: Math.min(retryAfterMs, maxRetryAfterMs) };
      }
    },

    /** Marks the technical issue as given up. The issue stays queued, and an operator must look at it. */
    giveUpIssueReport: async ({ report_id }: { report_id: string }): Promise<void> => {
      const issue = await database.writeAsWorker((trx) => trx.maybeOne(giveUpIssue(report_id)));
      if (issue)
        log.error('gave up on a technical issue: every attempt to send it failed', { report_id, ...issue });
    },
  };
}

async function openConversation(
  desk: NonNullable<TechnicalIssueDeps['supportDesk']>,
  issue: IssueToSend,
  signal: AbortSignal,
): Promise<number> {
  const made = issue.attempts > 1 ? await desk.findTicket(issue.id, signal) : undefined;
  if (made !== undefined) return made;
  const { subject, body } = conversationText(issue);
  const { reporter_name, reporter_email } = issue;
  return desk.createTicket(
    {
      external_id: issue.id,
      requester: { name: reporter_name.trim() || reporter_email, email: reporter_email },
      subject,
      body,
      tags: ['technical_issue'],
    },
    signal,
  );
}
