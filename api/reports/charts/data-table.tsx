import type { VNode } from 'preact';
import { html } from '../../platform/text/html';
import type { Html } from '../../platform/text/html';
import { dimensionsOf } from './block';
import type { BlockResult, Column, ResultRow } from './block';
import { formatCell } from './format';

/**
 * Renders the data of a block as a table. It is written as HTML text, because a page may have 12 tables of 500 rows
 * and JSX elements would take five times as long.
 */
export function DataTable({
  block,
  label,
  zone,
}: {
  block: BlockResult;
  label: string;
  zone: string;
}): VNode {
  const { columns, rows, previous, dataset } = block;
  const earlier = previous ? matchEarlier(block, previous.rows) : null;
  const cellOf = (row: ResultRow, column: Column, at: number): Html => {
    const text = formatCell(row[column.id], column, dataset, zone);
    const isPartial = column.grain !== undefined && row['partial'] === true;
    if (column.kind === 'dimension') return html`<td>${isPartial ? `${text} (so far)` : text}</td>`;
    const before = earlier?.[at];
    const was =
      before === undefined
        ? ''
        : html`<span class="soft small"
            >${`before: ${formatCell(before[column.id], column, dataset, zone)}`}</span
          >`;
    return html`<td class="number">${text}${was}</td>`;
  };
  /** Renders a cell of the rows for totals and others, which have no dimensions. */
  const footOf = (name: string, row: ResultRow, column: Column, at: number): Html =>
    column.kind === 'dimension'
      ? html`<th scope="row">${at === 0 ? name : ''}</th>`
      : html`<td class="number">${formatCell(row[column.id], column, dataset, zone)}</td>`;
  const head = columns.map(
    ({ label: name, kind }) =>
      html`<th scope="col" class="${kind === 'measure' ? 'number' : ''}">${name}</th>`,
  );
  const body = rows.map(
    (row, at) =>
      html`<tr>
        ${columns.map((column) => cellOf(row, column, at))}
      </tr>`,
  );
  const feet = [['Others', block.others] as const, ['Total', block.totals] as const].flatMap(([name, row]) =>
    row
      ? html`<tr>
          ${columns.map((column, at) => footOf(name, row, column, at))}
        </tr>`
      : [],
  );
  const foot =
    feet.length > 0
      ? html`<tfoot>
          ${feet}
        </tfoot>`
      : '';
  const markup = html`<thead>
      <tr>
        ${head}
      </tr>
    </thead>
    <tbody>
      ${body}
    </tbody>
    ${foot}`;
  return (
    <div class="scroll data" role="region" aria-label={label} tabindex={0}>
      <table aria-label={label} dangerouslySetInnerHTML={{ __html: markup.text }} />
    </div>
  );
}

/**
 * Returns the matching row of the comparison period for each row. Rows with dates match by the position of their date
 * in the period, and other rows by their dimensions' values.
 */
function matchEarlier(block: BlockResult, earlier: readonly ResultRow[]): (ResultRow | undefined)[] {
  const { rows } = block;
  const dimensions = dimensionsOf(block);
  const [date, ...others] = dimensions;
  const isDate = date?.grain !== undefined;
  const places = (those: readonly ResultRow[]) => {
    const dates = those.map((row) => row[date?.id ?? '']).filter((value) => typeof value === 'string');
    const values = [...new Set(dates)].sort();
    return new Map(values.map((value, at) => [value, at]));
  };
  const keysOf = (those: readonly ResultRow[]) => {
    const placeOf = isDate ? places(those) : undefined;
    const first = (row: ResultRow) => (date ? (placeOf?.get(String(row[date.id])) ?? row[date.id]) : null);
    return those.map((row) => JSON.stringify([first(row), ...others.map(({ id }) => row[id])]));
  };
  const byKey = new Map(keysOf(earlier).map((key, at) => [key, earlier[at]]));
  return keysOf(rows).map((key) => byKey.get(key));
}
