import type { DataRow } from './block-data';
import type { Column } from './run-reply';

/** Excel reads UTF-8 only with this mark. */
const byteOrderMark = '\uFEFF';

/** The units of numbers that have one, as the headings name them. */
const units: Readonly<Record<string, string>> = { duration: ' (s)', percent: ' (0–1)' };

/**
 * Writes rows as CSV (RFC 4180) with the labels of the columns and their units first. A text that a spreadsheet would
 * read as a formula gets an apostrophe before it.
 */
export function writeCsv(
  columns: readonly (Pick<Column, 'id' | 'label'> & { format?: string })[],
  rows: readonly DataRow[],
): string {
  const lines = [
    columns.map(({ label, format }) => `${label}${units[format ?? ''] ?? ''}`),
    ...rows.map((row) => columns.map(({ id }) => row[id] ?? '')),
  ];
  return byteOrderMark + lines.map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join('');
}

function writeCell(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const safe = /^[\s\p{Cf}\p{Cc}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u.test(value)
    ? `'${value}`
    : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
