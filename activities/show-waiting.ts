import { countTechnicalIssues } from '../db/support/technical-issues';
import type { Database } from '../db/platform/database';
import { countWorkflowStarts } from '../db/platform/workflow-starts';
import type { WorkerMetrics } from './metrics';

/** Updates the metrics that show the waiting technical issues and the waiting starts of workflows. */
export async function showWaiting(
  database: Pick<Database, 'writeAsWorker'>,
  metrics: Pick<WorkerMetrics, 'showIssues' | 'showStarts'>,
): Promise<void> {
  const [issues, starts] = await database.writeAsWorker((trx) =>
    Promise.all([trx.rows(countTechnicalIssues), trx.rows(countWorkflowStarts)]),
  );
  if (issues[0]) metrics.showIssues(issues[0]);
  if (starts[0]) metrics.showStarts(starts[0]);
}
