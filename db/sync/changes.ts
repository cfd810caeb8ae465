import type { Statement } from '../platform/statement';

/** The kinds of objects that an integrator can mirror, in the order of the documentation. */
export const syncObjects = [
  'interview', 'position', 'candidate', 'invitation', 'result', 'decision', 'credit_entry', 'audit_entry', 'team_member',
  'report', 'knowledge_base', 'directory',
] as const; // prettier-ignore
export type SyncObject = (typeof syncObjects)[number];
export const deletionReasons = ['deleted', 'erased', 'merged'] as const;

/** How many days the rows of deleted objects are kept. Cursors that are older have expired. */
export const keptDays = 90;

/** The place of a change in the order of all changes: that of its transaction, then of its object. */
export type FeedPosition = { tx: string; object: string; id: string };
export const firstFeedPosition: FeedPosition = { tx: '0', object: '', id: '' };

/**
 * A change that a reader can be given, with facts about the feed. If there is none, the query returns one row whose `id`
 * is null. `lag_ms` is how long the oldest change has waited that cannot be given yet.
 */
type ListedChange = {
  merchant_id: string;
  environment: string;
  generation: string;
  now: string;
  /** The id of the oldest transaction that is running. All committed changes of older ones can be given. */
  boundary: string;
  lag_ms: number;
  tx: string;
  object: SyncObject;
  id: string | null;
  version: number;
  changed_at: string;
  deleted_at: string | null;
  reason: (typeof deletionReasons)[number] | null;
};

/**
 * Lists the first changes after a place. A transaction that is still running can commit changes with a lower id than
 * those that are committed, so the list ends before the oldest one that is running (docs/sync.md#order).
 */
export const listChanges = (
  objects: readonly SyncObject[],
  { tx, object, id }: FeedPosition,
  limitRows: number,
): Statement<ListedChange> => ({
  name: 'list_changes',
  text: `
    with boundary as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as tx),
    found as materialized (
      (${inScope('c.environment = app.environment()')})
      union all
      (${inScope('c.environment is null')})
      order by tx, object, id limit $5
    )
    select app.merchant_id() as merchant_id, app.environment() as environment, generation, clock_timestamp() as now,
      (select tx from boundary) as boundary, coalesce((
        select greatest(0, extract(epoch from clock_timestamp() - min(changed_at)) * 1000) from (
          (${waiting('c.environment = app.environment()')}) union all (${waiting('c.environment is null')})
          union all select created_at from waiting_change
        ) w
      ), 0)::float8 as lag_ms, found.*
    from sync_generation left join found on true
    order by found.tx, found.object, found.id`,
  values: [objects, tx, object, id, limitRows],
});

const inScope = (environment: string) => `
  select c.tx, c.object, c.id, c.version::float8 as version, c.changed_at, c.deleted_at, c.reason from change c
  where c.merchant_id = app.merchant_id() and ${environment} and c.object = any ($1)
    and (c.tx, c.object, c.id) > ($2::xid8, $3, $4) and c.tx < (select tx from boundary)
  order by c.tx, c.object, c.id limit $5`;

/** The oldest change that is committed and that readers cannot be given yet. */
const waiting = (environment: string) => `
  select c.changed_at from change c
  where c.merchant_id = app.merchant_id() and ${environment} and c.tx >= (select tx from boundary)
  order by c.tx, c.object, c.id limit 1`;

/**
 * Records the oldest changes that a transaction has left because they were very many, and returns false if there are none
 * (docs/sync.md#very-many-changes).
 */
export const recordWaitingChanges: Statement<{ recorded: boolean }> = {
  name: 'record_waiting_changes',
  text: 'select app.record_waiting_changes() as recorded',
};

/** Removes the rows of objects that were deleted long ago. They stay a day longer than a cursor that needs them. */
export const deleteOldDeletions: Statement = {
  name: 'delete_old_changes',
  text: `
    delete from change c using (
      select merchant_id, object, id from change
      where deleted_at < now() - interval '${keptDays + 1} days' order by deleted_at limit 10000
    ) old
    where c.merchant_id = old.merchant_id and c.object = old.object and c.id = old.id and c.deleted_at is not null`,
};

/**
 * The transaction ids between which changes wait: `next` follows that of the last transaction that has ended. `unrecorded_s` is
 * how long the oldest change waits that is left to `recordWaitingChanges`.
 */
export type FeedEdges = { boundary: string; next: string; unrecorded_s: number };
export const findFeedEdges: Statement<FeedEdges> = {
  name: 'find_feed_edges',
  text: `
    select pg_snapshot_xmin(s)::text as boundary, pg_snapshot_xmax(s)::text as next, (
      select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 from waiting_change
    ) as unrecorded_s from pg_current_snapshot() s`,
};

/** Begins another generation, so that all cursors have expired. Only the owner of the tables can run it. */
export const renewGeneration: Statement = { text: 'select app.renew_sync_generation()' };
