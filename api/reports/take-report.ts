import type { Transaction } from '../../db/platform/database';
import { findReport, lockReport } from '../../db/reports/reports';
import { ApiError } from '../platform/operation/api-error';
import { readReportScope, unknownReport } from './report-scope';
import { findTemplate } from './templates';

/**
 * Locks a report that the caller may edit, and returns it with its scope. Throws 404 if the caller sees no such report,
 * and 403 if the caller may only run it or if the account has no reports.
 */
export async function lockReportWithScope(trx: Transaction, id: string) {
  const scope = await readReportScope(trx);
  const report = await trx.maybeOne(lockReport(id));
  if (!report) throw await whyNoReport(trx, id);
  return { ...report, scope };
}

/**
 * Locks a report that the caller may edit and that is not archived. Throws 404 if the caller sees no such report, and
 * 403 if the caller may only run it.
 */
export async function lockEditableReport(trx: Transaction, id: string) {
  const report = await lockReportWithScope(trx, id);
  if (report.is_archived) throw unknownReport();
  return report;
}

/** Returns the error for a report that the caller may not edit: a 403 only if the caller may run it. */
async function whyNoReport(trx: Transaction, id: string): Promise<ApiError> {
  if (findTemplate(id))
    return new ApiError(
      'forbidden',
      'A template cannot be changed. Copy it with `report-create` and `from_template`.',
      'id',
    );
  const report = await trx.maybeOne(findReport(id));
  return report && !report.is_archived
    ? new ApiError(
        'forbidden',
        'Only the person who created this report, owners and admins can change it. You can run it and copy its definition.',
        'id',
      )
    : unknownReport();
}
