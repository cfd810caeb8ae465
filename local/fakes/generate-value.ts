import { z } from 'zod';
import { hashText } from './hash-text';

const object = z.record(z.string(), z.unknown());
const list = z.array(z.unknown());
type Schema = z.infer<typeof object>;
/** `depth` counts nested values. Beyond `limitDepth` only required values are generated, so that recursion ends. */
type Place = { root: Schema; path: string; depth: number };

const limitDepth = 6;

/**
 * Generates a value that is valid for a JSON schema, always the same for the same schema. Supports what structured output
 * may use: types, enum, const, anyOf/oneOf/allOf, $ref, bounds, lengths and formats. `pattern`, `not` and conditions are
 * ignored.
 */
export function generateValue(schema: Record<string, unknown>): unknown {
  return generate(schema, { root: schema, path: '', depth: 0 });
}

function generate(given: unknown, place: Place): unknown {
  const schema = resolve(object.catch({}).parse(given), place);
  if ('const' in schema) return schema['const'];
  const allowed = list.safeParse(schema['enum']);
  if (allowed.success && allowed.data.length > 0)
    return allowed.data[hashText(place.path) % allowed.data.length];
  const alternatives = list.safeParse(schema['anyOf'] ?? schema['oneOf']);
  if (alternatives.success && alternatives.data.length > 0)
    return generate(chooseAlternative(alternatives.data, place), place);
  switch (chooseType(schema)) {
    case 'object':
      return generateObject(schema, place);
    case 'array':
      return generateArray(schema, place);
    case 'integer':
    case 'number':
      return generateNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return generateString(schema, place);
  }
}

function resolve(schema: Schema, { root }: Place): Schema {
  let resolved = schema;
  for (let hops = 0; hops < 32 && typeof resolved['$ref'] === 'string'; hops += 1) {
    const { $ref, ...beside } = resolved;
    const keys = $ref.split('/').slice(1);
    let target: unknown = root;
    for (const key of keys) {
      target = object.catch({}).parse(target)[
        decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
      ];
    }
    resolved = { ...object.catch({}).parse(target), ...beside };
  }
  const parts = list.safeParse(resolved['allOf']);
  if (!parts.success) return resolved;
  const merged = parts.data.map((part) =>
    resolve(object.catch({}).parse(part), { root, path: '', depth: 0 }),
  );
  const { allOf: _allOf, ...own } = resolved;
  return [...merged, own].reduce((whole, part) => ({
    ...whole,
    ...part,
    properties: {
      ...object.catch({}).parse(whole['properties']),
      ...object.catch({}).parse(part['properties']),
    },
    required: [...list.catch([]).parse(whole['required']), ...list.catch([]).parse(part['required'])],
  }));
}

/**
 * Returns the first alternative that is not null. At the depth limit it returns null, or else the last one without a
 * reference, to end a recursion.
 */
function chooseAlternative(alternatives: unknown[], { depth }: Place): unknown {
  const isNull = (entry: unknown) => object.catch({}).parse(entry)['type'] === 'null';
  const refers = (entry: unknown) => JSON.stringify(entry).includes('"$ref"');
  if (depth > limitDepth)
    return alternatives.find(isNull) ?? alternatives.findLast((entry) => !refers(entry));
  return alternatives.find((entry) => !isNull(entry)) ?? alternatives[0];
}

function chooseType(schema: Schema): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return type.find((entry) => entry !== 'null') ?? 'null';
  if (type !== undefined) return type;
  if ('properties' in schema) return 'object';
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  return 'minimum' in schema || 'maximum' in schema ? 'number' : 'string';
}

function generateObject(schema: Schema, place: Place): unknown {
  const required = new Set(list.catch([]).parse(schema['required']));
  const entries = Object.entries(object.catch({}).parse(schema['properties']))
    .filter(([key]) => required.has(key) || place.depth < limitDepth)
    .map(([key, child]) => [key, generate(child, enter(place, key))]);
  return Object.fromEntries(entries);
}

function generateArray(schema: Schema, place: Place): unknown {
  const first = list.catch([]).parse(schema['prefixItems']);
  const least = readNumber(schema['minItems']) ?? 0;
  const most = readNumber(schema['maxItems']) ?? Infinity;
  const wanted =
    place.depth > limitDepth || schema['items'] === false ? least : Math.max(least, 2, first.length);
  return Array.from({ length: Math.min(wanted, most) }, (_, index) =>
    generate(first[index] ?? schema['items'], enter(place, String(index + 1))),
  );
}

function generateNumber(schema: Schema): number {
  const step = readNumber(schema['multipleOf']) ?? (chooseType(schema) === 'integer' ? 1 : undefined);
  const above = readNumber(schema['exclusiveMinimum']);
  const below = readNumber(schema['exclusiveMaximum']);
  const least = Math.max(readNumber(schema['minimum']) ?? -Infinity, above ?? -Infinity);
  const most = Math.min(readNumber(schema['maximum']) ?? Infinity, below ?? Infinity);
  const inside = Math.min(Math.max(1, least), most);
  if (step !== undefined) {
    const steps = Math.ceil(inside / step) * step;
    if (steps === above) return steps + step;
    return steps > most || steps === below ? steps - step : steps;
  }
  if (inside === above) return Number.isFinite(most) ? (inside + most) / 2 : inside + 1;
  if (inside === below) return Number.isFinite(least) ? (least + inside) / 2 : inside - 1;
  return inside;
}

function generateString(schema: Schema, { path }: Place): string {
  const least = readNumber(schema['minLength']) ?? 0;
  const most = readNumber(schema['maxLength']) ?? Infinity;
  const formatted = samples[String(schema['format'])]?.(hashText(path));
  if (formatted !== undefined) return formatted;
  const text = `Fake text${path === '' ? '' : ` for ${path.replaceAll('_', ' ')}`}`;
  return text.padEnd(least, '.').slice(0, Math.min(most, 10_000));
}

const samples: Record<string, (seed: number) => string> = {
  'date-time': (seed) => new Date(Date.UTC(2025, 0, 1) + (seed % 31_536_000) * 1000).toISOString(),
  date: (seed) => new Date(Date.UTC(2025, 0, 1 + (seed % 365))).toISOString().slice(0, 10),
  time: () => '09:00:00Z',
  duration: () => 'PT20M',
  email: (seed) => `fake-${seed}@example.com`,
  hostname: () => 'example.com',
  uri: (seed) => `https://example.com/${seed}`,
  ipv4: () => '192.0.2.1',
  ipv6: () => '2001:db8::1',
  uuid: (seed) => `00000000-0000-4000-8000-${seed.toString(16).padStart(12, '0')}`,
};

function enter({ root, path, depth }: Place, key: string): Place {
  return { root, path: path === '' ? key : `${path} ${key}`, depth: depth + 1 };
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
