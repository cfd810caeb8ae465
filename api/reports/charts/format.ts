import { datasets } from '../../../db/reports/datasets/index';
import { writeTime } from '../../platform/site/times';
import type { Column } from './block';

const locale = 'en-US';
const upTo = (maximumFractionDigits: number, more: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(locale, { maximumFractionDigits, ...more });
const exactly = (digits: number, more: Intl.NumberFormatOptions = {}) =>
  upTo(digits, { minimumFractionDigits: digits, ...more });
const formats: Record<string, Intl.NumberFormat> = {
  integer: upTo(0),
  decimal1: exactly(1),
  decimal2: exactly(2),
  score: exactly(1),
  percent: exactly(1, { style: 'percent' }),
};
const shortPercent = upTo(1, { style: 'percent' });
const otherNumbers = upTo(2);
const short = upTo(1, { notation: 'compact' });

/** Formats a number by the format of its column, such as `1,234`, `12.5%` or `12 min 5 s`. */
export function formatNumber(value: number, format: string): string {
  if (format === 'duration') return formatDuration(value);
  if (value === 0 && format !== 'percent') return '0';
  return (formats[format] ?? otherNumbers).format(value).replace('-', '−');
}

/** Formats a number for an axis, where there is little room. */
export function formatTick(value: number, format: string): string {
  if (format === 'duration') return formatDuration(value);
  if (format === 'percent') return shortPercent.format(value);
  return Math.abs(value) >= 10_000 ? short.format(value) : otherNumbers.format(value);
}

/** Units of time with their length in seconds, the largest first. */
export const timeUnits = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** Formats seconds in their two largest units, such as `2 d 4 h`. */
function formatDuration(seconds: number): string {
  const sign = seconds < 0 ? '−' : '';
  const size = Math.abs(seconds);
  if (size < 60) return `${sign}${otherNumbers.format(size < 10 ? size : Math.round(size))} s`;
  const first = timeUnits.findIndex(([, unit]) => size >= unit);
  const [name, unit] = timeUnits[first] ?? timeUnits[3];
  const [smallName, smallUnit] = timeUnits[first + 1] ?? timeUnits[3];
  const rounded = Math.round(size / smallUnit) * smallUnit;
  const rest = Math.floor((rounded % unit) / smallUnit);
  const whole = Math.floor(rounded / unit);
  return `${sign}${whole} ${name}${rest > 0 ? ` ${rest} ${smallName}` : ''}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const partsOf = (day: string) => ({
  year: day.slice(0, 4),
  month: Number(day.slice(5, 7)),
  day: Number(day.slice(8, 10)),
});

/** Formats a local day, such as `Jan 5, 2026`. */
function formatDay(text: string): string {
  const { year, month, day } = partsOf(text);
  return `${months[month - 1] ?? ''} ${day}, ${year}`;
}

/** Formats local days as a range, such as `Jan 5 – Feb 3, 2026`. */
export function formatDays(first: string, last: string): string {
  if (first === last) return formatDay(first);
  const isSameYear = first.slice(0, 4) === last.slice(0, 4);
  return `${isSameYear ? formatDay(first).slice(0, -6) : formatDay(first)} – ${formatDay(last)}`;
}

/** Formats the date of a bucket by its grain, such as `Week of Jan 5, 2026`. */
export function formatBucket(text: string, grain: string): string {
  const { year, month } = partsOf(text);
  if (grain === 'hour') return `${formatDay(text)}, ${text.slice(11, 16)}`;
  if (grain === 'week') return `Week of ${formatDay(text)}`;
  if (grain === 'month') return `${months[month - 1] ?? ''} ${year}`;
  if (grain === 'quarter') return `Q${Math.ceil(month / 3)} ${year}`;
  return grain === 'year' ? year : formatDay(text);
}

/**
 * Formats the date of a bucket by its grain, for an axis. Days include the year only if the dates of the axis lie in
 * several years.
 */
export function formatBucketTick(text: string, grain: string, hasYears: boolean): string {
  if (grain === 'hour') return `${formatDay(text).slice(0, -6)}, ${text.slice(11, 16)}`;
  if (grain !== 'day' && grain !== 'week') return formatBucket(text, grain);
  return hasYears ? formatDay(text) : formatDay(text).slice(0, -6);
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const startLower = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/**
 * Formats a value of a dimension. Codes of the platform, such as `undecided`, are written as words. A missing value is
 * named after the dimension, such as `No position`.
 */
export function formatLabel(value: unknown, column: Column, dataset?: string): string {
  if (value === null || value === undefined || value === '')
    return column.grain === undefined ? `No ${startLower(column.label)}` : 'No date';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (column.grain !== undefined) return formatBucket(text, column.grain);
  if (column.id === 'day_of_week') return weekdays[Number(text) - 1] ?? text;
  const isCode = datasets.get(dataset ?? '')?.dimensions.get(column.id)?.values !== undefined;
  if (!isCode) return text;
  const words = text.replaceAll('_', ' ').replace(/(\d)-(\d)/, '$1–$2');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Formats a cell of a table. Values of dimensions are written as words, and missing numbers as a dash. */
export function formatCell(
  value: unknown,
  column: Column,
  dataset: string | undefined,
  zone: string,
): string {
  if (column.kind === 'dimension') return formatLabel(value, column, dataset);
  if (typeof value === 'number') return formatNumber(value, column.format);
  if (typeof value === 'string' && column.type === 'date') return writeTime(value, zone);
  return value === null || value === undefined ? '–' : formatLabel(value, column, dataset);
}
