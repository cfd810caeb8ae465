import type { TableCommand, DatabaseRole } from '../../../db/platform/grants';
import { insertOf, rowOf } from './world';
import type { Cell } from './world';

export type Table = { name: string; columns: string[]; key: string };
export type Row = {
  key: string;
  id?: string;
  merchant_id?: string | null;
  environment?: string;
  built_at?: unknown;
  deleted_at?: unknown;
  caller_id?: string;
  profile_id?: string;
  status?: string;
  type?: string;
  role?: string;
  scope_id?: string;
  interview_id?: string;
};

/**
 * Returns the keys of the rows that a command of this role can reach: depending on the role, the rows of the caller's
 * merchant and environment, the rows that a link names, or all rows.
 */
export function reach(
  role: DatabaseRole,
  cell: Cell,
  table: Table,
  command: TableCommand,
  rows: Row[],
): string[] {
  const mine = (row: Row): boolean => {
    // The worker deletes only the rows of objects that were deleted.
    if (role === 'app_worker' && table.name === 'change' && command === 'delete')
      return row.deleted_at !== null;
    if (role === 'app_worker')
      return table.name !== 'interview' || command === 'select' || row.built_at === null;
    if (role === 'app_link') {
      const { enrolment, interview, position } = cell.taken;
      return row.id === { merchant: cell.merchantId, enrolment, interview, position }[table.name];
    }
    if (!['app_user', 'app_service', 'app_embed', 'app_portal', 'app_report'].includes(role)) return true;
    if (table.name === 'merchant') return row.id === cell.merchantId;
    // Every caller can read a platform-wide directory that is active.
    if (table.name === 'catalogue_directory' && row.merchant_id === null)
      return command === 'select' && row.status === 'active';
    if (table.columns.includes('merchant_id') && row.merchant_id !== cell.merchantId) return false;
    const environment = role === 'app_portal' ? 'production' : cell.environment;
    // A change without an environment belongs to all of them.
    const isElsewhere = row.environment !== environment && (row.environment as unknown) !== null;
    if (table.columns.includes('environment') && isElsewhere) return false;
    // Only attempts of production can be unpaid.
    if (table.name === 'unpaid_attempt' && cell.environment !== 'production') return false;
    if (role === 'app_portal' && table.name === 'interview') return row.type === 'coaching';
    // An embed key gives access only to the candidates of its own interview.
    if (role === 'app_embed' && table.name === 'profile') return row.role === 'candidate';
    if (role === 'app_embed' && table.name === 'enrolment') return row.scope_id === cell.taken.interview;
    if (role === 'app_embed' && table.name === 'interview_result')
      return row.interview_id === cell.taken.interview;
    if (table.name === 'report_filters') return role !== 'app_service' && row.profile_id === cell.profileId;
    // A feature request can be deleted only by the person who made it.
    if (table.name === 'feature_request' && command === 'delete') return row.profile_id === cell.profileId;
    // An interview is visible once it is built. An idempotency key is visible only to the caller who sent it.
    if (table.name === 'interview') return row.built_at !== null;
    if (table.name === 'idempotency_key' || table.name === 'agent_confirmation')
      return row.caller_id === (role === 'app_user' ? cell.profileId : cell.serviceKeyId);
    return true;
  };
  return rows
    .filter(mine)
    .map(({ key }) => key)
    .toSorted();
}

/** Returns an insert of a new row that belongs to `owner`, as `caller` would send it in this role. */
export const insertInto = (role: DatabaseRole, table: string, owner: Cell, caller: Cell = owner) => {
  const row = rowOf(table, owner, owner.free);
  if (role === 'app_embed') {
    if (table === 'profile') row['role'] = 'candidate';
    if (table === 'enrolment') Object.assign(row, { interview_id: owner.taken.interview, position_id: null });
    if (table === 'embed_token_use') row['embed_key_id'] = owner.taken.embed;
  }
  if (table === 'idempotency_key' || table === 'agent_confirmation')
    row['caller_id'] = role === 'app_service' ? caller.serviceKeyId : caller.profileId;
  if (table === 'webhook_replay' && role === 'app_service') row['requested_by'] = caller.serviceKeyId;
  return insertOf(table, row);
};
