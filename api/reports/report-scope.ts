import type { Transaction } from '../../db/platform/database';
import type { DaySumsState } from '../../db/reports/day-sums';
import { findReportSettings } from '../../db/reports/reports';
import type { RunSettings } from '../../db/reports/run-settings';
import { ApiError } from '../platform/operation/api-error';
import type { Viewer } from './language/build-catalog';

/** The role is the one that the database has confirmed. */
export type ReportScope = Viewer & {
  /** The merchant's time zone, an IANA name. */
  zone: string;
};

/**
 * Returns the facts about the caller's account that reports depend on. Throws 403 if the account has no custom reports.
 */
export async function readReportScope(trx: Transaction): Promise<ReportScope> {
  const { reports_enabled, time_zone, is_unlimited } = await trx.one(findReportSettings);
  if (!reports_enabled) throw disabled();
  const { role } = await trx.scope();
  return { zone: time_zone ?? 'UTC', role: role === 'service' ? null : role, isUnlimited: is_unlimited };
}

export type RunScope = ReportScope & {
  rollup: DaySumsState | null;
  /** The part of a cache key that identifies everything on which the rows depend, except the statement. */
  key: string;
};

/** Returns the facts about the caller that a run depends on. Throws 403 if the account has no custom reports. */
export function toRunScope(settings: RunSettings): RunScope {
  const {
    reports_enabled,
    time_zone,
    is_unlimited,
    role,
    rollup,
    merchant_id,
    environment,
    profile_id,
    position_ids,
    state,
  } = settings;
  if (!reports_enabled) throw disabled();
  // Hiring managers of one merchant can see different rows, so each has cached rows of their own.
  const person = role === 'merchant_selection' ? profile_id : null;
  return {
    zone: time_zone ?? 'UTC',
    role: role === 'service' ? null : role,
    isUnlimited: is_unlimited,
    rollup,
    key: JSON.stringify([merchant_id, environment, role, person, position_ids, state]),
  };
}

const disabled = () => new ApiError('forbidden', 'Custom reports are not enabled for this account.');

/** The error for a report that does not exist or that the caller may not see. */
export const unknownReport = () => new ApiError('not_found', 'There is no report with this id.', 'id');
