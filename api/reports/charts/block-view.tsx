import type { ComponentChildren, VNode } from 'preact';
import { defaultWidthOf } from '../language/limits';
import { AboutNumbers } from './about-numbers';
import { dimensionsOf, measuresOf } from './block';
import type { BlockResult } from './block';
import { CategoryChart, maxEntries } from './category-chart';
import { DataTable } from './data-table';
import { formatDays, formatNumber } from './format';
import { FunnelChart } from './funnel-chart';
import { KpiCards } from './kpi-cards';
import { isPie, PieChart, Swatch } from './pie-chart';
import { ReportText } from './report-text';
import { isEmpty, readChart } from './series';
import type { ChartData } from './series';
import { TimeChart } from './time-chart';

type BlockViewProps = {
  block: BlockResult;
  /** The time zone of the report. */
  zone: string;
  /** The days of the report's period, shown above all blocks. A block with the same period does not repeat them. */
  days: string | null;
  /** The address of the block as CSV. A preview has none. */
  csv?: string | undefined;
};

/** Renders a block of a report: its title, its chart, notes about its data, and the data as a table. */
export function BlockView(props: BlockViewProps): VNode {
  const { block, csv } = props;
  const title = block.title ?? titleOf(block);
  return (
    <section class={`panel block w-${block.width ?? defaultWidth(block)}`} aria-label={title}>
      <header class="block-head">
        <h2>{title}</h2>
        {csv !== undefined && block.ok && block.type !== 'text' && (
          <a class="small no-print" href={csv} aria-label={`CSV: ${title}`}>
            CSV
          </a>
        )}
      </header>
      {block.ok ? <Content {...props} title={title} /> : <p class="block-error">{whyNoData(block)}</p>}
    </section>
  );
}

/**
 * Returns why a block has no data. For a dataset that the account or role does not include, the error's list of valid
 * datasets is left out, because a reader cannot change the report.
 */
export function whyNoData({ error, details = [] }: BlockResult): string {
  const [issue] = details;
  if (issue === undefined) return error ?? 'This block has no data.';
  if (issue['code'] === 'unknown_dataset')
    return 'This block uses data that your role or account does not include.';
  return `This block is no longer valid: ${error ?? ''}`;
}

const defaultWidth = ({ type }: BlockResult): number => defaultWidthOf(type ?? '');

/** Returns a title for a block that has none: its measures, and the dimensions by which they are grouped. */
export function titleOf(block: BlockResult): string {
  if (block.type === 'text') return 'Note';
  const measures = measuresOf(block).map(({ label }) => label);
  const dimensions = dimensionsOf(block).map(({ label, grain }) => grain ?? label);
  if (measures.length === 0) return dimensions.join(', ') || block.block_id;
  return [measures.join(', '), ...(dimensions.length > 0 ? [dimensions.join(', ').toLowerCase()] : [])].join(
    ' by ',
  );
}

/** Returns the days of a block's period, or null if the block has no period or the period has no beginning. */
export const daysOfBlock = ({ period }: BlockResult): string | null =>
  period?.first_day ? formatDays(period.first_day, period.last_day) : null;

const localDay = (instant: number, zone: string): string =>
  new Date(instant).toLocaleDateString('sv-SE', { timeZone: zone });

/** Returns the days of a block's comparison period, or null if the block has none. */
export function comparisonDaysOf({ previous }: BlockResult, zone: string): string | null {
  if (!previous?.period.from) return null;
  const { from, to } = previous.period;
  return formatDays(localDay(Date.parse(from), zone), localDay(Date.parse(to) - 1, zone));
}

function Content({ block, zone, days, title }: BlockViewProps & { title: string }): VNode {
  if (block.type === 'text') return <ReportText markdown={block.content_md ?? ''} />;
  const own = daysOfBlock(block);
  const before = comparisonDaysOf(block, zone);
  const hasRows = block.rows.length > 0;
  const chart = hasRows ? drawChart(block, title, zone, before) : null;
  return (
    <>
      {own !== days && own !== null && <p class="soft small block-note">{own}</p>}
      {before !== null && <p class="soft small block-note">Compared with {before}</p>}
      {chart?.drawing ?? (
        <p class="soft block-empty">{own === null ? 'No data yet.' : `No data for ${own}.`}</p>
      )}
      <Notes notes={[...(chart?.notes ?? []), ...rowNotes(block)]} />
      {hasRows && block.type !== 'table' && block.type !== 'kpi' && (
        <details class="block-data">
          <summary class="soft small">Show data</summary>
          <DataTable block={block} label={`${title}, data`} zone={zone} />
        </details>
      )}
      <AboutNumbers block={block} />
    </>
  );
}

