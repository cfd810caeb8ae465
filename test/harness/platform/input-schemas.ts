import type { z } from 'zod';
import { candidateRow, invitationRow } from '../../../api/people/user-rows';
import { allContracts } from './operation-inputs';

/** An input and the schema that validates it. The input is everything that a caller sends, or one row of a list. */
type InputSchema = { name: string; schema: z.ZodType };

/** The inputs of all operations, and the rows of lists that are validated row by row. */
export const inputSchemas: InputSchema[] = [
  ...allContracts.map(({ name, input }) => ({ name, schema: input })),
  { name: 'a row of job-interview-register-users', schema: candidateRow },
  { name: 'a row of invite-users', schema: invitationRow },
];

/** The properties of a zod definition that `walkSchema` needs. */
export type Definition = {
  type: string;
  format?: string;
  abort?: boolean;
  checks?: z.core.$ZodCheck[];
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  options?: z.ZodType[];
  keyType?: z.ZodType;
  valueType?: z.ZodType;
};
const definitionOf = (schema: z.ZodType): Definition => schema.def;

/**
 * In a path, `firstItem` stands for the first item of a list and `anyKey` for any key of a record. All other entries
 * of a path are names of fields.
 */
const firstItem = 0;
const anyKey = 'key';

export type Found = { path: (string | number)[]; definition: Definition };

/**
 * Yields every schema within a schema, with the path of the value that it validates. Throws for an unknown kind of
 * schema.
 */
export function* walkSchema(schema: z.ZodType, path: (string | number)[] = []): Generator<Found> {
  const definition = definitionOf(schema);
  yield { path, definition };
  const {
    type,
    shape = {},
    element,
    innerType,
    in: into,
    out,
    options = [],
    keyType,
    valueType,
  } = definition;
  if (!knownTypes.has(type))
    throw new Error(`${path.join('.')} has a schema of type ${type}: teach the walk`);
  for (const [name, field] of Object.entries(shape)) yield* walkSchema(field, [...path, name]);
  if (element) yield* walkSchema(element, [...path, firstItem]);
  if (valueType) yield* walkSchema(valueType, [...path, anyKey]);
  for (const inner of [innerType, into, out, keyType, ...options]) if (inner) yield* walkSchema(inner, path);
}
const knownTypes = new Set(
  `string number int boolean enum literal unknown null undefined object array record union optional nullable default
  pipe transform custom`.split(/\s+/),
);
