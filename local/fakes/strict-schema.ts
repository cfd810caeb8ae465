import { z } from 'zod';

const node = z.record(z.string(), z.unknown());

/**
 * Returns what OpenAI would reject in a schema that is sent with `strict: true`: a root that is not an object, an
 * object that allows other keys, or an optional key. OpenAI rejects more, but schemas that are made with zod have
 * only these errors.
 */
export function findStrictError(schema: Record<string, unknown>): string | undefined {
  if (schema['type'] !== 'object') return "schema must have type 'object'";
  return findIn(schema, '()');
}

function findIn(schema: unknown, path: string): string | undefined {
  const parsed = node.safeParse(schema);
  if (!parsed.success) return undefined;
  const { properties, required, additionalProperties, items, anyOf, $defs } = parsed.data;
  const children = Object.entries(node.catch({}).parse(properties));
  if (properties !== undefined) {
    if (additionalProperties !== false) return `In context=${path}, 'additionalProperties' must be false`;
    const listed = new Set(z.array(z.string()).catch([]).parse(required));
    const missing = children.find(([key]) => !listed.has(key));
    if (missing) return `In context=${path}, 'required' must include every key, missing '${missing[0]}'`;
  }
  const alternatives = z.array(z.unknown()).catch([]).parse(anyOf);
  const inside: [string, unknown][] = [
    ...children,
    ['items', items],
    ...alternatives.map((alternative): [string, unknown] => ['anyOf', alternative]),
    ...Object.entries(node.catch({}).parse($defs)),
  ];
  for (const [key, child] of inside) {
    const error = findIn(child, `${path}.${key}`);
    if (error) return error;
  }
  return undefined;
}
