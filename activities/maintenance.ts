import { renewCreditAccounts } from '../db/account/credits';
import { deleteOldSignInLinks } from '../db/identity/sign-in-links';
import { deleteAbandonedInterviews } from '../db/interviews/interview-building';
import { deleteOldCounts } from '../db/platform/counts';
import type { Database } from '../db/platform/database';
import { deleteExpiredIdempotencyKeys } from '../db/platform/idempotency';
import { deleteEndedWindows } from '../db/platform/rate-windows';
import { deleteExpiredRefreshTokens } from '../db/platform/sessions';
import { deleteOldDeliveries, endAbandonedDeliveries } from '../db/reports/report-deliveries';
import { deleteAbandonedFeatureRequests } from '../db/support/feature-requests';
import { restartStalledIssues } from '../db/support/technical-issues';
import { startLateTranscriptions } from '../db/taking/attempt-flow';
import { deleteExpiredEmbedTokens } from '../db/taking/embeds';
import { cancelDeliveriesOfDeleted } from '../db/webhooks/webhook-endpoints';
import { technicalIssueId } from '../workflows/ids';

/**
 * The maximum number of report deliveries that one transaction deletes. Each delivery has up to 50 mails, so a
 * transaction deletes up to 10,000 mails.
 */
const maxDeliveries = 200;

/**
 * Deletes what has expired: abandoned unbuilt interviews and feature requests, idempotency keys, refresh tokens,
 * sign-in links, used embed tokens, counts of past days, counts of requests in past minutes and runs of scheduled
 * reports. Also cancels deliveries of deleted webhook endpoints, begins the next period of credit accounts whose month
 * has ended, and starts the workflows of stalled technical issues and transcriptions.
 */
export const runMaintenance = (database: Pick<Database, 'writeAsWorker'>): Promise<void> =>
  database.writeAsWorker(async (trx) => {
    await trx.count(deleteAbandonedInterviews);
    await trx.count(deleteAbandonedFeatureRequests);
    await trx.count(deleteExpiredIdempotencyKeys);
    await trx.count(deleteExpiredRefreshTokens);
    await trx.count(deleteOldSignInLinks);
    await trx.count(deleteExpiredEmbedTokens);
    await trx.count(deleteOldCounts);
    await trx.count(endAbandonedDeliveries(maxDeliveries));
    await trx.count(deleteOldDeliveries(maxDeliveries));
    await trx.count(cancelDeliveriesOfDeleted);
    await trx.count(restartStalledIssues(technicalIssueId('')));
    await trx.count(startLateTranscriptions);
    await trx.rows(renewCreditAccounts);
    // This is last, because requests may wait for the rows that it locks.
    await trx.count(deleteEndedWindows);
  });
