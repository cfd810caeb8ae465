import MarkdownIt from 'markdown-it';
import { plotHeight, labelStep, valueAxis } from '../charts/axis';
import { dimensionsOf, measuresOf, numberAt } from '../charts/block';
import type { BlockResult, Column, ResultRow } from '../charts/block';
import { comparisonDaysOf, daysOfBlock, rowNotes, titleOf, whyNoData } from '../charts/block-view';
import { formatBucketTick, formatCell, formatNumber, formatTick } from '../charts/format';
import { isEmpty, readChart } from '../charts/series';
import type { ChartPanel } from '../charts/series';
import { shorten } from '../language/issue';

/*
 * Turns the result of a report into a document for the template (activities/reports/report.typ), which only does the
 * layout: every number is already a text, and every position in a chart is a fraction.
 */

export type PrintedReport = {
  title: string;
  /** The texts below the title: the period, the time zone and the filters. */
  facts: string[];
  blocks: PrintedBlock[];
};

type PrintedBlock = {
  title: string;
  error: string | null;
  paragraphs: { kind: 'heading' | 'item' | 'text'; text: string }[];
  kpis: { label: string; value: string; note: string }[];
  charts: PrintedChart[];
  table: PrintedTable | null;
  notes: string[];
};

/** Values lie between 0 (bottom) and 1 (top), and positions (`at`) of labels between 0 (left) and 1 (right). */
type PrintedChart = {
  shape: 'line' | 'bar';
  series: { label: string; color: number; values: (number | null)[] }[];
  zero: number;
  ticks: { at: number; text: string }[];
  labels: { at: number; text: string }[];
};

type PrintedTable = {
  columns: { label: string; isNumber: boolean }[];
  rows: string[][];
  /**
   * The length of the bar in each row, from 0 to 1. The bar is drawn in the cell of the first number. Null if the
   * table has no bars.
   */
  bars: number[] | null;
  foot: string[][];
};

/** The maximum number of rows of a table. With 12 blocks, a document has at most about 40 pages. */
const maxRows = 100;
const maxCell = 120;
/** The width of a chart in points. Its labels must fit into this width. */
const chartWidth = 460;

type Run = { title: string; filters: Record<string, unknown>; blocks: readonly BlockResult[] };

/** Returns the document for the result of a report. */
export function printReport({ title, filters, blocks }: Run): PrintedReport {
  const zone = typeof filters['timezone'] === 'string' ? filters['timezone'] : 'UTC';
  const days = blocks.map(daysOfBlock).find((each) => each !== null) ?? null;
  return {
    title,
    facts: [...(days === null ? [] : [days]), `Time zone ${zone}`, ...describeFilters(filters)],
    blocks: blocks.map((block) => printBlock(block, zone, days)),
  };
}

function describeFilters(filters: Record<string, unknown>): string[] {
  const count = (name: string, [one, many]: [string, string]): string[] => {
    const ids = filters[name];
    return Array.isArray(ids) && ids.length > 0 ? [`${ids.length} ${ids.length === 1 ? one : many}`] : [];
  };
  return [
    ...count('position_ids', ['position', 'positions']),
    ...count('interview_ids', ['interview', 'interviews']),
    ...count('where', ['further condition', 'further conditions']),
    ...(filters['include_test'] === true ? ['Test attempts included'] : []),
  ];
}

function printBlock(block: BlockResult, zone: string, days: string | null): PrintedBlock {
  const empty = { error: null, paragraphs: [], kpis: [], charts: [], table: null, notes: [] };
  const title = block.title ?? titleOf(block);
  if (!block.ok) return { ...empty, title, error: whyNoData(block) };
  if (block.type === 'text') return { ...empty, title: block.title ?? '', paragraphs: printText(block) };
  const own = daysOfBlock(block);
  const before = comparisonDaysOf(block, zone);
  const rows = block.rows;
  const notes = [
    ...(own !== days && own !== null ? [`${own}.`] : []),
    ...(before === null ? [] : [`Compared with ${before}.`]),
    ...(rows.length === 0 ? ['No data in this period.'] : []),
    ...(rows.length > maxRows ? [`The first ${maxRows} of ${rows.length} rows.`] : []),
    ...rowNotes(block),
  ];
  if (block.type === 'kpi') return { ...empty, title, notes, kpis: printKpis(block, zone) };
  const charts = block.type === 'line' || block.type === 'bar' ? printCharts(block) : [];
  const table = rows.length === 0 ? null : printTable(block, zone, charts.length === 0);
  return { ...empty, title, notes, charts, table };
}

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** Returns the paragraphs of a Markdown text without its markup. */
function printText({ content_md: content = '' }: BlockResult): PrintedBlock['paragraphs'] {
  let [isHeading, isItem] = [false, false];
  return markdown.parse(content, {}).flatMap(({ type, content: text, children }) => {
    if (type === 'heading_open' || type === 'heading_close') isHeading = type === 'heading_open';
    if (type === 'list_item_open' || type === 'list_item_close') isItem = type === 'list_item_open';
    if (type === 'fence' || type === 'code_block') return [{ kind: 'text' as const, text }];
    if (type !== 'inline') return [];
    const words = (children ?? [])
      .map((child) => (child.type.endsWith('break') ? '\n' : child.content))
      .join('');
    return [
      {
        kind: isHeading ? ('heading' as const) : isItem ? ('item' as const) : ('text' as const),
        text: words,
      },
    ];
  });
}

