import { renewCreditAccounts } from '../db/account/credits';
import { deleteExpiredOauthRecords } from '../db/agents/public';
import { deleteOldSignInLinks } from '../db/identity/sign-in-links';
import { deleteAbandonedInterviews } from '../db/interviews/interview-building';
import { deleteOldFailedAddresses } from '../db/people/invitations';
import { deleteOldAccountCounts } from '../db/platform/counts';
import type { Database } from '../db/platform/database';
import { deleteExpiredIdempotencyKeys } from '../db/platform/idempotency';
import { deleteEndedWindows } from '../db/platform/rate-windows';
import { deleteExpiredRefreshTokens } from '../db/platform/sessions';
import type { Query } from '../db/platform/statement';
import { deleteOldDeliveries, endAbandonedDeliveries } from '../db/reports/report-deliveries';
import { deleteAbandonedFeatureRequests } from '../db/support/feature-requests';
import { restartStalledIssues } from '../db/support/technical-issues';
import { deleteOldDeletions } from '../db/sync/changes';
import { startLateTranscriptions } from '../db/taking/attempt-flow';
import { deleteExpiredEmbedTokens } from '../db/taking/embeds';
import { deleteOldEvents } from '../db/webhooks/event-list';
import { cancelDeliveriesOfDeletedEndpoints } from '../db/webhooks/webhook-endpoints';
import { technicalIssueId } from '../workflows/ids';

/**
 * The maximum number of report deliveries that one transaction deletes. Each delivery has up to 50 mails, so a
 * transaction deletes up to 10,000 mails.
 */
const maxDeliveries = 200;

/** The jobs of maintenance, in the order in which they run. */
export const maintenanceJobs: Record<string, Query> = {
  delete_abandoned_interviews: deleteAbandonedInterviews,
  delete_abandoned_feature_requests: deleteAbandonedFeatureRequests,
  delete_idempotency_keys: deleteExpiredIdempotencyKeys,
  delete_refresh_tokens: deleteExpiredRefreshTokens,
  delete_oauth_records: deleteExpiredOauthRecords,
  delete_sign_in_links: deleteOldSignInLinks,
  delete_embed_tokens: deleteExpiredEmbedTokens,
  delete_counts: deleteOldAccountCounts,
  forget_invited_addresses: deleteOldFailedAddresses,
  end_report_deliveries: endAbandonedDeliveries(maxDeliveries),
  delete_report_deliveries: deleteOldDeliveries(maxDeliveries),
  cancel_webhook_deliveries: cancelDeliveriesOfDeletedEndpoints,
  restart_technical_issues: restartStalledIssues(technicalIssueId('')),
  start_transcriptions: startLateTranscriptions,
  renew_credit_accounts: renewCreditAccounts,
  delete_rate_windows: deleteEndedWindows,
  delete_changes: deleteOldDeletions,
  delete_webhook_events: deleteOldEvents,
};

/**
 * Deletes what has expired and restarts what has stalled. Each job has a transaction of its own, so that one that fails
 * does not undo the others. A failure is reported to `onFailed`, and the job runs again the next time.
 */
export async function runMaintenance(
  database: Pick<Database, 'writeAsWorker'>,
  onFailed: (job: string, error: unknown) => void,
  jobs = maintenanceJobs,
): Promise<void> {
  for (const [job, query] of Object.entries(jobs))
    await database.writeAsWorker((trx) => trx.count(query)).catch((error: unknown) => onFailed(job, error));
}
