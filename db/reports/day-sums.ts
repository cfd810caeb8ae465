import type { CheckedFilters, CheckedMeasure } from './checked-report';
import { bucketStart } from './compile-buckets';
import { whereAll } from './compile-groups';
import type { BlockSelection } from './compile-groups';
import { compileAggregate } from './compile-measure';
import type { Aggregate } from './dataset';
import { isCompleted, completedCount, retakeCount, startedCount, timeToDecision } from './datasets/attempts';
import { interviewResults } from './datasets/interview-results';
import type { Parameters } from './parameters';

/*
 * Defines the sums of attempts by day (docs/reports.md#rollup): the columns of `report_day`, and how blocks are
 * computed from them.
 */

/** The days of the caller's merchant that have sums in `report_day`, as seen by the current transaction. */
export type DaySumsState = {
  time_zone: string;
  /** The first day without sums. */
  until: string;
  /** Days before `until` whose sums are out of date. */
  changed_days: readonly string[];
};

const sumOf = (of: string): Aggregate => ({ kind: 'sum', of, when: isCompleted });
const countOf = (of: string): Aggregate => ({ kind: 'count', when: `${isCompleted} and ${of} is not null` });
const values = {
  coverage: 'a.coverage',
  evidence_verified: 'a.evidence_verified',
  score: 'a.score',
  recruiter_score: 'a.recruiter_score',
  pronunciation: 'a.pronunciation',
  words_per_minute: 'a.words_per_minute',
  duration: 'a.duration',
  time_to_decision: timeToDecision,
};

/** The aggregate that each column of `report_day` contains. */
export const daySumColumns: Readonly<Record<string, Aggregate>> = {
  started: startedCount,
  completed: completedCount,
  abandoned: { kind: 'count', when: `a.outcome = 'abandoned'` },
  failed: { kind: 'count', when: `a.outcome = 'failed'` },
  retakes: retakeCount,
  shortlisted: { kind: 'count', when: 'a.is_shortlisted' },
  completed_shortlisted: { kind: 'count', when: `${isCompleted} and a.is_shortlisted` },
  advanced: { kind: 'count', when: 'a.decision' },
  rejected: { kind: 'count', when: 'not a.decision' },
  undecided: { kind: 'count', when: 'a.is_undecided' },
  with_risk_flags: { kind: 'count', when: 'a.has_risk_flags' },
  ...Object.fromEntries(
    Object.entries(values).flatMap(([name, of]): [string, Aggregate][] => [
      [`${name}_sum`, sumOf(of)],
      [`${name}_count`, countOf(of)],
    ]),
  ),
};

const columnBySql = new Map(
  Object.entries(daySumColumns).map(([column, aggregate]) => [compileAggregate(aggregate, []), column]),
);

/**
 * Returns the columns of `report_day` from which an aggregate can be computed, or null if it cannot be computed from
 * sums by day.
 */
export function daySumColumnsFor(aggregate: Aggregate): readonly string[] | null {
  const parts = partsOf(aggregate);
  if (parts.length === 0) {
    const column = columnBySql.get(compileAggregate(aggregate, []));
    return column === undefined ? null : [column];
  }
  const columns = parts.map(daySumColumnsFor);
  return columns.every((each) => each !== null) ? columns.flat() : null;
}

/**
 * Splits a ratio into dividend and divisor, and an average into a sum and a count. Returns an empty list for any
 * other aggregate.
 */
function partsOf(aggregate: Aggregate): readonly [] | readonly [Aggregate, Aggregate] {
  if (aggregate.kind === 'ratio') return [aggregate.of, aggregate.by];
  if (aggregate.kind !== 'avg') return [];
  const { of, when } = aggregate;
  const hasValue = `${of} is not null`;
  return [
    { kind: 'sum', of, ...(when === undefined ? {} : { when }) },
    { kind: 'count', when: when === undefined ? hasValue : `${when} and ${hasValue}` },
  ];
}

/** Returns SQL that computes an aggregate from its stored sums. */
function sumUp(aggregate: Aggregate): string {
  const [of, by] = partsOf(aggregate);
  if (of && by) return `(${sumUp(of)})::float8 / nullif(${sumUp(by)}, 0)`;
  const [column = ''] = daySumColumnsFor(aggregate) ?? [];
  return aggregate.kind === 'sum' ? `coalesce(sum(u.${column}), 0)` : `coalesce(sum(u.${column}), 0)::bigint`;
}

/** True if the groups and measures of a selection can be computed from the sums by day. */
function isInRollup({ block, measures, filters }: BlockSelection, { time_zone }: DaySumsState): boolean {
  const { dataset, dimensions, where } = block;
  return (
    dataset === interviewResults &&
    filters.timezone === time_zone &&
    filters.positionIds === null &&
    filters.interviewIds === null &&
    where.length === 0 &&
    dimensions.length <= 1 &&
    dimensions.every(({ field, grain }) => field.id === dataset.time?.dimension && grain !== null && grain !== 'hour') &&
    measures.every(({ measure, where: own }) => own.length === 0 && daySumColumnsFor(measure.aggregate) !== null)
  );
} // prettier-ignore

