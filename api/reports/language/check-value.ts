import type { Operator, Value } from '../../../db/reports/checked-report';
import type { Dimension, Measure } from '../../../db/reports/dataset';
import { storableText, isUuid, toNumber, whyNotStorable } from './check-scalars';
import { quoteValue, suggest } from './issue';
import type { IssueCode, LocatedValue, Problem } from './issue';
import { limits, maxValueText } from './limits';
import { arityOf, operatorsOf } from './operators';
import { guessDates } from './other-forms';

type Field = Dimension | Measure;
type Reading = { value: Value } | (Problem & { code: IssueCode });

const firstDate = '2000-01-01';
const lastDate = '2100-12-31';

/** Reads a local date between 2000 and 2100. */
export function readDate(value: unknown): { date: string } | NoDate {
  const what = `must be a date from ${firstDate} to ${lastDate}, such as 2026-01-31`;
  const meant = guessDates(value).map((date) =>
    date < firstDate ? firstDate : date > lastDate ? lastDate : date,
  );
  const [date] = meant;
  if (date !== undefined && date === value) return { date };
  // A value with more than one meaning gets no suggestion.
  return { what, meant, ...(meant.length === 1 ? { suggestion: date } : {}) };
}

/** `meant` has the dates that the value can stand for. */
type NoDate = { what: string; meant: string[]; suggestion?: string | undefined };

/**
 * Reads one value of a condition on a field. For a value of the wrong type, the issue suggests the same value in the
 * right type where possible, such as a number as a text.
 */
function readValue(field: Field, value: unknown): Reading {
  const bad = (what: string, suggestion?: unknown, valid: readonly unknown[] = []): Reading => ({
    code: 'bad_value',
    what,
    suggestion,
    valid: suggestion === undefined || valid.length > 0 ? valid : [suggestion],
  });
  switch (field.type) {
    case 'text':
      return readText(field, value, bad);
    case 'id':
      return isUuid(value) ? { value: value.toLowerCase() } : bad('must be a UUID');
    case 'boolean':
      if (typeof value === 'boolean') return { value };
      return bad('must be true or false', value === 'false' ? false : undefined, [true, false]);
    case 'date': {
      const read = readDate(value);
      return 'date' in read ? { value: read.date } : bad(read.what, read.suggestion, read.meant);
    }
    default:
      return readNumber(field, value, bad);
  }
}

type Bad = (what: string, suggestion?: unknown, valid?: readonly unknown[]) => Reading;

function readText(field: Field, value: unknown, bad: Bad): Reading {
  const values = 'values' in field ? field.values : undefined;
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (values) {
    if (typeof value === 'string' && values.includes(value)) return { value };
    const suggestion = suggest(text, values);
    if (typeof value !== 'string') return bad('must be a text', suggestion, values);
    const what = `unknown value ${quoteValue(value)} of "${field.id}"`;
    return { code: 'unknown_value', what, suggestion, valid: values };
  }
  if (typeof text !== 'string') return bad('must be a text');
  if (text.length > maxValueText)
    return bad(
      `must have at most ${maxValueText} characters`,
      storableText(text.slice(0, maxValueText)) || undefined,
    );
  const problem = whyNotStorable(text) ?? (text === '' ? 'must not be empty' : undefined);
  if (problem) return bad(problem, storableText(text) || undefined);
  return typeof value === 'string' ? { value } : bad('must be a text', text);
}

function readNumber(field: Field, value: unknown, bad: Bad): Reading {
  const isWhole = field.type === 'integer';
  const max = Number.MAX_SAFE_INTEGER;
  const number = toNumber(value);
  if (number === undefined) return bad(isWhole ? 'must be a whole number' : 'must be a number');
  const near = Math.min(max, Math.max(-max, isWhole ? Math.round(number) : number));
  if (field.type === 'percent' && near > 1)
    return bad('must be a fraction from 0 to 1, such as 0.5 for 50 %', Math.min(1, near / 100));
  if (value === near) return { value: near + 0 };
  if (typeof value === 'string') return bad('must be a number', near);
  return bad(
    isWhole
      ? Number.isInteger(number)
        ? `must be a whole number from ${-max} to ${max}`
        : 'must be a whole number'
      : `must be at most ${max}`,
    near,
  );
}

