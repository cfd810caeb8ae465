type Level = { container: object; keys: readonly string[] | null; size: number; next: number };

/**
 * Returns how many UTF-8 bytes a value has as compact JSON. Stops counting above `max` and then returns any number
 * above `max`. Keeps its own stack, because recursion, as in JSON.stringify, overflows on 10,000 levels.
 */
export function jsonBytes(value: unknown, max: number): number {
  let bytes = 0;
  const levels: Level[] = [];
  const add = (entry: unknown): void => {
    if (typeof entry !== 'object' || entry === null) {
      bytes += scalarBytes(entry, max);
      return;
    }
    const keys = Array.isArray(entry) ? null : Object.keys(entry).filter((key) => isSent(entry, key));
    const size = keys?.length ?? (entry as unknown[]).length;
    // Counts the brackets, and the commas between entries.
    bytes += 2 + Math.max(0, size - 1);
    levels.push({ container: entry, keys, size, next: 0 });
  };
  add(value);
  for (let level = levels.at(-1); level && bytes <= max; level = levels.at(-1)) {
    if (level.next >= level.size) {
      levels.pop();
      continue;
    }
    const key = level.keys?.[level.next] ?? level.next;
    level.next += 1;
    if (typeof key === 'string') bytes += scalarBytes(key, max) + 1;
    add(Reflect.get(level.container, key));
  }
  return bytes;
}

const isSent = (container: object, key: string) => Reflect.get(container, key) !== undefined;

function scalarBytes(value: unknown, max: number): number {
  if (typeof value === 'string')
    return value.length > max ? value.length + 2 : Buffer.byteLength(JSON.stringify(value));
  if (typeof value === 'number') return Number.isFinite(value) ? String(value).length : 4;
  return typeof value === 'boolean' && !value ? 5 : 4;
}
