import type { Database } from '../db/platform/database';
import { countWorkflowStarts } from '../db/platform/workflow-starts';
import { countUnfinishedScoring } from '../db/scoring/runs';
import { countTechnicalIssues } from '../db/support/technical-issues';
import type { WorkerMetrics } from './metrics';

/** Updates the metrics that show waiting technical issues, waiting starts of workflows and results without scores. */
export async function updateWaitingMetrics(
  database: Pick<Database, 'writeAsWorker'>,
  metrics: Pick<WorkerMetrics, 'showIssues' | 'showStarts' | 'showScoring'>,
): Promise<void> {
  const [issues, starts, scoring] = await database.writeAsWorker((trx) =>
    Promise.all([
      trx.rows(countTechnicalIssues),
      trx.rows(countWorkflowStarts),
      trx.rows(countUnfinishedScoring),
    ]),
  );
  if (issues[0]) metrics.showIssues(issues[0]);
  if (starts[0]) metrics.showStarts(starts[0]);
  if (scoring[0]) metrics.showScoring(scoring[0]);
}
