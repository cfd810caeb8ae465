import type { buildCatalog } from '../language/build-catalog';
import { defaultWidthOf, maxWidth } from '../language/limits';

/*
 * Changes of a definition. Each function returns a new definition and leaves the old one unchanged, so that the change
 * can be undone.
 */

export type Catalog = ReturnType<typeof buildCatalog>;
export type Dataset = Catalog['datasets'][number];
export type Field = Dataset['fields'][number];
/* What a valid definition has. A person can write anything as text, and the server finds what is wrong with it. */
export type BlockEntry = string | { field?: string; measure?: string; grain?: string | undefined };
export type Condition = { field?: string; op?: string; value?: unknown };
type Sort = { field: string; dir: string };
export type BlockDraft = {
  id?: string;
  type: string;
  title?: string;
  width?: number;
  content_md?: string;
  dataset?: string;
  dimensions?: BlockEntry[];
  measures?: BlockEntry[];
  where?: Condition[];
  sort?: Sort[];
  compare?: string;
  period?: { preset?: string };
  limit?: number;
  goal?: number;
  totals?: boolean;
  others?: boolean;
};
export type DefinitionDraft = {
  title?: string;
  filters?: { period?: { preset?: string } };
  blocks: BlockDraft[];
};

/** Returns a value if it is a list, and else an empty list. */
export const listOrEmpty = <Item>(value: Item[] | undefined): Item[] => (Array.isArray(value) ? value : []);
export const blocksOf = (definition: DefinitionDraft | undefined): BlockDraft[] =>
  listOrEmpty(definition?.blocks);
export const withBlocks = (definition: DefinitionDraft, blocks: BlockDraft[]): DefinitionDraft => ({
  ...definition,
  blocks,
});
export const datasetOf = (catalog: Catalog, id: string | undefined) =>
  catalog.datasets.find((dataset) => dataset.id === id);
export const shapeOf = (catalog: Catalog, type: string) =>
  catalog.block_shapes.find((shape) => shape.type === type);
/** Returns the field id of an entry of `dimensions` or `measures`, which is a text or an object. */
export const fieldIdOf = (entry: BlockEntry | undefined): string | undefined =>
  typeof entry === 'object' ? (entry.field ?? entry.measure) : entry;

/** Returns a word of the definition, whose values may have any type. */
export const toWord = (value: unknown, otherwise = ''): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;

/** Returns the name under which the page shows a block: its title or, if it has no valid title, its id. */
export const titleOf = ({ title, id }: Partial<BlockDraft>): string =>
  (typeof title === 'string' && title) || toWord(id, 'Block');

/** Returns a copy with changed keys. A key whose value becomes undefined or an empty list is removed. */
export const withChangedKeys = <Whole extends object>(object: Whole, changes: object): Whole =>
  Object.fromEntries(
    Object.entries({ ...object, ...changes }).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Whole;

/** Returns the definition with changed keys of a block, or the same definition if there is no such block. */
export function changeBlock(
  definition: DefinitionDraft,
  at: number,
  changes: Partial<BlockDraft>,
): DefinitionDraft {
  const block = blocksOf(definition)[at];
  return block ? replaceBlock(definition, at, withChangedKeys(block, changes)) : definition;
}
export const replaceBlock = (definition: DefinitionDraft, at: number, block: BlockDraft): DefinitionDraft =>
  withBlocks(definition, blocksOf(definition).with(at, block));
export const removeBlock = (definition: DefinitionDraft, at: number): DefinitionDraft =>
  withBlocks(definition, blocksOf(definition).toSpliced(at, 1));

export function moveBlock(definition: DefinitionDraft, from: number, to: number): DefinitionDraft {
  const blocks = blocksOf(definition);
  const moved = blocks[from];
  const place = Math.min(blocks.length - 1, Math.max(0, to));
  if (moved === undefined || place === from) return definition;
  return withBlocks(definition, blocks.toSpliced(from, 1).toSpliced(place, 0, moved));
}

export const widthOf = ({ width, type }: BlockDraft): number =>
  width !== undefined && Number.isInteger(width) ? width : defaultWidthOf(type);
export const resizeBlock = (definition: DefinitionDraft, at: number, width: number): DefinitionDraft =>
  changeBlock(definition, at, { width: Math.min(maxWidth, Math.max(1, Math.round(width) || 1)) });

/** Returns an id that no block has, such as `trend` or, if another block has this id, `trend-2`. */
export function freeId(definition: DefinitionDraft, wish: string): string {
  const taken = new Set(blocksOf(definition).map(({ id }) => id));
  const base = wish.replace(/-\d+$/, '').slice(0, 36);
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(id)) return id;
  }
}

export function duplicateBlock(definition: DefinitionDraft, at: number): DefinitionDraft {
  const blocks = blocksOf(definition);
  const block = blocks[at];
  if (block === undefined) return definition;
  const id = freeId(definition, toWord(block.id, 'block'));
  return withBlocks(definition, blocks.toSpliced(at + 1, 0, { ...structuredClone(block), id }));
}