const dayMs = 86_400_000;
/** Local days begin at most this long before or after the UTC day with the same date. */
const nearMs = 15 * 3_600_000;

/**
 * Returns the day before a range begins and the day after it ends, because the dates in the merchant's time zone can
 * differ by a day. `hasSums` is true if the range can include days before `until`, and `hasLater` if it can include
 * days from `until` on.
 */
function reachOf({ from, to }: { from: string; to: string }, { until }: DaySumsState) {
  const [begin, end, untilMs] = [Date.parse(from), Date.parse(to), Date.parse(`${until}T00:00:00Z`)];
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return {
    hasSums: begin < untilMs + nearMs,
    hasLater: end > untilMs - nearMs,
    first: day(begin - dayMs),
    last: day(end + dayMs),
  };
}

/**
 * Returns SQL that computes the groups of a selection from the sums by day, or null if that is not possible. Days
 * without sums, and days whose sums are out of date, are computed from the attempts. Parts of the query that the
 * range does not need are omitted, because planning them takes longer than running them.
 */
export function compileFromDaySums(
  selection: BlockSelection,
  rollup: DaySumsState | null,
  parameters: Parameters,
): string | null {
  const { block, measures, filters, range } = selection;
  if (!rollup || typeof range?.from !== 'string' || !isInRollup(selection, rollup)) return null;
  const { hasSums, hasLater, first, last } = reachOf({ from: range.from, to: range.to }, rollup);
  if (!hasSums) return null;
  const { bind, zone } = parameters;
  const [from, to] = [range.from, range.to].map((instant) => bind(instant, 'timestamptz'));
  const [firstDay, endDay] = [
    `(${from} at time zone ${zone()})::date`,
    `((${to} - interval '1 microsecond') at time zone ${zone()})::date + 1`,
  ];
  const until = bind(rollup.until, 'date');
  const grain = block.dimensions[0]?.grain ?? null;
  const columns = columnsOf(measures);
  const changedDays = rollup.changed_days.filter((day) => day >= first && day <= last);
  const isChanged = changedDays.length > 0;
  const changed = isChanged ? bind(changedDays, 'date[]') : '';
  const localDay = `(a.instant at time zone ${zone()})::date`;
  const sums = [
    ...(grain === null ? [] : [`date_trunc('${grain}', d.day::timestamp) as d0`]),
    ...columns.map((column) => `d.${column}`),
  ];
  const rows = [
    ...(grain === null ? [] : [`${bucketStart('a.instant', grain, parameters)} as d0`]),
    ...columns.map((column) => `${aggregateOf(column)} as ${column}`),
  ];
  const isCounted = (alias: string) => testsOf(filters, alias);
  const ofRows = (source: string, where: readonly string[]) =>
    `select ${rows.join(', ')} from ${source}${whereAll([...where, ...isCounted('a')])}${grain === null ? '' : ' group by 1'}`;
  // At a clock change, midnight can be skipped or occur twice. The index is therefore searched with a margin of three
  // hours, and a condition on the local date selects the exact rows.
  const near = `interval '3 hours'`;
  const parts = [
    `select ${sums.join(', ')} from report_day d${whereAll([
      `d.day >= ${firstDay}`,
      `d.day < least(${endDay}, ${until})`,
      ...(isChanged ? [`d.day <> all (${changed})`] : []),
      ...isCounted('d'),
    ])}`,
    ...(hasLater
      ? [
          ofRows('report_attempt a', [
            `a.instant >= greatest(${from}, (${until}::timestamp at time zone ${zone()}) - ${near})`,
            `a.instant < ${to}`,
            `${localDay} >= ${until}`,
          ]),
        ]
      : []),
    ...(isChanged
      ? [
          ofRows(
            `unnest(${changed}) c (day) join report_attempt a
              on a.instant >= (c.day::timestamp at time zone ${zone()}) - ${near}
              and a.instant < ((c.day + 1)::timestamp at time zone ${zone()}) + ${near} and ${localDay} = c.day`,
            [`a.instant >= ${from}`, `a.instant < ${to}`],
          ),
        ]
      : []),
  ];
  const finals = [
    ...(grain === null ? [] : ['u.d0']),
    ...measures.map(({ measure }, at) => `${sumUp(measure.aggregate)} as m${at}`),
  ];
  return `select ${finals.join(', ')} from (${parts.join(' union all ')}) u${grain === null ? '' : ' group by 1'}`;
}

const columnsOf = (measures: readonly CheckedMeasure[]): string[] => [
  ...new Set(measures.flatMap(({ measure }) => daySumColumnsFor(measure.aggregate) ?? [])),
];

function aggregateOf(column: string): string {
  const aggregate = daySumColumns[column];
  if (!aggregate) throw new Error(`report_day has no column ${column}`);
  return compileAggregate(aggregate, []);
}

const testsOf = ({ includeTest }: CheckedFilters, alias: string): string[] =>
  includeTest ? [] : [`not ${alias}.is_test`];
