import { arc, pie } from 'd3-shape';
import type { VNode } from 'preact';
import { dimensionsOf, measuresOf, numberAt } from './block';
import type { BlockResult } from './block';
import { formatLabel, formatNumber } from './format';
import { maxSeries } from './series';

type Slice = { label: string; value: number; isRest: boolean };

/** Draws a ring with a legend of values and shares. Slices after the seventh are drawn as one. */
export function PieChart({ block, label }: { block: BlockResult; label: string }): VNode {
  const { format = 'integer' } = measuresOf(block)[0] ?? {};
  const slices = slicesOf(block);
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const draw = arc<{ startAngle: number; endAngle: number }>().innerRadius(58).outerRadius(96);
  const angles = pie<Slice>()
    .sort(null)
    .value(({ value }) => value)(slices);
  return (
    <div class="pie">
      <svg viewBox="-100 -100 200 200" role="img" aria-label={label}>
        {angles.map(({ startAngle, endAngle, data }, at) => (
          <path class={`slice ${colorOf(data, at)}`} d={draw({ startAngle, endAngle }) ?? undefined}>
            <title>{`${data.label}: ${formatNumber(data.value, format)} (${share(data.value, total)})`}</title>
          </path>
        ))}
        {isSum(format) && (
          <text class="pie-total" text-anchor="middle" dy="0.35em">
            {formatNumber(total, format)}
          </text>
        )}
      </svg>
      <ul class="pie-legend">
        {slices.map((slice, at) => (
          <li>
            <Swatch color={colorOf(slice, at)} />
            <span class="pie-label" title={slice.label}>
              {slice.label}
            </span>
            <span class="number">{formatNumber(slice.value, format)}</span>
            <span class="number soft">{isSum(format) ? share(slice.value, total) : ''}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Draws the colored square of an entry of a legend. */
export const Swatch = ({ color }: { color: string }): VNode => (
  <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
    <rect class={`bar ${color}`} width="10" height="10" rx="2" />
  </svg>
);

/** True if values of this format can be added up, unlike averages and rates. */
const isSum = (format: string): boolean => ['integer', 'decimal1', 'decimal2', 'duration'].includes(format);

const share = (value: number, total: number): string =>
  formatNumber(total === 0 ? 0 : value / total, 'percent');
const colorOf = ({ isRest }: Slice, at: number): string => (isRest ? 's-rest' : `s-${at % maxSeries}`);

function slicesOf(block: BlockResult): Slice[] {
  const [dimension] = dimensionsOf(block);
  const [measure] = measuresOf(block);
  if (!dimension || !measure) return [];
  const all = block.rows.map((row) => ({
    label: formatLabel(row[dimension.id], dimension, block.dataset),
    value: numberAt(row, measure.id) ?? 0,
    isRest: false,
  }));
  const drawn = all.filter(({ value }) => value !== 0);
  const others = block.others ? (numberAt(block.others, measure.id) ?? 0) : 0;
  const most = others > 0 ? maxSeries - 1 : maxSeries;
  if (!isSum(measure.format)) return drawn;
  const rest = drawn.length > most ? drawn.slice(maxSeries - 1) : [];
  const value = rest.reduce((sum, each) => sum + each.value, others);
  const kept = drawn.slice(0, drawn.length - rest.length);
  if (value === 0) return kept;
  return [...kept, { label: others > 0 ? 'Others' : `${rest.length} others`, value, isRest: true }];
}

/** Returns true if the values can be slices: none is negative, and one is more than 0. */
export function isPie(block: BlockResult): boolean {
  const [measure] = measuresOf(block);
  const values = block.rows.map((row) => numberAt(row, measure?.id ?? '') ?? 0);
  return values.every((value) => value >= 0) && values.some((value) => value > 0);
}
