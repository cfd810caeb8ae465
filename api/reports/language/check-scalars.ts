import { shorten, isSmallEnoughToQuote, quoteValue, suggest } from './issue';
import type { IssueCode, LocatedValue } from './issue';
import { maxTitle } from './limits';
import { parseListOrObject } from './other-forms';
import type { Synonyms } from './synonyms';

/** Returns why Postgres or JSON cannot store a text, or undefined if they can. */
export function whyNotStorable(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain a NUL character';
  return text.isWellFormed() ? undefined : 'must not contain half of a surrogate pair';
}

/** Returns the text without the characters that `whyNotStorable` finds. */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/**
 * Reads a title. For a missing or invalid title, the issue names `fallback` as a valid value. Without `fallback`, the
 * title is optional.
 */
export function readTitle(place: LocatedValue, fallback?: string): string | undefined {
  const { value } = place;
  const valid = fallback === undefined ? [] : [fallback];
  if (value === undefined) {
    if (fallback !== undefined) place.fail('bad_value', { what: 'is required', valid, listed: [] });
    return undefined;
  }
  if (typeof value !== 'string')
    return place.fail('bad_value', { what: 'must be a text', valid, listed: [] });
  if (value.length > maxTitle)
    return place.fail('bad_value', {
      what: `must have at most ${maxTitle} characters`,
      suggestion: shorten(storableText(value.slice(0, maxTitle + 1)).trim() || 'Untitled', maxTitle),
    });
  const problem = whyNotStorable(value);
  const text = storableText(value).trim();
  if (text === '') return place.fail('bad_value', { what: 'must not be blank', valid, listed: [] });
  if (problem) return place.fail('bad_value', { what: problem, suggestion: text });
  return text;
}

/** Reads a whole number. `code` is the code of the issue if the number is out of range. */
export function readInteger(
  place: LocatedValue,
  min: number,
  max: number,
  code: IssueCode = 'bad_value',
): number | undefined {
  const { value } = place;
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  const number = toNumber(value);
  return place.fail(typeof value === 'number' ? code : 'bad_value', {
    what: `must be a whole number from ${min} to ${max}`,
    suggestion: number === undefined ? undefined : Math.min(max, Math.max(min, Math.round(number))),
  });
}

/** Returns a number as it is, and the number that a short text contains. Returns undefined for all other values. */
export function toNumber(value: unknown): number | undefined {
  const isShort = typeof value === 'string' && value.length <= 30 && value.trim() !== '';
  const number = isShort || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Reads `true` or `false`. */
export function readFlag(place: LocatedValue): boolean | undefined {
  const { value } = place;
  if (value === undefined || typeof value === 'boolean') return value;
  return place.fail('bad_value', {
    what: 'must be true or false',
    suggestion: value === 'true' ? true : undefined,
    valid: value === 'true' ? [true, false] : [false, true],
  });
}

/** Reads one of `words`. */
export function readWord<T extends string>(
  place: LocatedValue,
  words: readonly T[],
  kind: string,
  { code = 'unknown_value', synonyms }: { code?: IssueCode; synonyms?: Synonyms } = {},
): T | undefined {
  const { value } = place;
  if (typeof value !== 'string') {
    const what = value === undefined ? 'is required' : 'must be a text';
    return place.fail('bad_value', { what, valid: words });
  }
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  return place.fail(code, {
    what: `unknown ${kind} ${quoteValue(value)}`,
    suggestion: suggest(value, words, synonyms),
    valid: words,
  });
}

/**
 * Returns true if a value is a list. Otherwise records an issue that suggests the list that the caller probably
 * meant.
 */
export function expectList(
  place: LocatedValue,
  what: string,
  meant: (value: unknown) => unknown[] | undefined = asList,
): boolean {
  const { value } = place;
  if (Array.isArray(value)) return true;
  const parsed = parseListOrObject(value);
  const suggestion = Array.isArray(parsed) ? parsed : meant(parsed ?? value);
  return place.fail('bad_value', { what: `must be a list of ${what}`, suggestion }) ?? false;
}

/**
 * Returns the list that an issue suggests for a value that is not a list: a text is split at its commas, and an
 * object becomes a list of one item.
 */
function asList(value: unknown): unknown[] | undefined {
  if (typeof value === 'string' && value.length <= 1_000)
    return value.split(/\s*,\s*/).filter((part) => part.trim() !== '');
  return typeof value === 'object' && value !== null && isSmallEnoughToQuote(value) ? [value] : undefined;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && value.length === 36 && uuidPattern.test(value);
