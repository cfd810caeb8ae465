import type { Transaction } from '../../db/platform/database';
import { lockReport } from '../../db/reports/reports';
import { readReportScope, unknownReport } from './report-scope';

/**
 * Locks a report that the caller may edit, and returns it with its scope. Throws 404 if there is no such report, and
 * 403 if the account has no reports.
 */
export async function lockReportOf(trx: Transaction, id: string) {
  const scope = await readReportScope(trx);
  const report = await trx.maybeOne(lockReport(id));
  if (!report) throw unknownReport();
  return { ...report, scope };
}

/** Locks a report that the caller may edit and that is not archived. Throws 404 if there is no such report. */
export async function takeReport(trx: Transaction, id: string) {
  const report = await lockReportOf(trx, id);
  if (report.is_archived) throw unknownReport();
  return report;
}
