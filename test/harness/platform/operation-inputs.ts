import { randomUUID } from 'node:crypto';
import { operations } from '../../../api/operations';
import { buildOpenApiDocument } from '../../../api/platform/openapi/document';
import { buildPortalDocument } from '../../../api/platform/openapi/portal-document';
import type { Contract, Operation } from '../../../api/platform/operation/define-operation';
import { portalOperationList } from '../../../api/taking/operations';

/** The part of JSON Schema that the OpenAPI documents use. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  default?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: unknown;
};
type Parameter = { in: string; name: string; required?: boolean; schema: Schema };
type Described = {
  operationId: string;
  tags: string[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, DescribedResponse | { $ref: string }>;
  security?: unknown[];
};
type DescribedResponse = {
  headers?: Record<string, { $ref: string }>;
  content: Record<string, { schema: Schema; example?: unknown }>;
};
export type Path = (string | number)[];

export const allOperations: Operation[] = [...operations];

/** Returns the options of a call with which a caller may call the operation: by default an owner, otherwise an admin. */
export const callerOf = (
  { roles }: Operation,
  { tokens, merchant_id }: { tokens: { merchant_owner: string; admin: string }; merchant_id: string },
): { token: string; merchant: { merchant_id?: string } } =>
  roles.includes('merchant_owner')
    ? { token: tokens.merchant_owner, merchant: {} }
    : { token: tokens.admin, merchant: { merchant_id } };
/** The contracts of the API's operations and of the portal's operations for candidates. */
export const allContracts: Contract[] = [...operations, ...portalOperationList];

type OpenApiDocument = {
  openapi: string;
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Described>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, DescribedResponse>;
    headers: Record<string, unknown>;
    securitySchemes: Record<string, Record<string, unknown>>;
  };
  security: unknown[];
};
export const openApiDocument = buildOpenApiDocument(
  allOperations,
  'http://127.0.0.1/v1',
) as unknown as OpenApiDocument;
export const portalDocument = buildPortalDocument(
  portalOperationList,
  'http://127.0.0.1/portal/v1',
) as unknown as OpenApiDocument;
const allSchemas = { ...portalDocument.components.schemas, ...openApiDocument.components.schemas };

export const described = (operation: Contract): Described => {
  const paths = { ...portalDocument.paths, ...openApiDocument.paths };
  const entry = paths[`/${operation.name}`]?.[operation.method.toLowerCase()];
  if (!entry) throw new Error(`${operation.name} is not in the document`);
  return entry;
};

/**
 * Returns the schema of a POST body. For a GET query, the schema describes the parameters as the fields of an object.
 */
export function inputSchema(operation: Contract): Schema {
  const { parameters = [], requestBody } = described(operation);
  if (requestBody) {
    const body = resolve(requestBody.content['application/json']?.schema ?? {});
    const { properties = {} } = body;
    return {
      ...body,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, resolve(property)]),
      ),
    };
  }
  const query = parameters.map(resolveParameter).filter((parameter) => parameter.in === 'query');
  return {
    type: 'object',
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, resolve(schema)])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
}

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? '';

/**
 * Returns the schema to which `$ref` refers. A schema that has no `$ref` is returned as it is. If the reference is
 * nullable, the returned schema accepts null too.
 */
function resolve(schema: Schema): Schema {
  const { $ref, anyOf, ...own } = schema;
  if ($ref) return { ...resolve(allSchemas[nameOf($ref)] ?? {}), ...own };
  const [only, ...others] = anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (!only || others.length > 0) return schema;
  const inner = resolve(only);
  return {
    ...inner,
    ...own,
    type: [...typesOf(inner), 'null'],
    ...(inner.enum ? { enum: [...inner.enum, null] } : {}),
  };
}

const resolveParameter = (parameter: Parameter | { $ref: string }): Parameter => {
  const found =
    '$ref' in parameter ? openApiDocument.components.parameters[nameOf(parameter.$ref)] : parameter;
  if (!found) throw new Error(JSON.stringify(parameter));
  return found;
};

/** Returns the response of an operation, whether the operation defines it or refers to a shared one. */
export function responseOf(operation: Operation, status: string): DescribedResponse {
  const response = described(operation).responses[status] ?? { $ref: '' };
  const found = '$ref' in response ? openApiDocument.components.responses[nameOf(response.$ref)] : response;
  if (!found) throw new Error(`${operation.name} has no response ${status}`);
  return found;
}

export const typesOf = (schema: Schema): string[] => [schema.type ?? []].flat();

/** Returns a value that the schema accepts. Objects contain only the required properties. */
export function sampleOf(sent: Schema): unknown {
  const schema = resolve(sent);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sampleOf(schema.anyOf[0] ?? {});
  const [type] = typesOf(schema);
  switch (type) {
    case 'string':
      return sampleText(schema);
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return [sampleOf(schema.items ?? {})];
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]),
      );
    default:
      return 'anything';
  }
}

function sampleText({ format, minLength = 0, maxLength = 4 }: Schema): string {
  if (format === 'uuid') return randomUUID();
  if (format === 'uri') return 'https://example.com/a.png';
  if (format === 'email') return 'a@example.com';
  return 'text'.slice(0, maxLength).padEnd(minLength, 'x');
}

/** The fields whose entries are validated one by one, so that an invalid entry does not fail the call. */
const rowFields = new Set(allOperations.flatMap(({ rows }) => rows ?? []));

/** Returns every field of a schema with its path. The first item of an array represents all items. */
export function fieldsOf(sent: Schema, path: Path = []): { path: Path; schema: Schema }[] {
  const schema = resolve(sent);
  const self = path.length > 0 ? [{ path, schema }] : [];
  const nested = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    fieldsOf(property, [...path, name]),
  );
  const isValidatedByRow = path.length === 1 && rowFields.has(String(path[0]));
  const items = schema.items && !isValidatedByRow ? fieldsOf(schema.items, [...path, 0]) : [];
  return [...self, ...nested, ...items];
}

/**
 * Returns a copy of the input with this value at the path. Objects and lists that are missing on the path are filled
 * with samples.
 */
export function putAt(input: unknown, schema: Schema, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const inner = resolve(schema);
  if (typeof key === 'number') {
    const list = Array.isArray(input) ? [...(input as unknown[])] : [];
    list[key] = putAt(list[key], inner.items ?? {}, rest, value);
    return list;
  }
  const base = (typeof input === 'object' && input !== null ? input : sampleOf(inner)) as Record<
    string,
    unknown
  >;
  return { ...base, [key]: putAt(base[key], inner.properties?.[key] ?? {}, rest, value) };
}

/** Returns a path as error replies write it: `['questions', 0, 'label']` becomes `questions[0].label`. */
export const wireName = (path: Path): string =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${part}`)).join('');
