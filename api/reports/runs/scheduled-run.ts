import type { Database } from '../../../db/platform/database';
import type { FileFormat } from '../../../db/reports/report-schedules';
import { ApiError } from '../../platform/operation/api-error';
import { exportBlock } from './export-block';
import { printReport } from './printed-report';
import type { PrintedReport } from './printed-report';
import { createReportResults } from './result-cache';
import { runReply } from './run-reply';
import { runStoredReport } from './run-stored';

/** The content that is mailed: the rows of a block as CSV, or all blocks as a document. */
export type ScheduledReport = { title: string } & ({ csv: string } | { document: PrintedReport });

/**
 * Runs a report with the rights of the schedule's creator. If there is nothing to mail, for example because the block
 * was removed, returns a sentence that says why. Throws a database error with the code PA403 if the schedule may not
 * run.
 */
export async function runScheduledReport(
  database: Pick<Database, 'query' | 'snapshot'>,
  schedule: { id: string; reportId: string; blockId: string | null; format: FileFormat },
  signal: AbortSignal,
): Promise<{ report: ScheduledReport; error?: undefined } | { error: string }> {
  try {
    const run = await runStoredReport(
      { database, reportResults: createReportResults() },
      {
        id: schedule.reportId,
        blockId: schedule.blockId ?? undefined,
        requestFilters: undefined,
        draft: false,
        caller: { kind: 'report_schedule', scheduleId: schedule.id },
        signal,
        receivedAt: Date.now(),
      },
    );
    const { title } = run;
    return schedule.format === 'csv'
      ? { report: { title, csv: exportBlock(run.blocks) } }
      : { report: { title, document: printReport(runReply.parse(run)) } };
  } catch (error) {
    if (error instanceof ApiError) return { error: error.message };
    throw error;
  }
}
