import type { Operator } from '../../../db/reports/checked-report';
import { grains } from '../../../db/reports/dataset';
import type { Dataset, Dimension, Grain, Measure } from '../../../db/reports/dataset';
import { parseDay, writeDay } from './calendar';
import { limits } from './limits';
import { operatorAliases, operatorsOf } from './operators';
import { directionSynonyms, grainSynonyms, toSnakeCase } from './synonyms';

/*
 * The functions of this file guess what a value in another form means, such as `completed desc` for a sort. Their
 * results are only suggested, never accepted.
 */

const maxDepth = 20;

/** Returns the list or the object of a JSON text. */
export function parseListOrObject(value: unknown): object | undefined {
  if (typeof value !== 'string' || value.length > limits.max_definition_bytes || !/^\s*[[{]/.test(value))
    return undefined;
  let depth = 0;
  for (const character of value) {
    if (character === '[' || character === '{') depth += 1;
    if (character === ']' || character === '}') depth -= 1;
    if (depth > maxDepth) return undefined;
  }
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Returns true if a value has at most `levels` levels of nesting, so that it is shallow enough for a suggestion. */
export const isShallow = (value: unknown, levels = maxDepth): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((entry) => isShallow(entry, levels - 1)));

/** Returns the grain that a value means, for example 'week' for `weekly`, or undefined if it means none. */
export const guessGrain = (value: unknown): Grain | undefined => {
  if (!isShort(value)) return undefined;
  const name = toSnakeCase(value);
  return grains.find((grain) => grain === (grainSynonyms.get(name) ?? name));
};

const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= 200;

/**
 * Returns the sort direction that a value means, for example 'desc' for `DESC` or `descending`, or undefined if it
 * means none.
 */
function directionMeant(value: unknown): 'asc' | 'desc' | undefined {
  if (!isShort(value)) return undefined;
  const name = toSnakeCase(value);
  const known = directionSynonyms.get(name) ?? name;
  return known === 'asc' || known === 'desc' ? known : undefined;
}

/**
 * Reads a sort such as `completed desc`, `-completed`, `completed` or `{completed: "desc"}`. A measure without a
 * direction is sorted descending.
 */
export function guessSort(
  value: unknown,
  columns: readonly string[],
  dimensions: readonly string[],
): { field: string; dir: 'asc' | 'desc' } | undefined {
  if (isShort(value)) {
    const [, minus, id = '', word] = /^\s*([-+]?)\s*([\w]+)(?:[\s:,]+(\w+))?\s*$/.exec(value) ?? [];
    if (!columns.includes(id)) return undefined;
    const natural = dimensions.includes(id) ? 'asc' : 'desc';
    const dir = word === undefined ? (minus === '-' ? 'desc' : natural) : directionMeant(word);
    return dir && { field: id, dir };
  }
  const [entry, ...rest] = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (!entry || rest.length > 0 || !columns.includes(entry[0])) return undefined;
  const dir = directionMeant(entry[1]);
  return dir && { field: entry[0], dir };
}

/** Reads a date with its grain, such as `completed_at:month` or `month(completed_at)`. */
export function guessDateWithGrain(
  text: string,
  { dimensions }: Dataset,
): { field: string; grain: Grain } | undefined {
  if (text.length > 100) return undefined;
  const words = text.split(/[^\w]+|__| by /).filter((word) => word !== '' && word !== 'by');
  if (words.length !== 2) return undefined;
  const field = words.find((word) => dimensions.get(word)?.type === 'date');
  const grain = words.map(guessGrain).find((found) => found !== undefined);
  return field !== undefined && grain ? { field, grain } : undefined;
}

type Found = { field: string; op: Operator; value?: unknown };

const fieldOf = ({ dimensions, measures }: Dataset, id: string): Dimension | Measure | undefined =>
  dimensions.get(id) ?? measures.get(id);

/**
 * Reads conditions from a text such as `department = Engineering` or an object such as `{"department":
 * "Engineering"}`.
 */
export function guessConditions(value: unknown, dataset: Dataset): Found[] | undefined {
  if (isShort(value)) {
    const one = fromText(value, dataset);
    return one && [one];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !isShallow(value))
    return undefined;
  const entries = Object.entries(value);
  if (entries.length === 0 || entries.length > limits.max_conditions) return undefined;
  const found = entries.map(([id, sent]) => fromEntry(id, sent, dataset));
  return found.includes(undefined) ? undefined : found.filter((one) => one !== undefined);
}

function fromText(text: string, dataset: Dataset): Found | undefined {
  const [, id = '', sign = '', sent = ''] =
    /^\s*(\w+)\s*(==?|!=|<>|[<>]=?|\s[a-z_]+\s)\s*(.*?)\s*$/i.exec(text) ?? [];
  const field = fieldOf(dataset, id);
  const op = field && operatorMeant(sign, field);
  if (!field || !op || sent === '') return undefined;
  return fitting(field, op, typed(field, sent.replace(/^(["'])(.*)\1$/, '$2')));
}

function fromEntry(id: string, sent: unknown, dataset: Dataset): Found | undefined {
  const field = fieldOf(dataset, id);
  if (!field) return undefined;
  if (sent === null) return { field: id, op: 'is_null' };
  if (Array.isArray(sent)) return sent.length > 0 ? fitting(field, 'in', sent) : undefined;
  if (typeof sent !== 'object') return fitting(field, 'eq', typed(field, sent));
  const [entry, ...rest] = Object.entries(sent);
  const op = entry && operatorMeant(entry[0].replace(/^\$/, ''), field);
  return op && rest.length === 0 ? fitting(field, op, entry[1]) : undefined;
}

function operatorMeant(sign: string, field: Dimension | Measure): Operator | undefined {
  const name = sign.trim().toLowerCase();
  const known = operatorAliases.get(name) ?? name;
  return operatorsOf(field).find((op) => op === known);
}

function fitting(field: Dimension | Measure, op: Operator, value: unknown): Found | undefined {
  return operatorsOf(field).includes(op) ? { field: field.id, op, value } : undefined;
}

/** Converts a text to the type of the field, if it can be converted. */
function typed({ type }: Dimension | Measure, value: unknown): unknown {
  if (typeof value !== 'string' || type === 'text' || type === 'id' || type === 'date') return value;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  const number = Number(value);
  return value.trim() !== '' && Number.isFinite(number) ? number : value;
}

const datePatterns: readonly [RegExp, order: readonly (readonly [number, number, number])[]][] = [
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/, [[1, 2, 3]]],
  [/^(\d{4})(\d{2})(\d{2})$/, [[1, 2, 3]]],
  // The day or the month can come first.
  [/^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/, [[3, 2, 1], [3, 1, 2]]],
]; // prettier-ignore

/**
 * Returns the dates that a text or an instant can mean. `01/09/2026`, for example, can mean 1 September or 9 January.
 */
export function guessDates(value: unknown): string[] {
  if (typeof value === 'number') {
    const ms = Math.abs(value) < 1e11 ? value * 1_000 : value;
    const isRecent = ms >= 946_684_800_000 && ms < 4_102_444_800_000;
    return isRecent ? [new Date(ms).toISOString().slice(0, 10)] : [];
  }
  if (typeof value !== 'string' || value.length > 40) return [];
  for (const [pattern, orders] of datePatterns) {
    const found = pattern.exec(value.trim());
    if (found)
      return [
        ...new Set(orders.flatMap(([y, m, d]) => dateOf(found[y] ?? '', found[m] ?? '', found[d] ?? ''))),
      ];
  }
  return [];
}

/**
 * Returns a list with the date, or an empty list if the date is invalid. A day after the end of a month becomes its
 * last day, so 31 September becomes 30 September.
 */
function dateOf(year: string, month: string, day: string): string[] {
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return [];
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const two = (part: number) => String(part).padStart(2, '0');
  const parsed = parseDay(`${year}-${two(Number(month))}-${two(Math.min(last, Number(day)))}`);
  return parsed === undefined ? [] : [writeDay(parsed)];
}
