import type { VNode } from 'preact';
import { html } from '../../platform/text/html';
import { plotHeight, labelStep, roundToHundredths, valueAxis } from './axis';
import type { Column } from './block';
import { formatBucket, formatBucketTick, formatNumber, formatTick } from './format';
import { drawBars, drawLines } from './marks';
import type { ChartData, ChartPanel } from './series';

type Shape = 'line' | 'bar';
type TimeChartProps = {
  shape: Shape;
  data: ChartData;
  date: Column;
  label: string;
  goal: number | null;
  /** The width of the block in a grid of 12 columns. */
  columns: number;
};

/** The width in pixels of a whole row of the grid, and of the narrowest chart. */
const rowWidth = 1_100;
const narrowWidth = 280;
const labelWidths: Record<string, number> = { hour: 90, month: 72, quarter: 66, year: 44 };

/** Draws a line or bar chart over time. Measures that cannot share an axis have one chart each, one below the other. */
export const TimeChart = (props: TimeChartProps): VNode => (
  <>
    {props.data.panels.map((panel, index) => (
      <PanelChart {...props} panel={panel} goal={index === 0 ? props.goal : null} />
    ))}
  </>
);

function PanelChart(props: TimeChartProps & { panel: ChartPanel }): VNode {
  const { shape, data, panel, date, label, goal } = props;
  const { keys, isFirstCut, isLastCut, isRunning } = data;
  const last = keys.length - 1;
  const isCut = (at: number) => (at === 0 && isFirstCut) || (at === last && isLastCut);
  const { series, format } = panel;
  const all = series.flatMap(({ values, previous }) => [...values, ...(previous ?? [])]);
  const axis = valueAxis(goal === null ? all : [...all, goal], format);
  const ticks = axis.ticks.map((tick) => ({ tick, y: axis.y(tick), text: formatTick(tick, format) }));
  const axisWidth = Math.max(...ticks.map(({ text }) => text.length), 1) * 7 + 8;
  const draw = shape === 'line' ? drawLines : drawBars;
  return (
    <div class="chart" role="img" aria-label={`${label}: ${series.map((each) => each.label).join(', ')}`}>
      <svg class="value-axis" width={axisWidth} height={plotHeight + 32} aria-hidden="true">
        {ticks.map(({ y, text }) => (
          <text x={axisWidth - 6} y={y + 12} text-anchor="end">
            {text}
          </text>
        ))}
      </svg>
      <svg class="plot" width="100%" height={plotHeight + 32} aria-hidden="true">
        <svg y="8" width="100%" height={plotHeight} class="area">
          {ticks.map(({ tick, y }) => (
            <line class={tick === 0 ? 'zero' : 'grid'} x1="0" x2="100%" y1={y} y2={y} />
          ))}
          {draw({ series, axis, count: keys.length, isCut })}
          {goal !== null && <line class="goal" x1="0" x2="100%" y1={axis.y(goal)} y2={axis.y(goal)} />}
          <Readings keys={keys} panel={panel} date={date} runningAt={isRunning ? last : -1} />
        </svg>
        <DateLabels keys={keys} date={date} columns={props.columns} />
      </svg>
    </div>
  );
}

/**
 * Renders a strip over each bucket, whose tooltip names the bucket's values. The strips are written as HTML text,
 * because a page may have thousands of them and JSX elements would take three times as long.
 */
function Readings(props: {
  keys: readonly unknown[];
  panel: ChartPanel;
  date: Column;
  runningAt: number;
}): VNode {
  const { keys, panel, date, runningAt } = props;
  const { grain = 'day' } = date;
  const width = roundToHundredths(100 / keys.length);
  const strips = keys.map((key, at) => {
    const title = readingOf(panel, at, formatBucket(String(key), grain), at === runningAt);
    const x = roundToHundredths((100 * at) / keys.length);
    return html`<rect x="${x}%" width="${width}%" height="${plotHeight}"><title>${title}</title></rect>`;
  });
  return <g class="readings" dangerouslySetInnerHTML={{ __html: html`${strips}`.text }} />;
}

function readingOf({ series }: ChartPanel, at: number, bucket: string, isPartial: boolean): string {
  let text = isPartial ? `${bucket} (so far)` : bucket;
  for (const { label, format, values, previous } of series) {
    const [value, before] = [values[at] ?? null, previous?.[at] ?? null];
    text += `\n${label}: ${value === null ? '–' : formatNumber(value, format)}`;
    if (before !== null) text += ` (before: ${formatNumber(before, format)})`;
  }
  return text;
}

/** Labels as many dates as there is room for. In a narrow window, some of them are hidden. */
function DateLabels({
  keys,
  date,
  columns,
}: {
  keys: readonly unknown[];
  date: Column;
  columns: number;
}): VNode {
  const grain = date.grain ?? 'day';
  const years = new Set([keys[0], keys.at(-1)].map((key) => String(key).slice(0, 4)));
  const labelWidth = labelWidths[grain] ?? (years.size > 1 ? 96 : 60);
  const step = labelStep(keys.length, (rowWidth * columns) / 12 - 60, labelWidth);
  const narrowStep = step * Math.ceil(labelStep(keys.length, narrowWidth, labelWidth) / step);
  const shown = keys.flatMap((key, at) => (at % step === 0 ? [[key, at] as const] : []));
  return (
    <>
      {shown.map(([key, at]) => (
        <text
          class={at % narrowStep === 0 ? undefined : 'if-wide'}
          x={`${roundToHundredths((100 * (at + 0.5)) / keys.length)}%`}
          y={plotHeight + 26}
          text-anchor="middle"
        >
          {formatBucketTick(String(key), grain, years.size > 1)}
        </text>
      ))}
    </>
  );
}
