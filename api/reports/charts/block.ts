import type { z } from 'zod';
import { firstShareSuffix } from '../language/limits';
import type { blockReply, Column } from '../runs/run-reply';

export type { Column };

/** The result of a block, as `report-run` returns it. */
export type BlockResult = z.output<typeof blockReply>;
export type ResultRow = Record<string, unknown>;

export const dimensionsOf = ({ columns }: BlockResult): Column[] =>
  columns.filter(({ kind }) => kind === 'dimension');

export const measuresOf = ({ columns }: BlockResult): Column[] =>
  columns.filter(({ id, kind }) => kind === 'measure' && !id.endsWith(firstShareSuffix));

/** Returns the number in a cell, or null if the cell contains no number. */
export const numberAt = (row: ResultRow | undefined, id: string): number | null => {
  const value = row?.[id];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};

/** Groups measures that can share an axis. A count and a score cannot. */
export function groupByAxis(measures: readonly Column[]): Column[][] {
  const groups = new Map<string, Column[]>();
  for (const measure of measures) {
    const axis = ['integer', 'decimal1', 'decimal2'].includes(measure.format) ? 'number' : measure.format;
    groups.set(axis, [...(groups.get(axis) ?? []), measure]);
  }
  return [...groups.values()];
}
