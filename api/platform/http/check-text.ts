import { ApiError } from '../operation/api-error';
import type { ErrorCode } from '../operation/error-codes';

const maxDepth = 32;

/** A list or object on the path to the current value. `index` is the position of its current entry. */
type Level = {
  container: Record<PropertyKey, unknown>;
  /** The keys of an object, or null for a list. */
  keys: string[] | null;
  size: number;
  index: number;
  isValidated: boolean;
};

/**
 * Throws 422 with the field's wire name for a value that is not allowed in any field: NUL, a lone surrogate, a number
 * that is not finite (1e400), an inexact integer, or nesting of more than 32 levels. Replaces -0 with 0.
 *
 * The fields in `later` are validated elsewhere: only their nesting is checked here, and numbers that are not finite
 * become null. `whole` is the name of the whole value in error messages.
 */
export function checkText(value: unknown, later: readonly string[] = [], whole = 'The body'): void {
  // An explicit stack is faster than recursion. No path is built for each entry, because that took 0.5 s for 1 MiB of
  // `[0,0,…]`.
  const levels: Level[] = [];
  const fail: Fail = ([code, message], path) => {
    const name = toWireName(path);
    throw new ApiError(code, `${name || whole} ${message}.`, name || undefined);
  };
  const check = (entry: unknown, isValidated: boolean): void => {
    if (typeof entry === 'string') {
      const error = isValidated ? findTextError(entry) : undefined;
      if (error) fail(error, pathOf(levels));
    } else if (typeof entry === 'number') {
      const error = isValidated ? findNumberError(entry) : undefined;
      if (error) fail(error, pathOf(levels));
    } else if (typeof entry === 'object' && entry !== null) {
      if (levels.length >= maxDepth)
        fail(
          ['invalid_value', `must not be nested more than ${maxDepth} levels deep`],
          pathOf(levels).slice(0, 1),
        );
      const keys = Array.isArray(entry) ? null : Object.keys(entry);
      const size = Array.isArray(entry) ? entry.length : (keys?.length ?? 0);
      levels.push({ container: entry as Level['container'], keys, size, index: -1, isValidated });
    }
  };

  check(value, true);
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const { container, keys } = level;
    level.index += 1;
    if (level.index >= level.size) {
      levels.pop();
      continue;
    }
    const key = keys?.[level.index] ?? level.index;
    const keyError = typeof key === 'string' && level.isValidated ? findTextError(key) : undefined;
    if (keyError) fail(keyError, pathOf(levels.slice(0, -1)));
    const isLater = levels.length === 1 && typeof key === 'string' && later.includes(key);
    const isValidated = level.isValidated && !isLater;
    const entry = container[key];
    const shown = showable(entry, isValidated);
    // Defines the property instead of assigning it, because the key may be `__proto__`.
    if (!Object.is(shown, entry)) Object.defineProperty(container, key, { value: shown });
    else check(entry, isValidated);
  }
}

type TextError = [code: ErrorCode, message: string];
type Fail = (error: TextError, path: readonly (string | number)[]) => never;

const pathOf = (levels: readonly Level[]): (string | number)[] =>
  levels.map(({ keys, index }) => (keys === null ? index : (keys[index] ?? '')));

function showable(entry: unknown, isValidated: boolean): unknown {
  if (typeof entry !== 'number') return entry;
  return isValidated || Number.isFinite(entry) ? entry + 0 : null;
}

function findTextError(text: string): TextError | undefined {
  if (text.includes('\0')) return ['invalid_value', 'must not contain a NUL character'];
  return text.isWellFormed() ? undefined : ['invalid_value', 'must not contain half of a surrogate pair'];
}

function findNumberError(value: number): TextError | undefined {
  if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return undefined;
  const code = value < 0 ? 'too_small' : 'too_large';
  // JSON has no NaN, but a form of the console makes one of a text that is no number.
  if (Number.isNaN(value)) return ['invalid_type', 'must be a number'];
  if (!Number.isFinite(value)) return [code, 'must be a finite number'];
  return [
    code,
    value > 0 ? `must be at most ${Number.MAX_SAFE_INTEGER}` : `must be at least ${Number.MIN_SAFE_INTEGER}`,
  ];
}

/**
 * Formats `['users', 3, 'email']` as `users[3].email`. Cuts the name after 200 characters, because callers choose the
 * keys.
 */
export function toWireName(path: readonly PropertyKey[]): string {
  let name = '';
  for (const part of path) name += typeof part === 'number' ? `[${part}]` : `${name && '.'}${String(part)}`;
  return name.replaceAll('\0', '').toWellFormed().slice(0, 200);
}
