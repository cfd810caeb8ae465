import type { Statement } from '../platform/statement';
import { compileAggregate } from './compile-measure';
import { daySumColumns } from './day-sums';

/* Statements with which the worker keeps the sums by day (`report_day`) up to date (docs/reports.md#rollup). */

/**
 * Deletes recorded changes that are no longer needed, because all cached results of reports are newer. Keeps changes
 * of attempts, which `takeChangedDays` deletes.
 */
export const deleteOldChanges: Statement = {
  name: 'delete_old_report_changes',
  text: `
    delete from report_change where (merchant_id, id) in (
      select merchant_id, id from report_change
      where changed_at < now() - interval '2 minutes' and attempt_instant is null limit 10000
    )`,
};

export type DaySumsToWrite = { merchant_id: string; environment: string; time_zone: string; closed: string };

/**
 * Lists the merchants and environments whose sums by day are not up to date. The sums of a day are written only two
 * days later, so `closed`, the day two days ago, is the first day that does not get sums yet.
 */
export const findDaySumsToWrite = (limit: number): Statement<DaySumsToWrite> => ({
  name: 'find_rollup_work',
  text: `
    select m.id as merchant_id, e.environment, z.time_zone, z.closed::text as closed
    from merchant m
    cross join unnest(array['production', 'uat', 'development', 'demo']) e (environment)
    left join report_rollup r on r.merchant_id = m.id and r.environment = e.environment
    cross join lateral (
      select coalesce(m.time_zone, 'UTC') as time_zone,
        ((now() - interval '2 days') at time zone coalesce(m.time_zone, 'UTC'))::date as closed
    ) z
    where case when r.merchant_id is null
        then exists (select from report_attempt a where a.merchant_id = m.id and a.environment = e.environment)
        else r.time_zone <> z.time_zone or r.until < z.closed end
      or exists (
        select from report_change c
        where c.merchant_id = m.id and c.attempt_environment = e.environment and c.attempt_instant is not null
      )
    limit $1`,
  values: [limit],
});

type Place = Pick<DaySumsToWrite, 'merchant_id' | 'environment'>;
const placeOf = ({ merchant_id, environment }: Place) => [merchant_id, environment];

/**
 * Inserts the row whose `until` is the first day without sums. This is at first the day of the first attempt. Does
 * nothing if the row exists or there are no attempts.
 */
export const insertDaySumsState = (work: DaySumsToWrite): Statement => ({
  name: 'insert_rollup',
  text: `
    insert into report_rollup (merchant_id, environment, time_zone, until)
    select $1, $2, $3, (min(instant) at time zone $3)::date from report_attempt
      where merchant_id = $1 and environment = $2 having count(*) > 0
    on conflict do nothing`,
  values: [...placeOf(work), work.time_zone],
});

/** Locks the `report_rollup` row of a merchant and environment. Returns no row while another worker has the lock. */
export const lockDaySumsState = (work: Place): Statement<{ time_zone: string; until: string }> => ({
  name: 'lock_rollup',
  text: `
    select time_zone, until::text as until from report_rollup
    where merchant_id = $1 and environment = $2 for update skip locked`,
  values: placeOf(work),
});

export const deleteAllDaySums = (work: Place): Statement => ({
  name: 'delete_all_report_days',
  text: 'delete from report_day where merchant_id = $1 and environment = $2',
  values: placeOf(work),
});

/**
 * Changes the time zone of a merchant's sums by day. They must then be written again from the day of the first
 * attempt.
 */
export const changeDaySumsTimeZone = (work: DaySumsToWrite): Statement<{ until: string }> => ({
  name: 'move_rollup',
  text: `
    update report_rollup r set time_zone = $3, until = coalesce((
      select (min(a.instant) at time zone $3)::date from report_attempt a where a.merchant_id = $1 and a.environment = $2
    ), r.until)
    where r.merchant_id = $1 and r.environment = $2
    returning r.until::text as until`,
  values: [...placeOf(work), work.time_zone],
});

/**
 * Deletes the recorded changes of attempts and returns the days whose sums are wrong because of these changes.
 * Changes that commit later are left to the next call.
 */
export const takeChangedDays = (work: DaySumsToWrite, until: string): Statement<{ day: string }> => ({
  name: 'take_changed_report_days',
  text: `
    with taken as (
      delete from report_change where merchant_id = $1 and attempt_environment = $2 and attempt_instant is not null
      returning (attempt_instant at time zone $3)::date as day
    )
    select distinct day::text as day from taken where day < $4::date`,
  values: [...placeOf(work), work.time_zone, until],
});

export const deleteDaySums = (work: Place, days: readonly string[]): Statement => ({
  name: 'delete_report_days',
  text: 'delete from report_day where merchant_id = $1 and environment = $2 and day = any ($3::date[])',
  values: [...placeOf(work), days],
});

const columns = Object.keys(daySumColumns);
const aggregates = Object.values(daySumColumns).map((aggregate) => compileAggregate(aggregate, []));

const insertDays = `
  insert into report_day (merchant_id, environment, day, is_test, ${columns.join(', ')})
  select $1, $2, l.day, a.is_test, ${aggregates.join(', ')}
  from (select $4::date, $5::date union all select day, day + 1 from unnest($6::date[]) day) p (first, after)
  join report_attempt a on a.merchant_id = $1 and a.environment = $2
    and a.instant >= (p.first::timestamp at time zone $3) - interval '3 hours'
    and a.instant < (p.after::timestamp at time zone $3) + interval '3 hours'
  cross join lateral (select (a.instant at time zone $3)::date as day) l
  where l.day >= p.first and l.day < p.after
  group by l.day, a.is_test`;

/** Writes the sums of the changed days, and of all days from `until` to the day before `next`. */
export const writeDaySums = (
  work: DaySumsToWrite,
  { until, next, days }: { until: string; next: string; days: readonly string[] },
): Statement => ({
  name: 'write_report_days',
  text: insertDays,
  values: [...placeOf(work), work.time_zone, until, next, days],
});

export const setDaySumsUntil = (work: Place, until: string): Statement => ({
  name: 'set_rollup_until',
  text: 'update report_rollup set until = $3 where merchant_id = $1 and environment = $2 and until < $3',
  values: [...placeOf(work), until],
});