function printKpis(block: BlockResult, zone: string): PrintedBlock['kpis'] {
  const { rows, previous, goal, dataset } = block;
  return measuresOf(block).map((measure, at) => {
    const earlier = numberAt(previous?.rows[0], measure.id);
    const notes = [
      ...(earlier === null ? [] : [`Before: ${formatNumber(earlier, measure.format)}`]),
      ...(at === 0 && typeof goal === 'number' ? [`Goal: ${formatNumber(goal, measure.format)}`] : []),
    ];
    const value = formatCell(rows[0]?.[measure.id], measure, dataset, zone);
    return { label: measure.label, value, note: notes.join(', ') };
  });
}

/** Returns the charts of a line or bar over time. All other blocks are printed as tables, with bars in their cells. */
function printCharts(block: BlockResult): PrintedChart[] {
  const data = readChart(block);
  const [date] = dimensionsOf(block);
  const { grain } = date ?? {};
  if (grain === undefined || isEmpty(data)) return [];
  const { keys } = data;
  const years = new Set(keys.map((key) => String(key).slice(0, 4)));
  const step = labelStep(keys.length, chartWidth, 60);
  const labels = keys.flatMap((key, at) =>
    at % step === 0
      ? [{ at: (at + 0.5) / keys.length, text: formatBucketTick(String(key), grain, years.size > 1) }]
      : [],
  );
  const shape = block.type === 'line' ? ('line' as const) : ('bar' as const);
  return data.panels.map((panel) => ({ shape, labels, ...printPanel(panel) }));
}

function printPanel({ series, format }: ChartPanel): Omit<PrintedChart, 'shape' | 'labels'> {
  const axis = valueAxis(
    series.flatMap(({ values }) => values),
    format,
  );
  const place = (value: number) => 1 - axis.y(value) / plotHeight;
  return {
    zero: place(0),
    ticks: axis.ticks.map((tick) => ({ at: place(tick), text: formatTick(tick, format) })),
    series: series.map(({ label, color, values }) => ({
      label,
      color,
      values: values.map((value) => (value === null ? null : place(value))),
    })),
  };
}

function printTable(block: BlockResult, zone: string, hasBars: boolean): PrintedTable {
  const { columns, rows, dataset } = block;
  const cell = (row: ResultRow, column: Column): string => {
    const text = formatCell(row[column.id], column, dataset, zone);
    return shorten(text, maxCell);
  };
  const isSoFar = (row: ResultRow, column: Column) => column.grain !== undefined && row['partial'] === true;
  const foot = (
    [
      ['Others', block.others],
      ['Total', block.totals],
    ] as const
  ).flatMap(([name, row]) =>
    row
      ? [columns.map((column, at) => (column.kind === 'measure' ? cell(row, column) : at === 0 ? name : ''))]
      : [],
  );
  const shown = rows.slice(0, maxRows);
  const [measure] = measuresOf(block);
  const values = shown.map((row) => Math.max(0, numberAt(row, measure?.id ?? '') ?? 0));
  const top = Math.max(...values, 0);
  const isChart = hasBars && dimensionsOf(block).length > 0 && top > 0 && block.type !== 'table';
  return {
    columns: columns.map(({ label, kind }) => ({ label, isNumber: kind === 'measure' })),
    rows: shown.map((row) =>
      columns.map((column) => `${cell(row, column)}${isSoFar(row, column) ? ' (so far)' : ''}`),
    ),
    bars: isChart ? values.map((value) => value / top) : null,
    foot,
  };
}
