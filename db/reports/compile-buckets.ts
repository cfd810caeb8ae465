import type { CheckedBlock, CheckedMeasure, PeriodRange } from './checked-report';
import { isZeroWithoutRows } from './compile-measure';
import type { Grain } from './dataset';
import type { Parameters } from './parameters';

/* Functions that return SQL to group rows by local hours, days and longer units. */

/** Maps each grain to itself. The SQL contains the word from this map, so it never contains text from a caller. */
const units = new Map<Grain, string>(
  (['hour', 'day', 'week', 'month', 'quarter', 'year'] as const).map((grain) => [grain, grain]),
);
const unitOf = (grain: Grain): string => {
  const unit = units.get(grain);
  if (unit === undefined) throw new Error('unknown grain');
  return unit;
};

/**
 * Returns SQL for the start of the hour, day or longer unit (`grain`) in which an instant lies. For hours, this is an
 * instant; for longer units, it is a local date.
 */
export const bucketStart = (instant: string, grain: Grain, { zone }: Parameters): string =>
  grain === 'hour'
    ? `date_trunc('hour', ${instant}, ${zone()})`
    : `date_trunc('${unitOf(grain)}', ${instant} at time zone ${zone()})`;

type Bucketed = {
  block: CheckedBlock;
  measures: readonly CheckedMeasure[];
  range: PeriodRange | null;
  groups: string;
};

/**
 * Returns SQL that adds the column `bucket` to the groups: the index of the group's date in the period. For a line or
 * a bar, it also adds rows for dates without data, one for each value of the other dimension.
 */
export function addBuckets({ block, measures, range, groups }: Bucketed, parameters: Parameters): string {
  const { dataset, dimensions, type } = block;
  const dateAt = dimensions.findIndex(({ grain }) => grain !== null);
  const date = dimensions[dateAt];
  if (!date?.grain) throw new Error('a date has a grain');
  const places = dimensions.map((_, at) => at);
  const others = places.filter((at) => at !== dateAt);
  const isAxis = dataset.time?.dimension === date.field.id;
  // Dates of the dataset's time dimension always lie in the period. Dates of other dimensions can lie outside the
  // period or be null, so the dates that occur in the groups are added to the series.
  const dates = isAxis
    ? compileSeries(date.grain, range, dateAt, parameters)
    : `${compileSeries(date.grain, range, dateAt, parameters)} union select d${dateAt} from g`;
  const buckets = `select day, (row_number() over (order by day))::int - 1 as bucket from (${dates}) s (day)`;
  const columns = [
    ...places.map((at) => (at === dateAt ? `b.day as d${at}` : `o.d${at}`)),
    ...measures.map(({ measure }, at) =>
      isZeroWithoutRows(measure.aggregate) ? `coalesce(g.m${at}, 0) as m${at}` : `g.m${at}`,
    ),
    'b.bucket',
  ];
  const onDate = isAxis ? `g.d${dateAt} = b.day` : `g.d${dateAt} is not distinct from b.day`;
  if (type !== 'line' && type !== 'bar')
    return `with g as (${groups}), b as (${buckets}) select g.*, b.bucket from g left join b on ${onDate}`;
  const distinct = others.map((at) => `d${at}`).join(', ');
  const values = others.length === 0 ? '' : ` cross join (select distinct ${distinct} from g) o`;
  const onAll = [onDate, ...others.map((at) => `g.d${at} is not distinct from o.d${at}`)].join(' and ');
  return `with g as (${groups}), b as (${buckets})
    select ${columns.join(', ')} from b${values} left join g on ${onAll}`;
}

/**
 * Returns SQL for the dates of a period. If the period has no beginning, the first date is the earliest in the rows.
 * A snapshot has no period, so its last date is the latest in the rows.
 */
function compileSeries(
  grain: Grain,
  range: PeriodRange | null,
  dateAt: number,
  { zone, bind }: Parameters,
): string {
  const ofRows = (end: 'min' | 'max') => `(select ${end}(d${dateAt}) from g)`;
  const from = range?.from ?? null;
  const last = range && `${bind(range.to, 'timestamptz')} - interval '1 microsecond'`;
  const unit = unitOf(grain);
  if (grain === 'hour') {
    // The series has steps of 15 minutes, because after a clock change by half an hour, local hours begin at another
    // minute.
    const first = from === null ? ofRows('min') : bind(from, 'timestamptz');
    return `select distinct date_trunc('hour', t, ${zone()}) from generate_series(${first}, ${last ?? ofRows('max')}, interval '15 minutes') t`;
  }
  const first =
    from === null
      ? ofRows('min')
      : `date_trunc('${unit}', ${bind(from, 'timestamptz')} at time zone ${zone()})`;
  const end = last === null ? ofRows('max') : `(${last}) at time zone ${zone()}`;
  const step = grain === 'quarter' ? '3 months' : `1 ${unit}`;
  return `select generate_series(${first}, ${end}, interval '${step}')`;
}
