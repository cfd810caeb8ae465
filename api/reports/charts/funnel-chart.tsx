import type { VNode } from 'preact';
import { roundToHundredths } from './axis';
import { dimensionsOf, measuresOf, numberAt } from './block';
import type { BlockResult } from './block';
import { formatLabel, formatNumber } from './format';

type Step = { label: string; value: number | null; ofFirst: number | null };

/** Draws the steps of a funnel below each other, with their shares of the first and of the previous step. */
export function FunnelChart({ block }: { block: BlockResult }): VNode {
  const { format = 'integer' } = measuresOf(block)[0] ?? {};
  const steps = stepsOf(block);
  const largest = Math.max(...steps.map(({ value }) => value ?? 0), 0) || 1;
  return (
    <ol class="funnel">
      {steps.map(({ label, value, ofFirst }, at) => {
        const width = roundToHundredths((100 * Math.max(0, value ?? 0)) / largest);
        return (
          <li>
            <span class="bar-label" title={label}>
              {label}
            </span>
            <svg class="bar-line" width="100%" height="30" aria-hidden="true">
              <rect
                class="bar s-0"
                x={`${roundToHundredths((100 - width) / 2)}%`}
                width={`${width}%`}
                height="30"
                rx="3"
              />
            </svg>
            <span class="bar-value">
              <strong>{value === null ? '–' : formatNumber(value, format)}</strong>
              {at > 0 && (
                <span class="soft small">
                  {` ${share(ofFirst)} of first, ${share(fraction(value, steps[at - 1]?.value))} of previous`}
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

const share = (value: number | null): string => (value === null ? '–' : formatNumber(value, 'percent'));
const fraction = (value: number | null, before: number | null | undefined): number | null =>
  value === null || !before ? null : value / before;

function stepsOf(block: BlockResult): Step[] {
  const { rows, dataset } = block;
  const [dimension] = dimensionsOf(block);
  const measures = measuresOf(block);
  if (!dimension)
    return measures.map(({ id, label }) => ({
      label,
      value: numberAt(rows[0], id),
      ofFirst: numberAt(rows[0], `${id}_of_first`),
    }));
  const { id = '' } = measures[0] ?? {};
  return rows.map((row) => ({
    label: formatLabel(row[dimension.id], dimension, dataset),
    value: numberAt(row, id),
    ofFirst: numberAt(row, `${id}_of_first`),
  }));
}