const Notes = ({ notes }: { notes: readonly string[] }): VNode | null =>
  notes.length === 0 ? null : <p class="soft small block-note">{notes.join(' ')}</p>;

const filterNames: Record<string, string> = {
  position_ids: 'position',
  interview_ids: 'interview',
  include_test: 'test attempts',
  period: 'period',
};

/** Returns notes about the rows of a block, for example that only the first rows are shown. */
export function rowNotes({ truncated, rows, others, not_applied: notApplied = [] }: BlockResult): string[] {
  const names = notApplied.map((name) => filterNames[name] ?? name.replace(/^where\./, ''));
  return [
    ...(truncated && !others ? [`Only the first ${rows.length} rows are shown.`] : []),
    ...(names.length > 0 ? [`Not filtered by ${names.join(', ')}.`] : []),
  ];
}

type Drawn = { drawing: ComponentChildren; notes?: string[] };

/** Returns the chart of a block that has rows, null if there is nothing to draw. */
function drawChart(block: BlockResult, title: string, zone: string, before: string | null): Drawn | null {
  if (block.type === 'kpi') return { drawing: <KpiCards {...{ block, zone, before }} /> };
  if (block.type === 'table') return { drawing: <DataTable block={block} label={title} zone={zone} /> };
  const data = readChart(block);
  if (isEmpty(data)) return null;
  if (block.type === 'funnel') return { drawing: <FunnelChart block={block} /> };
  if (block.type === 'pie' && isPie(block))
    return { drawing: <PieChart block={block} label={`${title}, shares`} /> };
  const [first] = dimensionsOf(block);
  if (!first) return null;
  const goal = first.grain === undefined ? null : (block.goal ?? null);
  const legend = <Legend data={data} before={before} goal={goal} isLine={block.type === 'line'} />;
  const hidden =
    data.hidden > 0
      ? [
          `The chart shows the ${data.panels[0]?.series.length} largest series; the data has ${data.hidden} more.`,
        ]
      : [];
  if (first.grain === undefined) {
    const rest = data.keys.length - maxEntries;
    const more =
      rest > 0 ? [`The chart shows the first ${maxEntries} entries; the data has ${rest} more.`] : [];
    return {
      drawing: (
        <>
          {legend}
          <CategoryChart data={data} dimension={first} dataset={block.dataset} />
        </>
      ),
      notes: [...more, ...hidden],
    };
  }
  return {
    drawing: (
      <>
        {legend}
        <TimeChart
          shape={block.type === 'line' ? 'line' : 'bar'}
          data={data}
          date={first}
          label={title}
          goal={goal}
          columns={block.width ?? defaultWidth(block)}
        />
      </>
    ),
    notes: [...cutNotes(data, first.grain), ...hidden],
  };
}

function cutNotes({ isFirstCut, isLastCut, isRunning, keys }: ChartData, grain: string): string[] {
  const isOne = keys.length === 1;
  const partly = (place: string) => `The ${place}${grain} is only partly in this period.`;
  if (isOne && isFirstCut && isRunning)
    return [`The ${grain} is not over yet, and it began before this period.`];
  return [
    ...(isFirstCut ? [partly(isOne ? '' : 'first ')] : []),
    ...(isRunning ? [`The ${isOne ? '' : 'last '}${grain} is not over yet.`] : []),
    ...(isLastCut && !isRunning && !(isOne && isFirstCut) ? [partly(isOne ? '' : 'last ')] : []),
  ];
}

/**
 * Lists the names of the series. A single series without a comparison or a goal gets no legend, because the title of
 * the block names it.
 */
function Legend(props: {
  data: ChartData;
  before: string | null;
  goal: number | null;
  isLine: boolean;
}): VNode | null {
  const { data, before, goal, isLine } = props;
  const series = data.panels.flatMap((panel) => panel.series);
  if (series.length < 2 && before === null && goal === null) return null;
  return (
    <ul class="legend chart-legend">
      {series.map(({ label, color }) => (
        <li>
          <Swatch color={`s-${color}`} /> {label}
        </li>
      ))}
      {before !== null && (
        <li>
          <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
            <path class={isLine ? 'line before s-before' : 'mark'} d="M0,5H10" />
          </svg>{' '}
          {before}
        </li>
      )}
      {goal !== null && (
        <li>
          <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
            <path class="goal" d="M0,5H10" />
          </svg>{' '}
          Goal {formatNumber(goal, series[0]?.format ?? 'integer')}
        </li>
      )}
    </ul>
  );
}
