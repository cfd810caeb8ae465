import { hashText } from './hash-text';

type Schema = Record<string, unknown>;
/**
 * Where a value is generated: `root` is the whole schema, `path` the path of the value, and `depth` the number of
 * values around it. Beyond `maxDepth`, only required values are generated, so that recursive schemas end.
 */
type Place = { root: Schema; path: string; depth: number };

const maxDepth = 6;

/**
 * Generates a value that is valid for a JSON schema. The same schema always gives the same value. Supports the
 * keywords that structured output uses: types, enum, const, anyOf, $ref, bounds, lengths and formats.
 */
export const generateValue = (schema: Schema): unknown =>
  generate(schema, { root: schema, path: '', depth: 0 });

function generate(given: unknown, place: Place): unknown {
  const schema = resolve(given, place.root);
  if ('const' in schema) return schema['const'];
  const allowed = listOf(schema['enum']);
  if (allowed.length > 0) return allowed[hashText(place.path) % allowed.length];
  const alternatives = listOf(schema['anyOf']);
  if (alternatives.length > 0) return generate(choose(alternatives, place), place);
  const enter = (key: string | number) => ({
    ...place,
    path: `${place.path} ${key}`.trim(),
    depth: place.depth + 1,
  });
  switch (listOf(schema['type']).find((type) => type !== 'null') ?? schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] ?? {}) as Schema).map(([key, child]) => [
          key,
          generate(child, enter(key)),
        ]),
      );
    case 'array': {
      const least = Number(schema['minItems'] ?? 0);
      const wanted = place.depth > maxDepth ? least : Math.max(least, 2);
      const length = Math.min(wanted, Number(schema['maxItems'] ?? wanted));
      return Array.from({ length }, (_, index) => generate(schema['items'], enter(index + 1)));
    }
    case 'integer':
    case 'number':
      return generateNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return generateString(schema, place.path);
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function resolve(given: unknown, root: Schema): Schema {
  const schema = (given ?? {}) as Schema;
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  const keys = $ref.split('/').slice(1);
  return resolve(
    keys.reduce<unknown>((target, key) => (target as Schema | undefined)?.[key], root),
    root,
  );
}

/**
 * Returns the first alternative that is not null. At the depth limit it returns null instead, which ends a recursion.
 */
function choose(alternatives: unknown[], { depth }: Place): unknown {
  const isNull = (entry: unknown) => (entry as Schema)['type'] === 'null';
  return alternatives.find((entry) => isNull(entry) === depth > maxDepth) ?? alternatives[0];
}

function generateNumber(schema: Schema): number {
  const bound = (name: string, otherwise: number) => Number(schema[name] ?? otherwise);
  const step = bound('multipleOf', schema['type'] === 'integer' ? 1 : 0);
  const least = Math.max(bound('minimum', -Infinity), bound('exclusiveMinimum', -Infinity));
  const most = Math.min(bound('maximum', Infinity), bound('exclusiveMaximum', Infinity));
  const inside = Math.min(Math.max(1, least), most);
  const isOutside = (value: number) =>
    value === schema['exclusiveMinimum'] || value === schema['exclusiveMaximum'] || value > most;
  if (step > 0) {
    const value = Math.ceil(inside / step) * step;
    return isOutside(value) ? (value > least ? value - step : value + step) : value;
  }
  if (!isOutside(inside)) return inside;
  if (Number.isFinite(least) && Number.isFinite(most)) return (least + most) / 2;
  return inside === least ? inside + 1 : inside - 1;
}

function generateString(schema: Schema, path: string): string {
  const sample = samples[String(schema['format'])]?.(hashText(path));
  if (sample !== undefined) return sample;
  const most = Number(schema['maxLength'] ?? 10_000);
  return `Fake text${path && ` for ${path}`}`.padEnd(Number(schema['minLength'] ?? 0), '.').slice(0, most);
}

const samples: Record<string, (seed: number) => string> = {
  'date-time': (seed) => new Date(Date.UTC(2025, 0, 1) + (seed % 31_536_000) * 1000).toISOString(),
  date: (seed) => new Date(Date.UTC(2025, 0, 1 + (seed % 365))).toISOString().slice(0, 10),
  email: (seed) => `fake-${seed}@example.com`,
  uri: (seed) => `https://example.com/${seed}`,
  uuid: (seed) => `00000000-0000-4000-8000-${seed.toString(16).padStart(12, '0')}`,
};
