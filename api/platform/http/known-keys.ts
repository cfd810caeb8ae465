import type { Request, Response } from 'express';
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { acceptedFields } from '../operation/define-operation';
import type { Contract } from '../operation/define-operation';

const maxNames = 20;
const maxNameLength = 100;
const maxHeaderLength = 1_000;
/** The last entry of the header if not all names fit into it. */
const more = 'and-more';

/**
 * Returns the keys of an input that the operation ignores, as dotted paths (`hiring_for_company.foo`). The search
 * stops when it has found more keys than fit into the `x-ignored-fields` header.
 */
export function ignoredKeys(operation: Contract, sent: unknown): string[] {
  const found = new Set<string>();
  collect(operation.input, sent, '', new Set(acceptedFields(operation)), found);
  const { rows, row } = operation;
  if (rows !== undefined && row && typeof sent === 'object' && sent !== null && Object.hasOwn(sent, rows))
    collect(z.array(row), Reflect.get(sent, rows), rows, noKeys, found);
  return [...found];
}

/**
 * Lists in the reply's `x-ignored-fields` header what the operation ignores in a request: unknown fields, and all
 * query parameters of a POST.
 */
export function reportIgnored(
  request: Pick<Request, 'query'>,
  response: Pick<Response, 'setHeader'>,
  operation: Contract,
  sent: unknown,
): void {
  const parameters = operation.method === 'POST' ? Object.keys(request.query).filter(Boolean) : [];
  const ignored = ignoredFieldsHeader([
    ...parameters.map((name) => `?${name.slice(0, 100)}`),
    ...ignoredKeys(operation, sent),
  ]);
  if (ignored !== undefined) response.setHeader('x-ignored-fields', ignored);
}

/** Builds the `x-ignored-fields` header from at most 20 of these names. Returns undefined if there are none. */
export function ignoredFieldsHeader(names: readonly string[]): string | undefined {
  let header = '';
  for (const [index, name] of names.entries()) {
    const entry = encodeName(name);
    if (index >= maxNames || header.length + entry.length + more.length + 4 > maxHeaderLength)
      return `${header}, ${more}`;
    header += `${header && ', '}${entry}`;
  }
  return header || undefined;
}

/** Percent-encodes everything except token characters and the brackets of a path, because callers choose the names. */
const encodeName = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[^A-Za-z0-9_.?[\]!#$&'*+^`|~-]/gu, (character) =>
      [...Buffer.from(character)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join(''),
    );

/** Returns the field that a misspelled name probably means, or undefined if none is similar. */
export function suggestField(name: string, fields: readonly string[]): string | undefined {
  if (name.length > maxNameLength || fields.length === 0) return undefined;
  const nearest = closest(name.toLowerCase(), fields);
  return distance(name.toLowerCase(), nearest) <= Math.max(1, Math.floor(name.length * 0.4))
    ? nearest
    : undefined;
}

const defOf = (schema: z.core.$ZodType) =>
  (schema as unknown as { def: z.core.$ZodTypes['_zod']['def'] }).def;

/**
 * Adds the unknown keys of a value to `found`. `own` contains keys that are known in addition to those of the schema.
 */
function collect(
  schema: z.core.$ZodType,
  value: unknown,
  path: string,
  own: ReadonlySet<string>,
  found: Set<string>,
): void {
  if (typeof value !== 'object' || value === null || found.size > maxNames) return;
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return collectObject(def, value, path, own, found);
    case 'array':
      if (Array.isArray(value))
        for (const entry of value) collect(def.element, entry, `${path}[]`, noKeys, found);
      return;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return collect(def.innerType, value, path, own, found);
    case 'pipe':
      return collect(defOf(def.in).type === 'transform' ? def.out : def.in, value, path, own, found);
    default:
      // Records, and fields that may contain any JSON, accept every key.
      return;
  }
}

const noKeys: ReadonlySet<string> = new Set();

function collectObject(
  { shape, catchall }: z.core.$ZodObjectDef,
  value: object,
  path: string,
  own: ReadonlySet<string>,
  found: Set<string>,
): void {
  for (const key of Object.keys(value)) {
    if (found.size > maxNames) return;
    const inner = Object.hasOwn(shape, key) ? shape[key] : undefined;
    const shown = key === '' ? '""' : key;
    const name = path === '' ? shown : `${path}.${shown}`;
    if (inner) collect(inner, Reflect.get(value, key), name, noKeys, found);
    else if (!own.has(key) && !catchall) found.add(name.slice(0, maxNameLength));
  }
}
