import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import type { ZodOpenApiObject } from 'zod-openapi';

export type JsonSchema = Record<string, unknown>;

/** Builds the document and converts it to plain JSON without undefined values, with simplified schemas. */
export const toOpenApiJson = (document: ZodOpenApiObject): JsonSchema =>
  JSON.parse(JSON.stringify(createDocument(document, { override: amend })), tidy) as JsonSchema;

/**
 * Allows additional keys in replies, because later versions may add some. Also adds the default that the metadata of
 * a request field states, because zod omits the default of a field with a transform.
 */
function amend({
  zodSchema,
  jsonSchema,
  io,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: { additionalProperties?: unknown; default?: unknown };
  io: 'input' | 'output';
}): void {
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  const stated = io === 'input' ? z.globalRegistry.get(zodSchema)?.['default'] : undefined;
  if (stated !== undefined) jsonSchema.default = stated;
}

function tidy(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return foldNullable(withoutSafeBounds(value as JsonSchema));
}

/**
 * Removes the bounds of JavaScript's safe range, which zod adds to every integer, because they say nothing about the
 * field.
 */
function withoutSafeBounds(schema: JsonSchema): JsonSchema {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  return schema;
}

/**
 * Writes a union of plain types as one schema: `anyOf: [{type: T, …}, {type: null}]` becomes `type: [T, null]`. Enums
 * and named components stay in `anyOf`. If they were copied into the field, client generators would create one type
 * for each copy.
 */
function foldNullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const members = anyOf as JsonSchema[];
  if (members.some((member) => '$ref' in member || 'enum' in member)) return liftDescription(members, rest);
  const types = members.flatMap(({ type }) => (type as string | string[] | undefined) ?? []);
  const keywords = members.flatMap((member) => Object.keys(member).filter((key) => key !== 'type'));
  const arePlain = members.every(({ type }) => type !== undefined) && types.length === new Set(types).size;
  if (!arePlain || keywords.length > new Set(keywords).size) return schema;
  return { ...Object.assign({}, ...members, rest), type: types } as JsonSchema;
}

/** Moves a description from a member of a union to the field that it describes. */
function liftDescription(members: JsonSchema[], rest: JsonSchema): JsonSchema {
  const described = members.find((member) => 'description' in member);
  const anyOf = members.map((member) =>
    Object.fromEntries(Object.entries(member).filter(([key]) => key !== 'description')),
  );
  return { ...(described && { description: described['description'] }), ...rest, anyOf };
}
