import { blockKeys } from './block-shapes';

const reportKeys = ['schema', 'title', 'filters', 'blocks'];

/**
 * Returns a definition with its keys in the order in which people read them, because Postgres returns the keys sorted
 * by length. Parts of the definition that do not have the expected type stay unchanged.
 */
export function orderDefinitionKeys(definition: object): object {
  const ordered = inOrder(definition, reportKeys);
  const blocks: unknown = Reflect.get(ordered, 'blocks');
  if (!Array.isArray(blocks)) return ordered;
  return {
    ...ordered,
    blocks: blocks.map((block: unknown) => (isObject(block) ? inOrder(block, blockKeys) : block)),
  };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a copy with `keys` first, in their order, followed by the other keys. */
function inOrder(value: object, keys: readonly string[]): object {
  const entries = new Map(Object.entries(value));
  const first = keys.filter((key) => entries.has(key));
  const rest = [...entries.keys()].filter((key) => !first.includes(key));
  return Object.fromEntries([...first, ...rest].map((key) => [key, entries.get(key)]));
}
