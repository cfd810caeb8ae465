import { measureLimits, whyNotFitting } from '../language/block-shapes';
import type { DataType } from '../language/block-shapes';
import {
  blocksOf,
  datasetOf,
  fieldIdOf,
  freeId,
  listOrEmpty,
  shapeOf,
  withBlocks,
  withChangedKeys,
} from './edits';
import type { BlockDraft, Catalog, DefinitionDraft, BlockEntry, Field } from './edits';

type Range = readonly number[];

/**
 * Adds a block of a type at the end. The block gets the last block's dataset, if that dataset has the dimensions that
 * the type needs (a line, for example, needs a date), and the first fields of the dataset that fit the type.
 */
export function addBlock(definition: DefinitionDraft, type: string, catalog: Catalog): DefinitionDraft {
  const [needed = 0] = shapeOf(catalog, type)?.dimensions ?? [];
  const last = blocksOf(definition).findLast(({ dataset }) => datasetOf(catalog, dataset));
  const dataset = [datasetOf(catalog, last?.dataset), ...catalog.datasets].find(
    (each) => each && each.fields.filter((field) => fitsDimension(type, field, [])).length >= needed,
  );
  const block = withChangedKeys({ id: freeId(definition, type), type }, { dataset: dataset?.id });
  return withBlocks(definition, [...blocksOf(definition), fitBlock(block, catalog)]);
}

const fits = (kind: Field['kind'], type: string, field: Field): boolean =>
  field.kind === kind && (!field.table_only || type === 'table');
/** Returns true if a block of this type can have the field after the dimensions `before`. */
export const fitsDimension = (type: string, field: Field, before: Field[]): boolean =>
  fits('dimension', type, field) && whyNotFitting(type as DataType, field, before) === undefined;
export const fitsMeasure = (type: string, field: Field): boolean => fits('measure', type, field);

export const fieldToBlockEntry = ({ id, grains }: Field): BlockEntry =>
  grains ? { field: id, grain: grains.includes('week') ? 'week' : grains[0] } : id;

/**
 * Returns the block without the keys that its type or dataset does not allow. Missing keys that the type requires
 * are added.
 */
export function fitBlock(block: BlockDraft, catalog: Catalog): BlockDraft {
  const shape = shapeOf(catalog, block.type);
  const dataset = datasetOf(catalog, block.dataset) ?? catalog.datasets[0];
  if (!shape || !dataset) return block;
  const kept = Object.fromEntries(
    Object.entries(block).filter(([key]) => (shape.keys as readonly string[]).includes(key)),
  ) as BlockDraft;
  if (block.type === 'text') return { content_md: 'Write a note.', ...kept };
  const fieldOf = (entry: BlockEntry) => dataset.fields.find(({ id }) => id === fieldIdOf(entry));
  /** Keeps the entries that fit, and adds fields that fit while there are fewer than the minimum. */
  const fill = (
    entries: BlockEntry[],
    [min = 0, max = 0]: Range,
    fit: (field: Field, before: Field[]) => boolean,
  ) => {
    const filled: BlockEntry[] = [];
    const fields: Field[] = [];
    const add = (entry: BlockEntry, field: Field | undefined) => {
      if (!field || !fit(field, fields)) return;
      filled.push(entry);
      fields.push(field);
    };
    for (const entry of entries) if (fields.length < max) add(entry, fieldOf(entry));
    for (const field of dataset.fields)
      if (fields.length < min && !fields.includes(field)) add(fieldToBlockEntry(field), field);
    return filled;
  };
  const dimensions = fill(listOrEmpty(block.dimensions), shape.dimensions, (field, before) =>
    fitsDimension(block.type, field, before),
  );
  const range = measureLimits(block.type as DataType, dimensions.length);
  const measures = fill(listOrEmpty(block.measures), range, (field) => fitsMeasure(block.type, field));
  const selected = new Set([...dimensions, ...measures].map(fieldIdOf));
  return withChangedKeys(kept, {
    dataset: dataset.id,
    dimensions,
    measures,
    where: kept.where?.filter(({ field }) => field === undefined || fieldOf(field)),
    sort: kept.sort?.filter(({ field }) => selected.has(field)),
  });
}
