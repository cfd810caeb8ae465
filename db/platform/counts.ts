import type { Statement } from './statement';

/**
 * Merges at most `limitRows` new count rows into the stored totals (`folded` rows) and deletes the new rows. Skips
 * rows that other transactions have locked. Statements that change a count only insert a new row, so a count is the
 * sum of its total and its new rows. Merging does not change that sum.
 */
export const mergeAccountCounts = (limitRows: number): Statement => ({
  name: 'fold_counts',
  text: `
    with taken as (
      delete from account_count where id in (
        select id from account_count where not folded limit $1 for update skip locked
      ) returning merchant_id, environment, metric, scope_id, quarter, value
    ),
    halves as (
      select merchant_id, environment, metric, scope_id, null::timestamptz as quarter, value from taken
      where scope_id is not null
      union all
      select merchant_id, environment, metric, null, quarter, value from taken where quarter is not null
    )
    insert into account_count (merchant_id, environment, metric, scope_id, quarter, value, folded)
    select merchant_id, environment, metric, scope_id, quarter, sum(value), true from halves
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (merchant_id, environment, metric, scope_id, quarter) where folded
      do update set value = account_count.value + excluded.value`,
  values: [limitRows],
});

/** Deletes counts of days that merchant-status no longer shows. */
export const deleteOldAccountCounts: Statement = {
  text: `delete from account_count where folded and quarter < now() - interval '16 days'`,
};
