import { personalDataIn } from '../../../api/platform/text/personal-data';
import { secretIn } from '../../../api/platform/text/secret-in';
import { checkText } from '../../../api/platform/http/check-text';
import { describeIssues } from '../../../api/platform/http/describe-issue';
import { parseJson } from '../../../api/platform/http/parse-json';
import { echoOf, validateRow } from '../../../api/people/validate-row';
import { candidateRow } from '../../../api/people/user-rows';
import { operations } from '../../../api/operations';
import { cpuMilliseconds } from '../../harness/cpu-time';
import { inputSchemas, walkSchema } from '../../harness/input-schemas';

/** How long the event loop may be blocked. */
const limitMs = 100;
const bodyLimit = 1_048_576;

// Jest has 100 frames captured of every error.
Error.stackTraceLimit = 10;

const units = ['.', '@', '漢', '\u0301', '1', '[', ' ', 'a.', '-', '\u200d'];
const frames = [
  ['', ''],
  ['https://', '@'],
  ['a@', '\0'],
] as const;
/** What fills the whole body, whose length alone is looked at. */
const longTexts = units.map((unit) => unit.repeat((bodyLimit - 20) / Buffer.byteLength(unit)));
/** What gets past the limit of a long, a middle and a short field. */
const shortTexts = [8_000, 2_040, 250].flatMap((length) =>
  units.flatMap((unit) =>
    frames.map(
      ([before, after]) =>
        before + unit.repeat((length - before.length - after.length) / unit.length) + after,
    ),
  ),
);
const hostileTexts = [...longTexts, ...shortTexts];

/** As much as parseJson accepts: 14 lists or objects of 2,000 entries. */
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

/** The longest that one of these takes, and which. */
function slowest<T>(values: readonly T[], work: (value: T) => unknown): { ms: number; which: string } {
  let found: { ms: number; value: T | undefined } = { ms: 0, value: undefined };
  for (const value of values) {
    const ms = cpuMilliseconds(() => void work(value), limitMs / 2);
    if (ms > found.ms) found = { ms, value };
  }
  return { ms: found.ms, which: found.ms < limitMs ? '' : (JSON.stringify(found.value) ?? '').slice(0, 40) };
}

/** The same; one by one only where all of them together take longer than one may. */
function slowestOf<T>(values: readonly T[], work: (value: T) => unknown): { ms: number; which: string } {
  const ms = cpuMilliseconds(() => values.forEach(work), Infinity);
  return ms < limitMs ? { ms, which: 'all together' } : slowest(values, work);
}

/** A copy of the input with a value put at the path. */
function putAt(input: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, key) : undefined;
  const put = putAt(inner, rest, value);
  return typeof key === 'number' ? [put] : { ...(input as object | undefined), [key]: put };
}

const seen = new Set<unknown>();
/** Every field of every operation; one that several operations share is tested in the first of them. */
const fields = inputSchemas.flatMap(({ name, schema }) => {
  const example = operations.find((operation) => operation.name === name)?.example ?? {};
  const found = [...walkSchema(schema)].filter(({ path }) => path.length > 0);
  // The last at a path is the innermost: without optional and default around it.
  const byName = new Map(found.map((each) => [each.path.join('.'), each]));
  return [...byName]
    .filter(([, { definition }]) => !seen.has(definition) && seen.add(definition))
    .map(([field, { path }]) => ({ field: `${name} ${field}`, path, schema, example }));
});

describe('hostile input', () => {
  it('is put into every field', () => expect(fields.length).toBeGreaterThan(200));

  it.each(fields)('does not block the event loop in $field', ({ path, schema, example }) => {
    const { ms, which } = slowestOf([...hostileTexts, ...hostileValues], (value) => {
      const input = putAt(example, path, value);
      const parsed = schema.safeParse(input);
      if (!parsed.success) describeIssues(parsed.error.issues, input);
    });
    expect([ms < limitMs, ms, which]).toEqual([true, ms, which]);
  });

  it('is read and checked without blocking it', () => {
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
        checkText(parseJson(body), 'users');
      } catch {
        // Refused, which is as good.
      }
    });
    expect([ms < limitMs, ms, which]).toEqual([true, ms, which]);
  });

  it('is validated as a row and shown again without blocking it', () => {
    const { ms, which } = slowest([...hostileTexts, ...hostileValues], (value) => {
      const row = { email: 'ann@example.com', other: value };
      validateRow(row, candidateRow, new Set(['email']));
      echoOf(row);
    });
    expect([ms < limitMs, ms, which]).toEqual([true, ms, which]);
  });

  // What a handler looks for in texts of up to 4,000 characters, each of two units.
  it('is searched for secrets, personal data and names without blocking it', () => {
    const { ms, which } = slowest(shortTexts, (text) => {
      secretIn(text);
      personalDataIn(text, ['Acme 漢字 Inc.']);
    });
    expect([ms < limitMs, ms, which]).toEqual([true, ms, which]);
  });
});
