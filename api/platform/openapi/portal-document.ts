import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { callsPerMinuteOf } from '../operation/define-operation';
import type { PortalOperation } from '../operation/define-operation';
import type { ErrorCode } from '../operation/error-codes';
import { sharedInfo, requestBodyOf, queryParametersOf, replyComponentOf } from './document';
import {
  apiErrors,
  errorExample,
  rateLimitHeaders,
  referToHeaders,
  referToError,
  sharedComponents,
} from './errors';
import type { ErrorResponse } from './errors';
import { toOpenApiJson } from './plain';
import type { JsonSchema } from './plain';

const introduction = `What a candidate's page does, as calls: begin an attempt, answer its turns, review and submit. Every call
carries the token of the candidate's link, and every call can be repeated: it does its work once and returns the attempt as it then is.

A client shows \`turn\`, sends its answer with \`turn-answer\`, and shows the turn of the reply. If \`turn\` is null and \`waiting_ms\` is
not, the next turn is being decided: call \`attempt-get\` after that time. The operations are served at the portal's address only.
`;

/** The codes that a call of the portal can get. */
const codes: readonly ErrorCode[] = [
  'token_missing', 'token_malformed', 'token_expired', 'token_revoked',
  'not_found', 'method_not_allowed', 'concurrent_change', 'state_conflict', 'link_closed', 'body_too_large',
  'required', 'invalid_type', 'invalid_value', 'invalid_format', 'too_long', 'too_short', 'too_large', 'too_small',
  'conflicting_fields', 'not_applicable', 'invalid_json', 'invalid_encoding', 'invalid_request',
  'rate_limited', 'internal_error', 'overloaded', 'service_unavailable',
]; // prettier-ignore

const errors: Readonly<Record<number, ErrorResponse>> = {
  401: {
    ...apiErrors[401],
    description: 'The token is missing or malformed, or its link has expired or was replaced by a newer one.',
    example: errorExample('token_expired', 'This link has expired.'),
  },
  404: {
    ...apiErrors[404],
    description: 'The id does not exist, or it is not of the current attempt of this link.',
    example: errorExample('not_found', 'Your attempt has no turn with this turn_id.', 'turn_id'),
  },
  405: apiErrors[405],
  409: {
    ...apiErrors[409],
    description:
      'The state of the attempt does not permit the call. `details` has one entry: the attempt as it is now.',
    example: errorExample('state_conflict', 'This turn already has another answer.'),
  },
  410: {
    component: 'Gone',
    description: 'The interview has ended or no longer takes answers.',
    headers: rateLimitHeaders,
    example: errorExample('link_closed', 'This interview no longer takes answers.'),
  },
  413: {
    ...apiErrors[413],
    description: 'The body is larger than the operation accepts.',
    example: errorExample('body_too_large', 'The body must be at most 256 KiB.'),
  },
  422: { ...apiErrors[422], example: errorExample('required', 'turn_id is required', 'turn_id') },
  429: {
    ...apiErrors[429],
    example: errorExample('rate_limited', 'You sent more than 60 requests in a minute. Slow down.'),
  },
  500: apiErrors[500],
  503: apiErrors[503],
};

/** Builds the OpenAPI 3.1 document of the operations for candidates. */
export function buildPortalDocument(operations: readonly PortalOperation[], baseUrl: string): JsonSchema {
  const paths: ZodOpenApiPathsObject = Object.fromEntries(
    operations.map((operation) => [
      `/${operation.name}`,
      { [operation.method.toLowerCase()]: describeOperation(operation) },
    ]),
  );
  return toOpenApiJson({
    openapi: '3.1.0',
    info: { title: 'Interview portal', description: introduction, ...sharedInfo },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    paths,
    components: {
      ...sharedComponents(errors, codes),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: "The `interview_token` of a candidate's link.",
        },
      },
    },
  });
}

function describeOperation(operation: PortalOperation): ZodOpenApiOperationObject {
  const { name, method, summary, description } = operation;
  return {
    operationId: name,
    summary,
    description: `${description}\n\n**Limit:** ${callsPerMinuteOf(operation)} calls a minute for each link.`,
    ...describeInput(operation),
    responses: {
      ...describeReply(operation),
      ...Object.fromEntries(
        [401, 405, 422, 429, 500, 503, ...(method === 'GET' ? [] : [413]), ...operation.statuses]
          .filter((status) => status !== 204)
          .map((status) => [String(status), referToError(status, errors)]),
      ),
    },
  };
}

function describeInput(operation: PortalOperation): Partial<ZodOpenApiOperationObject> {
  if (operation.method === 'POST')
    return { requestBody: { required: true, content: requestBodyOf(operation) } };
  const query = { requestParams: { query: queryParametersOf(operation) } };
  if (operation.method === 'GET') return query;
  return { ...query, requestBody: { required: true, content: { 'application/octet-stream': {} } } };
}

function describeReply(operation: PortalOperation): ZodOpenApiResponsesObject {
  const headers = referToHeaders([...rateLimitHeaders, 'X-Request-Id', 'X-Ignored-Fields']);
  const content =
    operation.replyType === undefined
      ? { 'application/json': { schema: replyComponentOf(operation), example: operation.replyExample } }
      : { [operation.replyType]: {} };
  return {
    '200': { description: 'Success.', headers, content },
    ...(operation.statuses.includes(204)
      ? { '204': { description: 'There is nothing to return.', headers } }
      : {}),
  };
}
