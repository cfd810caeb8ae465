import type { ComponentChildren, VNode } from 'preact';
import { describeColumn } from './about-numbers';
import { measuresOf, numberAt } from './block';
import type { BlockResult, Column } from './block';
import { formatCell, formatNumber } from './format';

/** Renders one card per measure with its value and its change since the previous period. */
export function KpiCards({
  block,
  zone,
  before,
}: {
  block: BlockResult;
  zone: string;
  before: string | null;
}): VNode {
  const { rows, goal } = block;
  return (
    <dl class="kpis">
      {measuresOf(block).map((measure, at) => (
        <div class="kpi">
          <dt title={describeColumn(block.dataset, measure)}>{measure.label}</dt>
          <dd>
            <span class="kpi-value">{formatCell(rows[0]?.[measure.id], measure, block.dataset, zone)}</span>
            <Delta block={block} measure={measure} before={before} />
            {at === 0 && typeof goal === 'number' && (
              <span class="soft small">Goal: {formatNumber(goal, measure.format)}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Delta(props: { block: BlockResult; measure: Column; before: string | null }): VNode | null {
  const { previous } = props.block;
  const { id, format } = props.measure;
  if (!previous) return null;
  const earlier = numberAt(previous.rows[0], id);
  if (earlier === null) return <span class="soft small">No value before</span>;
  const { abs = null, pct = null } = previous.delta?.[id] ?? {};
  const was = formatNumber(earlier, format);
  return (
    <span class="delta" title={props.before ?? undefined}>
      {abs === null ? null : changeOf(abs, pct, format)} <span class="small">Before: {was}</span>
    </span>
  );
}

/** Describes a change: in percentage points for rates, and in percent of the earlier value for other numbers. */
function changeOf(abs: number, pct: number | null, format: string): ComponentChildren {
  const size = Math.abs(abs);
  const isRate = format === 'percent';
  const text = isRate
    ? `${Math.round(size * 1_000) / 10} points`
    : formatNumber(Math.abs(pct ?? 0), 'percent');
  if (abs === 0 || (isRate && size < 0.0005)) return 'No change';
  if (!isRate && pct === null) return null;
  return (
    <>
      <Arrow isUp={abs > 0} />
      <span class="skip">{abs > 0 ? 'Up by ' : 'Down by '}</span>
      {text}
    </>
  );
}

/** Draws an arrow, because not every font has one. */
const Arrow = ({ isUp }: { isUp: boolean }): VNode => (
  <svg class="arrow" viewBox="0 0 10 10" aria-hidden="true">
    <path d={isUp ? 'M5,1L10,9H0Z' : 'M5,9L10,1H0Z'} />
  </svg>
);
