import { z } from 'zod';
import type { ZodOpenApiObject } from 'zod-openapi';
import { errorCodes } from '../operation/error-codes';
import type { ErrorCode } from '../operation/error-codes';

type Components = NonNullable<ZodOpenApiObject['components']>;

const errorCode = z.string().meta({
  description: 'A stable code for programs. The guide lists all codes; codes can be added.',
});
const sentence = 'One sentence that says what is wrong and what to change.';
const fieldName =
  'The field that the error is about, as it was sent: `interview_template_id`, `users[3].email`.';

const errorBody = z
  .object({
    error: z.string().meta({ description: sentence }),
    name: z
      .string()
      .optional()
      .meta({ description: `${fieldName} Omitted if the error is not about a field.` }),
    code: errorCode,
    request_id: z.string().meta({
      description: 'The id of the request, to send to support. The `x-request-id` header has the same id.',
    }),
    errors: z
      .array(
        z.object({
          name: z
            .string()
            .nullable()
            .meta({ description: `${fieldName} Null if the error is not about a field.` }),
          code: errorCode,
          error: z.string().meta({ description: sentence }),
        }),
      )
      .meta({
        description:
          'All errors that were found in the request, at most 100. The first one is also in `error`, `name` and `code`.',
      }),
    details: z.array(z.record(z.string(), z.unknown())).optional().meta({
      description:
        "What a program needs to go on by itself. For a report definition: at most 20 issues, which the guide explains. For a candidate's attempt: the attempt as it is now, or the current version of the consent.",
    }),
  })
  .meta({ id: 'Error', description: 'The body of every error.' });

const requestId = '4f9c2f0e-0d2a-4c55-9a53-5b1f6a0f9f7a';

/** Returns an error body with a single error. */
export const errorExample = (code: ErrorCode, error: string, name?: string): z.input<typeof errorBody> => ({
  error,
  ...(name === undefined ? {} : { name }),
  code,
  request_id: requestId,
  errors: [{ name: name ?? null, code, error }],
});

