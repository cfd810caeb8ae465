import type { Transaction } from '../../db/platform/database';
import { findReportSettings } from '../../db/reports/reports';
import type { Role } from '../../db/platform/vocabulary';
import { ApiError } from '../platform/operation/api-error';

export type ReportScope = {
  /** The merchant's time zone, an IANA name. */
  zone: string;
  /** The proven role, null for a service key. */
  role: Role | null;
};

/** Returns what reports need to know of the caller's account. Throws 403 if the account has no custom reports. */
export async function readReportScope(trx: Transaction): Promise<ReportScope> {
  const { reports_enabled, time_zone } = await trx.one(findReportSettings);
  if (!reports_enabled) throw new ApiError('forbidden', 'Custom reports are not enabled for this account.');
  const { role } = await trx.scope();
  return { zone: time_zone ?? 'UTC', role: role === 'service' ? null : role };
}

/** The error for a report that does not exist or that the caller may not see. */
export const unknownReport = () => new ApiError('not_found', 'There is no report with this id.', 'id');
