import type { Column, Row } from './block-data';

/** Excel reads UTF-8 only with this mark. */
const byteOrderMark = '\uFEFF';

/**
 * Writes rows as CSV (RFC 4180) with the labels of the columns first. A text that a spreadsheet would read as a
 * formula gets an apostrophe before it.
 */
export function writeCsv(columns: readonly Pick<Column, 'id' | 'label'>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ label }) => label),
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
