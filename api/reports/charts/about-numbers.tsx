import type { VNode } from 'preact';
import { datasets } from '../../../db/reports/datasets/index';
import { dimensionsOf, measuresOf } from './block';
import type { BlockResult, Column } from './block';

/** Returns what a column means. Returns undefined if the report has given the column another name than the dataset. */
export function describeColumn(dataset: string | undefined, { id, label }: Column): string | undefined {
  const { dimensions, measures } = datasets.get(dataset ?? '') ?? {};
  const field = measures?.get(id) ?? dimensions?.get(id);
  return field?.label === label ? field.description : undefined;
}

/** Explains the numbers of a block to readers who did not build it. */
export function AboutNumbers({ block }: { block: BlockResult }): VNode | null {
  const entries = [...measuresOf(block), ...dimensionsOf(block)].flatMap((column) => {
    const description = describeColumn(block.dataset, column);
    return description === undefined ? [] : [{ label: column.label, description }];
  });
  if (entries.length === 0) return null;
  return (
    <details class="block-data">
      <summary class="soft small">About these numbers</summary>
      <dl class="about">
        {entries.map(({ label, description }) => (
          <>
            <dt>{label}</dt>
            <dd>{description}</dd>
          </>
        ))}
      </dl>
    </details>
  );
}
