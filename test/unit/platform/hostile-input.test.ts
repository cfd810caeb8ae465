import { operations } from '../../../api/operations';
import { candidateRow } from '../../../api/people/user-rows';
import { echoedFields, validateRow } from '../../../api/people/validate-row';
import { checkText } from '../../../api/platform/http/check-text';
import { describeIssues } from '../../../api/platform/http/describe-issue';
import { parseJson } from '../../../api/platform/http/parse-json';
import { findPersonalData } from '../../../api/platform/text/personal-data';
import { findSecret } from '../../../api/platform/text/secret-in';
import { cpuMilliseconds } from '../../harness/platform/cpu-time';
import { inputSchemas, walkSchema } from '../../harness/platform/input-schemas';
import type { Definition, Found } from '../../harness/platform/input-schemas';

/**
 * The most CPU time that work on a whole body may take. Linear work takes up to 50 ms on an idle machine, and
 * quadratic work takes seconds.
 */
const limitMs = 250;
const bodyLimit = 1_048_576;

// Jest captures 100 frames of each error, which costs CPU time that production does not spend.
Error.stackTraceLimit = 10;

const units = ['.', '@', '漢', '\u0301', '1', '[', ' ', 'a.', '-', '\u200d'];
const frames = [
  ['', ''],
  ['https://', '@'],
  ['a@', '\0'],
] as const;
const framed = (length: number) =>
  units.flatMap((unit) =>
    frames.map(
      ([before, after]) =>
        before + unit.repeat((length - before.length - after.length) / unit.length) + after,
    ),
  );
/**
 * Texts that fill the whole body. Fields are tested with the first text only, because the limits of fields reject all
 * of these texts in the same way.
 */
const longTexts = units.map((unit) => unit.repeat((bodyLimit - 20) / Buffer.byteLength(unit)));
/** Texts that are within the limits of a long, a medium and a short field. */
const shortTexts = [8_000, 2_040, 250].flatMap(framed);
const hostileTexts = [...longTexts, ...shortTexts];

/** The largest value that parseJson accepts has 14 lists or objects of 2,000 entries each. */
const listOf = (value: unknown) => Array.from({ length: 14 }, () => Array(2_000).fill(value));
const keysFrom = (first: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: 2_000 }, (_, key) => [`k${first + key}`, value]));
const manyKeys = (value: unknown) => Array.from({ length: 14 }, (_, each) => keysFrom(each * 2_000, value));
const nested = (levels: number): unknown => (levels === 0 ? 0 : [nested(levels - 1)]);
const hostileValues: unknown[] = [
  listOf(0),
  listOf(''),
  listOf(null),
  Array.from({ length: 14 }, () => Array.from({ length: 1_000 }, () => ({}))),
  keysFrom(0, 0),
  { a: keysFrom(0, []), b: keysFrom(2_000, {}) },
  Array(1_000).fill('.'.repeat(1_000)),
  Array.from({ length: 1_000 }, () => ({ id: '.', name: 5 })),
  manyKeys(0),
  manyKeys('x'),
  { a: manyKeys('') },
  Array(900).fill(nested(29)),
];

/**
 * Runs the work on each value. Returns the CPU time of the slowest value (`ms`) and a description of this value if
 * the time is over the limit (`which`).
 */
function slowest<T>(values: readonly T[], work: (value: T) => unknown): { ms: number; which: string } {
  let found: { ms: number; value: T | undefined } = { ms: 0, value: undefined };
  for (const value of values) {
    const ms = cpuMilliseconds(() => void work(value), limitMs / 2);
    if (ms > found.ms) found = { ms, value };
  }
  return { ms: found.ms, which: found.ms < limitMs ? '' : (JSON.stringify(found.value) ?? '').slice(0, 40) };
}

/**
 * Does the same as `slowest`, but first measures all values together. It measures them one by one only if they exceed
 * the limit together.
 */
function slowestOf<T>(values: readonly T[], work: (value: T) => unknown): { ms: number; which: string } {
  const ms = cpuMilliseconds(() => values.forEach(work), Infinity);
  return ms < limitMs ? { ms, which: 'all together' } : slowest(values, work);
}

/** Returns a copy of the input with a value at the path. */
function putAt(input: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, key) : undefined;
  const put = putAt(inner, rest, value);
  return typeof key === 'number' ? [put] : { ...(input as object | undefined), [key]: put };
}

