import { datasets } from '../../../db/reports/datasets/index';
import { groupByAxis, dimensionsOf, measuresOf, numberAt } from './block';
import type { BlockResult, Column, ResultRow } from './block';
import { formatLabel } from './format';

/** The maximum number of series of a chart: one for each color of the palette. */
export const maxSeries = 8;

export type Series = {
  label: string;
  /** The index of the series' color in the palette. */
  color: number;
  format: string;
  /** There is one value for each entry of `keys`. */
  values: (number | null)[];
  /** The values of the comparison period. Null without a comparison. */
  previous: (number | null)[] | null;
};
/** Series that share a value axis. */
export type ChartPanel = { format: string; series: Series[] };

export type ChartData = {
  /** The values of the first dimension. */
  keys: unknown[];
  panels: ChartPanel[];
  /**
   * `isFirstCut` is true if the period begins within the first bucket, so that only some of the bucket's days belong
   * to the period. `isLastCut` is true if the period ends within the last bucket.
   */
  isFirstCut: boolean;
  isLastCut: boolean;
  /** True if the last bucket is not over yet. */
  isRunning: boolean;
  /** The number of series that only the table shows. */
  hidden: number;
};

/**
 * Arranges the rows of a line or bar. `keys` gets one entry per value of the first dimension. There is one series per
 * measure or, with a second dimension, one per value of that dimension.
 */
export function readChart(block: BlockResult): ChartData {
  const data = arrange(block);
  for (const [color, series] of data.panels.flatMap((panel) => panel.series).entries()) series.color = color;
  return data;
}

function arrange(block: BlockResult): ChartData {
  const [first, second] = dimensionsOf(block);
  const { previous } = block;
  const rows = block.rows.filter((row) => !isNothing(row, block));
  const keys = keysOf(rows, first);
  const isRunning = rows.some((row) => row['partial'] === true);
  const shared = {
    keys,
    isRunning,
    ...cutsOf(block, keys, first?.grain),
    ...(isRunning ? { isLastCut: true } : {}),
  };
  const isDate = first?.grain !== undefined;
  const placesOf = (those: readonly ResultRow[]) => placesBy(isDate ? keysOf(those, first) : keys);
  const read = (measure: Column, those: readonly ResultRow[]) => {
    const places = placesOf(those);
    const values = Array.from({ length: keys.length }, (): number | null => null);
    for (const row of those) {
      const at = places.get(row[first?.id ?? '']);
      if (at !== undefined && at < values.length) values[at] = numberAt(row, measure.id);
    }
    return values;
  };
  const seriesOf = (measure: Column, label: string, isOf: (row: ResultRow) => boolean): Series => ({
    label,
    color: 0,
    format: measure.format,
    values: read(measure, rows.filter(isOf)),
    previous: previous ? read(measure, previous.rows.filter(isOf)) : null,
  });
  const measures = measuresOf(block);
  if (!second || !measures[0]) {
    const panels = groupByAxis(measures).map((group) => ({
      format: axisFormat(group),
      series: group.map((measure) => seriesOf(measure, measure.label, () => true)),
    }));
    return { ...shared, panels, hidden: 0 };
  }
  const [measure] = measures;
  const values = inOrder([...new Set(rows.map((row) => row[second.id]))], second, block.dataset);
  const all = values.map((value) =>
    seriesOf(measure, formatLabel(value, second, block.dataset), (row) => row[second.id] === value),
  );
  const series = all.length > maxSeries ? largest(all) : all;
  return {
    ...shared,
    panels: [{ format: measure.format, series }],
    hidden: all.length - series.length,
  };
}

/**
 * Returns true for a row that has a null dimension and whose measures are all 0 or null. Charts leave such a row out,
 * and only the table shows it.
 */
const isNothing = (row: ResultRow, block: BlockResult): boolean =>
  dimensionsOf(block).some(({ id }) => row[id] === null) && measuresOf(block).every(({ id }) => !row[id]);

function cutsOf({ period }: BlockResult, keys: readonly unknown[], grain: string | undefined) {
  if (!period || grain === undefined || grain === 'hour' || keys.length === 0)
    return { isFirstCut: false, isLastCut: false };
  return {
    isFirstCut: period.first_day !== null && String(keys[0]) < period.first_day,
    isLastCut: lastDayOf(String(keys.at(-1)), grain) > period.last_day,
  };
}

/** Returns the last day of a bucket. */
function lastDayOf(day: string, grain: string): string {
  const end = new Date(`${day}T00:00:00Z`);
  if (grain === 'week') end.setUTCDate(end.getUTCDate() + 6);
  const months = { month: 1, quarter: 3, year: 12 }[grain];
  if (months !== undefined) end.setUTCMonth(end.getUTCMonth() + months, 0);
  return end.toISOString().slice(0, 10);
}

/**
 * Returns the values of the first dimension. Dates are in chronological order, and other values are in the order of
 * the rows.
 */
function keysOf(rows: readonly ResultRow[], first: Column | undefined): unknown[] {
  const keys = [...new Set(rows.map((row) => row[first?.id ?? '']))];
  if (first?.grain === undefined) return keys;
  // Rows with a null date have no place on the axis. `align` in block-data.ts, for example, adds such rows to a
  // comparison period that is shorter than the period itself.
  const dates = keys.filter((key) => typeof key === 'string');
  const instants = new Map(dates.map((key) => [key, Date.parse(key)]));
  return dates.sort((a, b) => (instants.get(a) ?? 0) - (instants.get(b) ?? 0));
}

const placesBy = (keys: readonly unknown[]) => new Map(keys.map((key, at) => [key, at]));

/** Sorts values in the order in which the dataset lists them, such as score bands. A missing value comes last. */
function inOrder(values: readonly unknown[], { id }: Column, dataset = ''): unknown[] {
  const listed: readonly unknown[] = datasets.get(dataset)?.dimensions.get(id)?.values ?? [];
  const placeOf = (value: unknown) => (value === null ? Infinity : listed.indexOf(value));
  return values.toSorted((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
}

/** Returns the format of an axis that several measures share. It is `integer` only if all of them are integers. */
const axisFormat = (measures: readonly Column[]): string =>
  measures.find(({ format }) => format !== 'integer')?.format ?? 'integer';

const sizeOf = ({ values }: Series): number =>
  values.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0);

const largest = (all: readonly Series[]): Series[] =>
  all.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, maxSeries);

/** Returns true if there is nothing to draw: every value is missing or 0. */
export const isEmpty = ({ panels }: ChartData): boolean =>
  panels.every(({ series }) =>
    series.every(({ values, previous }) => [...values, ...(previous ?? [])].every((value) => !value)),
  );
