import { z } from 'zod';
import type { ZodOpenApiObject, ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { userRowSchemas } from '../../people/public';
import type { Contract, Operation } from '../operation/define-operation';
import { tags } from '../operation/tags';
import { rateLimitHeaders, referToHeaders, referToError, sharedComponents } from './errors';
import { introduction } from './introduction';
import { toOpenApiJson } from './plain';
import type { JsonSchema } from './plain';

const merchantIdMeaning =
  'The merchant to act for. Required with a service key. Platform admins can name any merchant, and operators their own or one that they have access to. For other users the token decides, and the value is ignored.';
const merchantId = z.string().optional().meta({ format: 'uuid', description: merchantIdMeaning });

const parameters = {
  MerchantId: {
    in: 'query',
    name: 'merchant_id',
    description: merchantIdMeaning,
    schema: { type: 'string', format: 'uuid' },
  },
  IdempotencyKey: {
    in: 'header',
    name: 'Idempotency-Key',
    description:
      'Makes the call safe to repeat. A call with the same key and body within 24 hours returns the first reply and does nothing else. The same key with another body is a 422. While the first call is still running, a repeated call is a 409. Use printable ASCII, such as a new UUID for each action.',
    // There is no example, because the reference page would send it with every request that is tried out.
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    in: 'header',
    name: 'If-Match',
    description:
      'The `ETag` of the object as you have read it. If the object has changed since, the call is a 412 and changes nothing.',
    schema: { type: 'string', maxLength: 700 },
  },
  IfNoneMatch: {
    in: 'header',
    name: 'If-None-Match',
    description:
      'The `ETag` of an earlier reply. If the reply is still the same, it is a 304 without a body.',
    schema: { type: 'string' },
  },
} as const;

/** Facts that are the same in the documents of the API and of the webhooks. */
export const sharedInfo = {
  version: '1',
  contact: { name: 'Platform support' },
  license: { name: 'MIT', identifier: 'MIT' },
};

/** Builds the OpenAPI 3.1 document of the operations. `{base_url}` and `{origin}` in its texts are replaced. */
export function buildOpenApiDocument(operations: readonly Operation[], baseUrl: string): JsonSchema {
  const inText = (text: string) =>
    text.replaceAll('{base_url}', baseUrl).replaceAll('{origin}', new URL(baseUrl).origin);
  const paths: ZodOpenApiPathsObject = Object.fromEntries(
    operations.map((operation) => [
      `/${operation.name}`,
      { [operation.method === 'GET' ? 'get' : 'post']: describeOperation(operation, inText) },
    ]),
  );
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Interview and Coaching Platform API',
      description: inText(introduction),
      ...sharedInfo,
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ bearer: [] }],
    paths,
    components: {
      ...sharedComponents(),
      schemas: userRowSchemas,
      parameters,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token (a JWT that is valid for one hour) or a service key (`sk_…`).',
        },
      },
    },
  };
  return toOpenApiJson(document);
}

