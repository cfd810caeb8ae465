import { max, min } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { VNode } from 'preact';
import { roundToHundredths } from './axis';
import type { Column } from './block';
import { formatLabel, formatNumber } from './format';
import type { ChartData, ChartPanel, Series } from './series';

/** The maximum number of entries that are drawn. The table has all of them. */
export const maxEntries = 30;

type CategoryChartProps = { data: ChartData; dimension: Column; dataset: string | undefined };

/**
 * Draws horizontal bars, which leave room for long labels. Labels and values are text, so they can be read without
 * the bars.
 */
export const CategoryChart = ({ data, dimension, dataset }: CategoryChartProps): VNode => (
  <>
    {data.panels
      .map((panel) => [panel, scaleOf(panel)] as const)
      .map(([panel, x]) => (
        <ul class="bars">
          {data.keys.slice(0, maxEntries).map((key, at) => (
            <li>
              <span class="bar-label" title={formatLabel(key, dimension, dataset)}>
                {formatLabel(key, dimension, dataset)}
              </span>
              <span class="bar-rows">
                {panel.series.map((series) => (
                  <Bar {...{ series, at, x }} isNamed={panel.series.length > 1} />
                ))}
              </span>
            </li>
          ))}
        </ul>
      ))}
  </>
);

function Bar(props: { series: Series; at: number; x: (value: number) => number; isNamed: boolean }): VNode {
  const { series, at, x, isNamed } = props;
  const { label, format, color } = series;
  const [value, before] = [series.values[at] ?? null, series.previous?.[at] ?? null];
  const text = value === null ? '–' : formatNumber(value, format);
  const title = `${label}: ${text}${before === null ? '' : ` (before: ${formatNumber(before, format)})`}`;
  return (
    <span class="bar-row" title={title}>
      <svg class="bar-line" width="100%" height="14" aria-hidden="true">
        {value !== null && <rect class={`bar s-${color}`} {...spanOf(x, value)} height="14" rx="2" />}
        {before !== null && (
          <line class={`mark s-${color}`} x1={`${x(before)}%`} x2={`${x(before)}%`} y1="0" y2="14" />
        )}
      </svg>
      <span class="bar-value">
        {isNamed && <span class="skip">{`${label}: `}</span>}
        {text}
      </span>
    </span>
  );
}

function scaleOf({ series }: ChartPanel): (value: number) => number {
  const values = series.flatMap(({ values, previous }) => [...values, ...(previous ?? [])]);
  const numbers = values.filter((value) => value !== null);
  const [low, high] = [Math.min(0, min(numbers) ?? 0), Math.max(0, max(numbers) ?? 0)];
  const scale = scaleLinear([low, low === high ? low + 1 : high], [0, 100]);
  return (value) => roundToHundredths(scale(value));
}

/** Returns the span of a bar, which begins at 0. A bar whose value is not 0 is wide enough to be visible. */
function spanOf(x: (value: number) => number, value: number): { x: string; width: string } {
  const [from, to] = [Math.min(x(0), x(value)), Math.max(x(0), x(value))];
  return { x: `${from}%`, width: `${value === 0 ? 0 : Math.max(0.4, roundToHundredths(to - from))}%` };
}