/** The headers of replies. Each error lists the headers that are sent with it. */
const headers = {
  'X-Request-Id': {
    description:
      'The id of this request, to send to support. A caller can send its own id of 1 to 128 characters `A-Z a-z 0-9 . _ -`; any other value is replaced.',
    schema: { type: 'string' },
    example: requestId,
  },
  'RateLimit-Policy': {
    description: 'The limit and its window in seconds: `600;w=60` is 600 requests in 60 seconds.',
    schema: { type: 'string' },
    example: '600;w=60',
  },
  'RateLimit-Limit': {
    description: 'Requests that this credential may make in one window.',
    schema: { type: 'integer' },
    example: 600,
  },
  'RateLimit-Remaining': {
    description: 'Remaining requests in the current window.',
    schema: { type: 'integer' },
    example: 597,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the current window ends.',
    schema: { type: 'integer' },
    example: 42,
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer' },
    example: 5,
  },
  'Idempotency-Replayed': {
    description: '`true` on a stored reply of an earlier call with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  ETag: {
    description: 'Changes with any value of the reply. Send it as `If-None-Match` or `If-Match`.',
    schema: { type: 'string' },
    example: '"vY6C1m0Tn4x3Zr8qkWJd2s9LhPA"',
  },
  'X-Ignored-Fields': {
    description:
      'Parameters and fields of the request that the operation does not have and ignored, as dotted paths, at most 20. Characters that are not allowed in a header are percent-encoded.',
    schema: { type: 'string' },
    example: 'visibilty, hiring_for_company.town',
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  Allow: {
    description: 'The methods that this path accepts.',
    schema: { type: 'string' },
    example: 'POST, OPTIONS',
  },
} as const;
type HeaderName = keyof typeof headers;

/** Returns references to the headers, in the form that a response needs. */
export const referToHeaders = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const rateLimitHeaders = [
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const satisfies HeaderName[];

export type ErrorResponse = {
  component: string;
  description: string;
  headers: readonly HeaderName[];
  example: z.input<typeof errorBody>;
};
/** The error responses of a document, by status. */
type Errors = Readonly<Record<number, ErrorResponse>>;

/** The errors of the API's operations. */
export const apiErrors = {
  401: {
    component: 'Unauthorized',
    description: 'The credential is missing, malformed, expired or revoked.',
    headers: ['WWW-Authenticate', ...rateLimitHeaders],
    example: errorExample('token_expired', 'The access token has expired. Refresh it, or sign in again.'),
  },
  403: {
    component: 'Forbidden',
    description: 'The credential is valid, but the caller may not do this.',
    headers: rateLimitHeaders,
    example: errorExample('role_not_allowed', 'Your role merchant_selection may not call this operation.'),
  },
  404: {
    component: 'NotFound',
    description: 'The id does not exist, or the caller cannot see the object.',
    headers: rateLimitHeaders,
    example: errorExample(
      'not_found',
      'There is no interview or position with this position_id.',
      'position_id',
    ),
  },
  405: {
    component: 'MethodNotAllowed',
    description: 'The path does not accept this method. `Allow` lists the accepted methods.',
    headers: ['Allow'],
    example: errorExample('method_not_allowed', 'This address accepts only POST, OPTIONS.'),
  },
  409: {
    component: 'Conflict',
    description:
      'The call conflicts with another call or with the current state of the object. If the other call is still running, the reply has `Retry-After`.',
    headers: ['Retry-After', ...rateLimitHeaders],
    example: errorExample(
      'idempotency_key_in_use',
      'The first call with this Idempotency-Key is still running. Repeat the call later.',
      'Idempotency-Key',
    ),
  },
  410: {
    component: 'CursorExpired',
    description: 'The cursor has expired. Begin again without a cursor.',
    headers: rateLimitHeaders,
    example: errorExample(
      'sync_cursor_expired',
      'This cursor has expired. Begin again without a cursor.',
      'cursor',
    ),
  },
  412: {
    component: 'PreconditionFailed',
    description: 'The object has changed since the caller read it. Nothing was changed.',
    headers: rateLimitHeaders,
    example: errorExample(
      'precondition_failed',
      'The object has changed since you read it. Read it again with job-interview-get, and repeat your change.',
      'If-Match',
    ),
  },
  413: {
    component: 'PayloadTooLarge',
    description: 'The body is larger than 1 MiB.',
    headers: rateLimitHeaders,
    example: errorExample('body_too_large', 'The body must be at most 1 MiB.'),
  },
  422: {
    component: 'Unprocessable',
    description: 'A field is missing or invalid. `name` is the field, and `errors` lists all invalid fields.',
    headers: rateLimitHeaders,
    example: {
      ...errorExample('required', 'name is required.', 'name'),
      errors: [
        { name: 'name', code: 'required', error: 'name is required.' },
        { name: 'max_duration', code: 'too_small', error: 'max_duration must be at least 120.' },
      ],
    },
  },
  429: {
    component: 'TooManyRequests',
    description: 'Too many requests. `Retry-After` says when to continue.',
    headers: ['Retry-After', ...rateLimitHeaders],
    example: errorExample('rate_limited', 'You sent more than 600 requests in a minute. Slow down.'),
  },
  500: {
    component: 'ServerError',
    description: 'An error on our side. Send the request id to support.',
    headers: [],
    example: errorExample(
      'internal_error',
      'Something went wrong on our side. Contact support with the request id.',
    ),
  },
  503: {
    component: 'Unavailable',
    description:
      'The service, or a service that it depends on, is unavailable. `Retry-After` says when to try again.',
    headers: ['Retry-After'],
    example: errorExample('service_unavailable', 'The service is unavailable. Try again later.'),
  },
} as const satisfies Errors;

/** Returns a reference to the shared response of a status. */
export const referToError = (status: number, errors: Errors = apiErrors) => {
  const known = errors[status];
  if (!known) throw new Error(`no description of ${status}`);
  return { $ref: `#/components/responses/${known.component}` };
};

/**
 * Returns the error responses and headers that all operations of a document share. `codes` are the error codes that
 * its operations can send.
 */
export const sharedComponents = (
  errors: Errors = apiErrors,
  codes = Object.keys(errorCodes) as readonly ErrorCode[],
): Components => ({
  headers: { ...headers },
  responses: Object.fromEntries(
    Object.entries(errors).map(([status, { component, description, headers: sent, example }]) => {
      const names = codes.flatMap((code) =>
        errorCodes[code].status === Number(status) ? [`\`${code}\``] : [],
      );
      return [
        component,
        {
          description: `${description}\n\nCodes: ${names.join(', ')}.`,
          headers: referToHeaders([...sent, 'X-Request-Id', 'X-Ignored-Fields']),
          content: { 'application/json': { schema: errorBody, example } },
        },
      ];
    }),
  ),
});