/** Schemas of these types look only at the type of a value, so they need no test. */
const harmless = new Set(
  'number int boolean enum literal null undefined optional nullable default'.split(' '),
);
const functions: unknown[] = [];
/** Returns a key for the checks of a schema. Two definitions that do the same work have the same key. */
const workOf = ({ type, format, checks = [] }: Definition): string =>
  JSON.stringify([type, format, checks.map(({ _zod: { def } }) => def)], (_key, value: unknown) => {
    if (value instanceof RegExp) return String(value);
    if (typeof value !== 'function') return value;
    if (!functions.includes(value)) functions.push(value);
    return functions.indexOf(value);
  });
const maxLength = (definitions: readonly Definition[]): number =>
  definitions
    .flatMap(({ checks = [] }) => checks.map(({ _zod: { def } }) => def))
    .flatMap((def) => (def.check === 'max_length' && 'maximum' in def ? [Number(def.maximum)] : []))[0] ??
  250;

const seen = new Set<string>();
/** The fields of every operation. A field that is validated exactly like an earlier field is left out. */
const fields = inputSchemas.flatMap(({ name, schema }) => {
  const example = operations.find((operation) => operation.name === name)?.example ?? {};
  const places = new Map<string, Found[]>();
  for (const found of walkSchema(schema)) {
    const field = found.path.join('.');
    places.set(field, [...(places.get(field) ?? []), found]);
  }
  const isRefined = [...walkSchema(schema)].some(
    ({ definition }) => definition.type === 'object' && definition.checks,
  );
  return [...places].flatMap(([field, found]) => {
    const definitions = found.map(({ definition }) => definition);
    const work = [isRefined ? name : '', ...definitions.map(workOf)].join(' ');
    const [first] = found;
    if (!first || field === '' || seen.has(work)) return [];
    if (definitions.every(({ type }) => harmless.has(type))) return [];
    seen.add(work);
    return [{ field: `${name} ${field}`, path: first.path, schema, example, length: maxLength(definitions) }];
  });
});

describe('hostile input', () => {
  it('is put into every kind of field', () => expect(fields.length).toBeGreaterThan(60));

  it.each(fields)('does not block the event loop in $field', ({ path, schema, example, length }) => {
    const values = [longTexts[0], ...framed(Math.min(Math.max(length, 20), 8_000)), ...hostileValues];
    const { ms, which } = slowestOf(values, (value) => {
      const input = putAt(example, path, value);
      const parsed = schema.safeParse(input);
      if (!parsed.success) describeIssues(parsed.error.issues, input);
    });
    expect([ms < limitMs, ms, which]).toEqual([true, ms, which]);
  });

  it('is parsed and checked without blocking the event loop', () => {
    const bodies = [...hostileTexts, ...hostileValues].flatMap((value) => [
      JSON.stringify({ users: value }),
      JSON.stringify({ x: value }),
    ]);
    expect(bodies.filter((body) => Buffer.byteLength(body) > bodyLimit)).toEqual([]);
    const broken = ['[', '{"a":', '[{},', '"', '[0,', '{"":0,'].map((unit) =>
      unit.repeat(bodyLimit / unit.length),
    );
    const { ms, which } = slowest([...bodies, ...broken], (body) => {
      try {
        checkText(parseJson(body), ['users']);
      } catch {
        // It does not matter whether the value is rejected, because this test measures only the CPU time.
      }
    });
    expect([ms < limitMs, ms, which]).toEqual([true, ms, which]);
  });

  it('is validated as a row and echoed without blocking the event loop', () => {
    const { ms, which } = slowest([...hostileTexts, ...hostileValues], (value) => {
      const row = { email: 'ann@example.com', other: value };
      validateRow(row, candidateRow, new Set(['email']));
      echoedFields(row);
    });
    expect([ms < limitMs, ms, which]).toEqual([true, ms, which]);
  });

  // A handler searches texts of up to 4,000 characters. Their length is at most 8,000 UTF-16 units, like that of the
  // longest of `shortTexts`.
  it('is searched for secrets, personal data and names without blocking the event loop', () => {
    const { ms, which } = slowest(shortTexts, (text) => {
      findSecret(text);
      findPersonalData(text, ['Acme 漢字 Inc.']);
    });
    expect([ms < limitMs, ms, which]).toEqual([true, ms, which]);
  });
});
