import { ApiError } from '../contracts/api-error';

const maxDepth = 32;

/**
 * Refuses what no field may hold: NUL and lone surrogates in any text or key, numbers that are not finite (1e400),
 * whole numbers that are not exact, and nesting over 32 levels. Throws 422 with the wire name of the field. Puts 0
 * in the place of -0, which no reply could show. Of the entries of `rows`, which are judged one by one, only the nesting
 * is judged here; a number that is not finite becomes null. `whole` is what a fault of a key of the value itself is told of.
 */
export function checkText(value: unknown, rows?: string, whole = 'The body'): void {
  // A stack of its own: a body of 1 MiB can nest deeper than the call stack.
  const open: { value: unknown; path: (string | number)[] }[] = [{ value, path: [] }];
  for (let item = open.pop(); item; item = open.pop()) {
    const { value: current, path } = item;
    const isJudged = rows === undefined || path[0] !== rows;
    if (isJudged && typeof current === 'string') checkString(current, path, whole);
    if (isJudged && typeof current === 'number') checkNumber(current, path);
    if (typeof current !== 'object' || current === null) continue;
    if (path.length >= maxDepth)
      throw new ApiError(
        'invalid_value',
        `${toWireName(path.slice(0, 1))} is nested deeper than ${maxDepth} levels`,
        toWireName(path.slice(0, 1)),
      );
    if (Array.isArray(current))
      current.forEach((entry: unknown, index) => {
        const shown = showable(entry, isJudged);
        if (!Object.is(shown, entry)) current[index] = shown;
        else open.push({ value: entry, path: [...path, index] });
      });
    else
      for (const [key, entry] of Object.entries(current)) {
        if (isJudged) checkString(key, path, whole);
        const shown = showable(entry, isJudged);
        // Defined, not assigned: `__proto__` may be a key here.
        if (!Object.is(shown, entry)) Object.defineProperty(current, key, { value: shown });
        else open.push({ value: entry, path: [...path, key] });
      }
  }
}

function showable(entry: unknown, isJudged: boolean): unknown {
  if (typeof entry !== 'number') return entry;
  return isJudged || Number.isFinite(entry) ? entry + 0 : null;
}

function checkString(text: string, path: (string | number)[], whole: string): void {
  if (!text.includes('\0') && text.isWellFormed()) return;
  const name = toWireName(path);
  const fault = text.includes('\0') ? 'a NUL character' : 'half of a surrogate pair';
  throw new ApiError('invalid_value', `${name || whole} must not contain ${fault}`, name || undefined);
}

function checkNumber(value: number, path: (string | number)[]): void {
  if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return;
  const name = toWireName(path);
  const demand = !Number.isFinite(value)
    ? 'a finite number'
    : value > 0
      ? `at most ${Number.MAX_SAFE_INTEGER}`
      : `at least ${Number.MIN_SAFE_INTEGER}`;
  throw new ApiError(
    value < 0 ? 'too_small' : 'too_large',
    `${name || 'The body'} must be ${demand}`,
    name || undefined,
  );
}

/** `['users', 3, 'email']` → `users[3].email`; at most 200 characters, since keys are the caller's. */
export function toWireName(path: readonly PropertyKey[]): string {
  let name = '';
  for (const part of path) name += typeof part === 'number' ? `[${part}]` : `${name && '.'}${String(part)}`;
  return name.replaceAll('\0', '').toWellFormed().slice(0, 200);
}
