import { scaleBand } from 'd3-scale';
import { line } from 'd3-shape';
import type { VNode } from 'preact';
import { plotHeight, roundToHundredths } from './axis';
import type { ValueAxis } from './axis';
import type { Series } from './series';

/*
 * These functions draw the lines and bars of a chart over time. The drawing is 100 units wide and is stretched to the
 * width of the chart, but the strokes keep their width.
 */

type Marks = {
  series: readonly Series[];
  axis: ValueAxis;
  /** The number of buckets. */
  count: number;
  /** Returns true if the period contains only some of the bucket's days. Such buckets are drawn differently. */
  isCut: (bucket: number) => boolean;
};

/** Lines with more buckets have no points, because the points would overlap. */
const maxDots = 40;
const stretched = {
  viewBox: `0 0 100 ${plotHeight}`,
  preserveAspectRatio: 'none',
  width: '100%',
  height: plotHeight,
};

export function drawLines({ series, axis, count, isCut }: Marks): VNode {
  const x = (at: number) => roundToHundredths((100 * (at + 0.5)) / count);
  const pathOf = (values: readonly (number | null)[], from = 0, to = count - 1) =>
    line<number | null>(
      (_, at) => x(at),
      (value) => axis.y(value ?? 0),
    ).defined((value, at) => value !== null && at >= from && at <= to)(values) ?? undefined;
  const last = count - 1;
  const [from, to] = [isCut(0) ? 1 : 0, isCut(last) ? last - 1 : last];
  return (
    <>
      <svg {...stretched}>
        {series.map(
          ({ previous, color }) => previous && <path class={`line before s-${color}`} d={pathOf(previous)} />,
        )}
        {series.map(({ values, color }) => (
          <>
            <path class={`line s-${color}`} d={pathOf(values, from, to)} />
            {isCut(0) && <path class={`line partial s-${color}`} d={pathOf(values, 0, 1)} />}
            {isCut(last) && last > 1 && <path class={`line partial s-${color}`} d={pathOf(values, to)} />}
          </>
        ))}
      </svg>
      {series.map(({ values, color }) =>
        values.map(
          (value, bucket) =>
            value !== null &&
            (count <= maxDots || isAlone(values, bucket)) && (
              <circle
                class={`dot s-${color}${isCut(bucket) ? ' partial' : ''}`}
                cx={`${x(bucket)}%`}
                cy={axis.y(value)}
                r="3"
              />
            ),
        ),
      )}
    </>
  );
}

/** True if a value has no neighbors, so that no line reaches it. */
const isAlone = (values: readonly (number | null)[], at: number): boolean =>
  (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null;

export function drawBars({ series, axis, count, isCut }: Marks): VNode {
  const buckets = scaleBand(keysTo(count), [0, 100]).paddingInner(0.25).paddingOuter(0.125);
  const inside = scaleBand(keysTo(series.length), [0, buckets.bandwidth()]).paddingInner(0.08);
  const width = inside.bandwidth();
  const left = (bucket: number, at: number) => (buckets(bucket) ?? 0) + (inside(at) ?? 0);
  const barsOf = (values: readonly (number | null)[], at: number, isDrawn: (bucket: number) => boolean) =>
    values
      .map((value, bucket) => {
        if (!value || !isDrawn(bucket)) return '';
        const x = left(bucket, at);
        return `M${fine(x)},${axis.y(0)}V${axis.y(value)}H${fine(x + width)}V${axis.y(0)}Z`;
      })
      .join('');
  /**
   * Draws each value of the comparison period as a line across its bar. The line is visible whether the bar is taller
   * or shorter.
   */
  const marksOf = (values: readonly (number | null)[], at: number) =>
    values
      .map((value, bucket) => {
        if (value === null) return '';
        const x = left(bucket, at);
        return `M${fine(x)},${axis.y(value)}H${fine(x + width)}`;
      })
      .join('');
  return (
    <svg {...stretched}>
      {series.map(({ values, previous, color }, at) => (
        <>
          <path class={`bar s-${color}`} d={barsOf(values, at, (bucket) => !isCut(bucket))} />
          <path class={`bar partial s-${color}`} d={barsOf(values, at, isCut)} />
          {previous && <path class={`mark s-${color}`} d={marksOf(previous, at)} />}
        </>
      ))}
    </svg>
  );
}

const keysTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const fine = (value: number): number => Math.round(value * 1_000) / 1_000;
