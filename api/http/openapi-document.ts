import { createDocument } from 'zod-openapi';
import type { ZodOpenApiObject, ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import { errorCodes } from '../contracts/error-codes';
import type { Operation } from '../contracts/operation';

const errorCode = z
  .string()
  .meta({ description: 'Stable, for programs; more codes may come.', examples: Object.keys(errorCodes) });

const errorBody = z
  .object({
    error: z.string().meta({ description: 'One sentence that says what to change.' }),
    name: z.string().optional().meta({ description: 'Wire name of the offending field.' }),
    code: errorCode,
    request_id: z.string().meta({ description: 'Also in the `x-request-id` header; support asks for it.' }),
    errors: z
      .array(
        z.object({
          name: z.string().nullable().meta({ description: 'Wire name of the field; null: not a field.' }),
          code: errorCode,
          error: z.string().meta({ description: 'One sentence that says what to change.' }),
        }),
      )
      .meta({ description: 'Everything that is wrong with the request, up to 100 errors, `error` first.' }),
  })
  .meta({ id: 'Error' });

const meanings: Record<number, string> = {
  401: 'Missing, malformed, expired or revoked credential',
  403: 'The caller may not do this',
  404: 'Nothing with this id that the caller may see',
  409: 'Another call, or the state of what it names, is in the way',
  413: 'The body is over 1 MiB',
  422: 'A field is wrong; `name` says which',
  429: 'Too many requests; `Retry-After` says when to go on',
  500: 'Our fault; the `x-request-id` finds it',
  503: 'Not available right now; `Retry-After` says when to try again',
};

const merchantId = z.string().optional().meta({
  format: 'uuid',
  description:
    'Required with a service key. Admins name any merchant, operators their own or one they have access to; everybody else acts for the merchant of the token and it is not looked at.',
});

const idempotencyKey = z.string().optional().meta({
  minLength: 1,
  maxLength: 255,
  description:
    'Printable ASCII. The same call with the same key within 24 hours answers the first reply and does nothing twice; with another body it is 422, while the first call runs 409.',
});

export type JsonSchema = Record<string, unknown>;

/** The OpenAPI 3.1 document of the operations (spec/decisions.md section 1). */
export function buildOpenApiDocument(operations: readonly Operation[], baseUrl: string): JsonSchema {
  const paths: ZodOpenApiPathsObject = Object.fromEntries(
    operations.map((operation) => [
      `/${operation.name}`,
      { [operation.method === 'GET' ? 'get' : 'post']: describeOperation(operation) },
    ]),
  );
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Interview and Coaching Platform API',
      version: '1',
      description:
        'AI-conducted interviews, coaching and reports for merchants. Every reply carries `x-request-id`. Unknown parameters and body keys are ignored; clients ignore unknown keys of replies.',
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An access token (ES256 JWT, one hour) or a service key (`sk_…`). `POST <origin>/auth/token` with `grant_type=refresh_token` spends a refresh token for the next pair; public keys are at `<origin>/.well-known/jwks.json`.',
        },
      },
    },
  };
  return toPlainDocument(document);
}

/** Through JSON: a plain copy without undefined, on which the nullable types are folded. */
export const toPlainDocument = (document: ZodOpenApiObject): JsonSchema =>
  JSON.parse(JSON.stringify(createDocument(document, { override: amend })), foldNullable) as JsonSchema;

function describeOperation(operation: Operation): ZodOpenApiOperationObject {
  const input = operation.input as z.ZodObject;
  const extended = z.object({ ...input.shape, merchant_id: merchantId });
  const body = { 'application/json': { schema: extended, example: operation.example } };
  const statuses = [
    401,
    403,
    ...operation.statuses,
    ...(operation.method === 'POST' ? [413] : []),
    422,
    429,
    500,
    503,
  ];
  return {
    operationId: operation.name,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    ...(operation.method === 'GET'
      ? { requestParams: { query: extended } }
      : {
          requestParams: { header: z.object({ 'Idempotency-Key': idempotencyKey }) },
          requestBody: { required: true, content: body },
        }),
    responses: {
      '200': { description: 'Done', content: { 'application/json': { schema: operation.reply } } },
      ...Object.fromEntries(
        [...new Set(statuses)].map((status) => [
          String(status),
          { description: meanings[status] ?? '', content: { 'application/json': { schema: errorBody } } },
        ]),
      ),
    },
  };
}

/**
 * Replies may gain keys: a closed schema would make clients break on them. zod leaves the default of a request's
 * field out where the field is transformed: it comes back from the field's meta.
 */
const amend = ({
  zodSchema,
  jsonSchema,
  io,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: { additionalProperties?: unknown; default?: unknown };
  io: 'input' | 'output';
}) => {
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  const stated = io === 'input' ? z.globalRegistry.get(zodSchema)?.['default'] : undefined;
  if (stated !== undefined) jsonSchema.default = stated;
};

/**
 * `anyOf: [{type: T, …}, {type: null}]` → `type: [T, null]`, and so for every union of plain types: each keyword
 * speaks of one type only. A nullable enum lists null.
 */
function foldNullable(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { anyOf, ...rest } = value as JsonSchema;
  if (!Array.isArray(anyOf)) return value;
  const members = anyOf as JsonSchema[];
  const types = members.flatMap(({ type }) => (type as string | string[] | undefined) ?? []);
  const keywords = members.flatMap((member) => Object.keys(member).filter((key) => key !== 'type'));
  const arePlain = members.every(({ type }) => type !== undefined) && types.length === new Set(types).size;
  if (!arePlain || keywords.length > new Set(keywords).size) return value;
  const merged: JsonSchema = Object.assign({}, ...members, rest);
  const { enum: values } = merged;
  return {
    ...merged,
    type: types,
    ...(Array.isArray(values) && types.includes('null') ? { enum: [...(values as unknown[]), null] } : {}),
  };
}