/** Converts `job-interview-get` to `JobInterviewGet`, the prefix of the names of the operation's components. */
const componentName = (operation: Contract): string =>
  operation.name.replaceAll(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

function describeOperation(
  operation: Operation,
  inText: (text: string) => string,
): ZodOpenApiOperationObject {
  const isGet = operation.method === 'GET';
  const takesKey = !isGet && !operation.isRead;
  const hasTag = isGet && operation.replyType === undefined;
  const statuses = new Set([
    401,
    403,
    405,
    422,
    429,
    500,
    503,
    ...operation.statuses,
    // A call gets a 409 while the first call with the same Idempotency-Key is running.
    ...(takesKey ? [409] : []),
    ...(operation.reads ? [412] : []),
    ...(isGet ? [] : [413]),
  ]);
  return {
    operationId: operation.name,
    tags: [operation.tag],
    summary: operation.summary,
    description: `${inText(operation.description)}\n\n${describeCallers(operation)}`,
    ...(isGet
      ? {
          requestParams: { query: queryParametersOf(operation) },
          parameters: [
            ...(takesMerchantId(operation) ? [parameter('MerchantId')] : []),
            ...(hasTag ? [parameter('IfNoneMatch')] : []),
          ],
        }
      : {
          parameters: [
            ...(takesKey ? [parameter('IdempotencyKey')] : []),
            ...(operation.reads ? [parameter('IfMatch')] : []),
          ],
          requestBody: { required: true, content: requestBodyOf(operation) },
        }),
    responses: {
      '200': {
        description: 'Success.',
        headers: referToHeaders([
          ...(takesKey ? ['Idempotency-Replayed' as const] : []),
          ...(hasTag ? ['ETag' as const] : []),
          ...rateLimitHeaders,
          'X-Request-Id',
          'X-Ignored-Fields',
        ]),
        content: {
          [operation.replyType ?? 'application/json']: {
            schema: replyComponentOf(operation),
            example: operation.replyExample,
          },
        },
      },
      ...(hasTag
        ? {
            '304': {
              description: 'The reply is what `If-None-Match` names.',
              headers: referToHeaders(['ETag', 'X-Request-Id']),
            },
          }
        : {}),
      ...Object.fromEntries([...statuses].map((status) => [String(status), referToError(status)])),
    },
  };
}

const parameter = (name: keyof typeof parameters) => ({ $ref: `#/components/parameters/${name}` });

/** Describes the query parameters, with the values from the operation's example. */
export const queryParametersOf = (operation: Contract) =>
  z.object(
    Object.fromEntries(
      Object.entries(fieldsOf(operation)).map(([name, schema]) => {
        const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
        const description = schema.description ?? inner.description;
        const value = (operation.example as Record<string, unknown>)[name];
        return [
          name,
          schema.meta({
            ...(description === undefined ? {} : { description }),
            ...(value === undefined ? {} : { param: { example: schema.parse(value) } }),
          }),
        ];
      }),
    ),
  );

/** Describes the body of a POST. In most operations of the API, the body may also contain `merchant_id`. */
export const requestBodyOf = (operation: Contract) => {
  const shared = takesMerchantId(operation) ? { merchant_id: merchantId } : {};
  const schema = z
    .object({ ...fieldsOf(operation), ...shared })
    .meta({ id: `${componentName(operation)}Body` });
  return { 'application/json': { schema, example: operation.example } };
};

/**
 * Returns true if a call can name its merchant in addition to the operation's own fields. Calls about the whole platform
 * belong to no merchant, and some operations have `merchant_id` as a field of their own.
 */
const takesMerchantId = (operation: Contract): boolean =>
  operation.caller !== 'candidate' &&
  !('merchant_id' in (operation.input as z.ZodObject).shape) &&
  !('serviceKeys' in operation && operation.serviceKeys === 'platform');

/**
 * Returns the schemas of an operation's fields, with each alias as an optional field. The field that an alias stands
 * for stays required in the document, so that generated clients send it.
 */
function fieldsOf({ input, aliases = {} }: Contract): Record<string, z.ZodType> {
  const shape = (input as z.ZodObject).shape as Record<string, z.ZodType>;
  const others = Object.entries(aliases).flatMap(([alias, field]) => {
    const description = `Another name of \`${field}\`. Send one of the two.`;
    const named = shape[field];
    return named ? [[alias, named.optional().meta({ description })] as const] : [];
  });
  return { ...shape, ...Object.fromEntries(others) };
}

/** Returns the reply as a component. A reply that is already a component keeps its name. */
export const replyComponentOf = (operation: Contract) =>
  z.globalRegistry.get(operation.reply)?.id === undefined
    ? operation.reply.meta({ id: `${componentName(operation)}Reply` })
    : operation.reply;

/** Describes in one line which roles and credentials the operation accepts. */
function describeCallers({ roles, serviceKeys }: Operation): string {
  const users = roles.map((role) => `\`${role}\``).join(', ');
  const keys =
    serviceKeys === 'platform'
      ? 'service keys of the platform'
      : serviceKeys
        ? 'service keys'
        : 'not service keys';
  return `**Who may call:** users with the role ${users}; ${keys}.`;
}
