import { isAfterCursor } from '../platform/page-place';
import type { Statement } from '../platform/statement';
import type { CheckedBlock, CheckedFilters, CheckedMeasure, Condition } from './checked-report';
import { whereAll, compileQueryParts } from './compile-groups';
import type { Aggregate, Dimension, Grain } from './dataset';
import { openParameters, bindZone } from './parameters';
import type { Parameters } from './parameters';

/*
 * Lists the records from which a number in a block was computed, using the WHERE clause of the block's query
 * (docs/reports.md#records).
 */

/**
 * The ids and the time of a record. For an empty page, the query returns one row with the total and a null `place`.
 */
export type RecordRow = {
  total: number;
  place: unknown;
  interview_result_id: string | null;
  attempt: number | null;
  profile_interview_id: string | null;
  interview_id: string | null;
  position_id: string | null;
  occurred_at: string | null;
};

/** A dimension of the block and its value in the chosen row. For a date, `value` is the label of the date's bucket. */
export type ChosenValue = {
  field: Dimension;
  grain: Grain | null;
  value: string | number | boolean | null;
};

export type RecordSelection = {
  block: CheckedBlock;
  filters: CheckedFilters;
  /**
   * The row of the block whose records are listed. Dimensions of the block that are left out here can have any value.
   */
  row: readonly ChosenValue[];
  /** The measure whose records are listed. Null lists the records of the whole row. */
  measure: CheckedMeasure | null;
  limit: number;
  offset: number;
  /** The place of a cursor, as JSON. */
  place: string | null;
};

export function compileRecords({
  block,
  filters,
  row,
  measure,
  limit,
  offset,
  place,
}: RecordSelection): Statement<RecordRow> {
  const parameters = openParameters(filters.timezone);
  const dates = row.filter(({ grain, value }) => grain !== null && value !== null);
  const read: CheckedBlock = {
    ...block,
    dimensions: dates,
    where: [
      ...block.where,
      ...row.filter((chosen) => !dates.includes(chosen)).map(toCondition),
      ...(measure?.where ?? []),
    ],
  };
  // The measure is included only so that `compileQueryParts` adds its joins. Its SQL and its aggregate are not used.
  const counted = measure && { ...measure, measure: { ...measure.measure, aggregate: countAll }, where: [] };
  const { dimensions, from, where } = compileQueryParts(
    { block: read, measures: counted ? [counted] : [], filters, range: block.period },
    parameters,
  );
  const conditions = [
    ...where,
    ...dimensions.map((sql, at) => compileDate(sql, dates[at], parameters)),
    ...(measure ? rowsOf(measure.measure.aggregate) : []).map((sql) => `(${bindZone(sql, parameters)})`),
  ];
  const { records, filters: columns, time } = block.dataset;
  // A snapshot has no times, so its records are ordered by their keys alone.
  const keys = { ...(time && { [time.column]: 'timestamptz' }), [`(${records.key}) collate "C"`]: 'text' };
  const order = Object.keys(keys);
  const selected = [
    `jsonb_build_array(${order.join(', ')}) as place`,
    `${records.result} as interview_result_id`,
    `${records.attempt} as attempt`,
    `${records.candidate} as profile_interview_id`,
    `${columns.interview ?? 'null'} as interview_id`,
    `${columns.position ?? 'null'} as position_id`,
    `${time?.column ?? 'null::timestamptz'} as occurred_at`,
  ];
  const listed = whereAll([
    ...conditions,
    ...(place === null ? [] : [isAfterCursor(parameters.bind(place, 'text'), keys)]),
  ]);
  return {
    text: `select t.total, p.* from (select count(*)::int as total from ${from}${listed}) t
      left join (
        select row_number() over () as number, r.* from (
          select ${selected.join(', ')} from ${from}${listed}
          order by ${order.map((key) => `${key} desc`).join(', ')}
          limit ${parameters.bind(limit, 'int')} offset ${parameters.bind(offset, 'int')}
        ) r
      ) p on true
      order by p.number`,
    values: [...parameters.values],
  };
}

const countAll: Aggregate = { kind: 'count' };

const toCondition = ({ field, value }: ChosenValue): Condition =>
  value === null
    ? { kind: 'field', field, op: 'is_null', values: [] }
    : { kind: 'field', field, op: 'eq', values: [value] };

/**
 * Returns SQL that is true for rows in the chosen bucket of time. The chosen value is the first instant of an hour,
 * or the first local day of a longer bucket.
 */
function compileDate(bucket: string, chosen: ChosenValue | undefined, { bind }: Parameters): string {
  return chosen?.grain === 'hour'
    ? `${bucket} = ${bind(chosen.value, 'timestamptz')}`
    : `(${bucket})::date = ${bind(chosen?.value, 'date')}`;
}

/**
 * Returns the conditions on the rows that an aggregate counts. For a ratio, these are the conditions of the divisor
 * (`by`).
 */
function rowsOf(aggregate: Aggregate): string[] {
  if (aggregate.kind === 'ratio') return rowsOf(aggregate.by);
  const when = aggregate.when === undefined ? [] : [aggregate.when];
  return aggregate.kind === 'count' ? when : [...when, `${aggregate.of} is not null`];
}