/** Reads the values of a condition. If something is wrong, records the issues and returns undefined. */
export function readValues(
  condition: LocatedValue,
  field: Field,
  op: Operator,
): readonly Value[] | undefined {
  const place = condition.at('value');
  const arity = arityOf(op);
  if (arity === 'none') {
    if (place.isMissing) return [];
    return place.fail('bad_value', { what: `must not be sent with the operator "${op}"` });
  }
  if (arity === 'one') return readOne(condition, place, field);
  return arity === 'two' ? readBetween(condition, place, field) : readMany(condition, place, field);
}

/**
 * Records an issue of a value. If the value cannot be repaired, the issue is recorded for the whole condition, which
 * must then be deleted.
 */
const failAt = (
  condition: LocatedValue,
  place: LocatedValue,
  { code, ...problem }: Problem & { code: IssueCode },
) =>
  (problem.valid ?? []).length > 0
    ? place.fail(code, problem)
    : condition.fail(code, {
        ...problem,
        what: `the operator ${quoteValue(condition.at('op').value)} needs a \`value\`, which ${problem.what}. Send it, or delete the condition`,
      });

function readOne(condition: LocatedValue, place: LocatedValue, field: Field): readonly Value[] | undefined {
  const read = readValue(field, Array.isArray(place.value) ? place.value[0] : place.value);
  if (Array.isArray(place.value) && place.value.length > 1) return failList(condition, field);
  if (Array.isArray(place.value)) {
    const suggestion = 'value' in read ? read.value : (read.suggestion ?? read.valid?.[0]);
    const valid = suggestion === undefined ? [] : [suggestion];
    return failAt(condition, place, { code: 'bad_value', what: 'must be a single value', valid, listed: [] });
  }
  return 'value' in read ? [read.value] : failAt(condition, place, read);
}

/**
 * Records an issue of a list that was sent for a single value. Suggests `in` or `not_in` if the field has that
 * operator.
 */
function failList(condition: LocatedValue, field: Field): undefined {
  const op = condition.at('op');
  const suggestion = op.value === 'eq' ? 'in' : op.value === 'ne' ? 'not_in' : undefined;
  const meant = operatorsOf(field).filter((name) => name === suggestion);
  const what = `the operator ${quoteValue(op.value)} takes a single value, not a list`;
  return meant.length > 0
    ? op.fail('bad_value', { what, suggestion, valid: meant })
    : condition.fail('bad_value', { what });
}

function readBetween(
  condition: LocatedValue,
  place: LocatedValue,
  field: Field,
): readonly Value[] | undefined {
  const what = 'must be a list of two values, the lower one first';
  if (!Array.isArray(place.value) || place.value.length !== 2)
    return failAt(condition, place, { code: 'bad_value', what });
  const reads = [place.at(0), place.at(1)].map((item) => ({ item, read: readValue(field, item.value) }));
  const isUnusable = ({ read }: (typeof reads)[number]) =>
    !('value' in read) && (read.valid ?? []).length === 0;
  if (reads.some(isUnusable)) return failAt(condition, place, { code: 'bad_value', what });
  for (const { item, read } of reads) if (!('value' in read)) item.fail(read.code, read);
  const [low, high] = reads.map(({ read }) => ('value' in read ? read.value : undefined));
  if (low === undefined || high === undefined) return undefined;
  if (low > high) return place.fail('bad_value', { what, suggestion: [high, low] });
  return [low, high];
}

function readMany(condition: LocatedValue, place: LocatedValue, field: Field): readonly Value[] | undefined {
  const what = `must be a list of 1 to ${limits.max_in_values} values`;
  if (!Array.isArray(place.value) || place.value.length === 0) {
    const read = readValue(field, place.value);
    const example = 'value' in read ? read.value : (read.suggestion ?? read.valid?.[0]);
    const valid = example === undefined ? [] : [[example]];
    return failAt(condition, place, { code: 'bad_value', what, valid });
  }
  const surplus = place.entries().slice(limits.max_in_values);
  for (const item of surplus)
    item.fail('too_many', { what: `the list must have at most ${limits.max_in_values} values` });
  const values = place.entries(limits.max_in_values).map((item) => readItem(item, field));
  if (surplus.length > 0 || values.includes(undefined)) return undefined;
  return [...new Set(values.filter((value) => value !== undefined))];
}

/** Reads an item of a list. The repair of an item without a valid value is to delete it. */
function readItem(item: LocatedValue, field: Field): Value | undefined {
  const read = readValue(field, item.value);
  if ('value' in read) return read.value;
  const { code, ...problem } = read;
  return item.fail(code, problem);
}
