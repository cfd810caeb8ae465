import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { webhookEvents } from '../../db/webhooks/vocabulary';
import { sharedInfo } from '../platform/openapi/document';
import { toOpenApiJson } from '../platform/openapi/plain';
import type { JsonSchema } from '../platform/openapi/plain';
import { syncChangedBody, webhookBody } from './webhook-body';
import type { WebhookEvent } from './webhook-body';
import { eventTexts } from './webhook-events';

const introductionOf = (
  origin: string,
) => `What the platform posts to the webhook endpoints of a merchant (\`webhook-endpoint-create\`).
[The guide](${origin}/docs/webhooks) says when events fire, how to verify and store a body, with receivers in Node.js, Python and Go, and when
deliveries are repeated. In short:

- Respond with any 2xx within the endpoint's \`timeout_seconds\`, and do slow work afterwards. Any other response is a failure and is retried: up to ten
  attempts in about three days.
- Verify \`webhook-signature\` with a library of [Standard Webhooks](https://www.standardwebhooks.com).
- Store a body only if its \`revision\` is higher than the one you have for this \`id\`: delivery is at least once and in no particular order.
- The body of an event about a result is the result at the time of the attempt. \`type\` says why you are called; \`status\`, \`attempt\` and \`revision\` say what is true now.`;

const headers = (event: WebhookEvent) =>
  z.object({
    'webhook-id': z
      .string()
      .meta({ format: 'uuid', description: 'Id of the delivery: the same for all its attempts.' }),
    'webhook-timestamp': z.string().meta({
      pattern: '^\\d+$',
      description: 'Time of the attempt, in seconds since 1970.',
      example: '1768469400',
    }),
    'webhook-signature': z.string().meta({
      description: 'One signature for each valid secret, separated by spaces.',
      example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    }),
    'x-platform-event': z.literal(event).meta({ description: 'The event, as `type` in the body.' }),
    'x-platform-attempt': z.string().meta({
      pattern: '^(?:[1-9]|10)$',
      description: 'Number of the attempt in its series, 1 to 10.',
      example: '1',
    }),
    'user-agent': z.string().meta({
      description: 'Set by the platform, unless the `custom_headers` of the endpoint set another one.',
    }),
  });

const describe = (
  event: WebhookEvent,
  { summary, firesWhen, sample } = eventTexts[event],
): ZodOpenApiOperationObject => ({
  operationId: event,
  tags: ['Events'],
  summary,
  description: `${firesWhen}\n\nThe endpoint's \`custom_headers\` are sent too.`,
  requestParams: { header: headers(event) },
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: event === 'sync.changed' ? syncChangedBody : webhookBody,
        example: sample,
      },
    },
  },
  responses: {
    '2XX': { description: 'Acknowledged; the body is kept for the delivery history, at most 16 KiB.' },
    '410': { description: 'A failure that also pauses the endpoint.' },
    default: { description: 'A failure: the delivery is attempted again.' },
  },
});

/** Builds the OpenAPI 3.1 document of the webhooks that endpoints receive (docs/guide/webhooks.md). */
export const buildWebhooksDocument = (baseUrl: string): JsonSchema =>
  toOpenApiJson({
    openapi: '3.1.0',
    info: {
      title: 'Interview and Coaching Platform webhooks',
      description: introductionOf(new URL(baseUrl).origin),
      ...sharedInfo,
    },
    servers: [{ url: baseUrl }],
    tags: [{ name: 'Events', description: 'The requests that the platform sends to your endpoints.' }],
    security: [],
    // OpenAPI 3.1 does not require `paths`, but some client generators reject a document without it.
    paths: {},
    webhooks: Object.fromEntries(webhookEvents.map((event) => [event, { post: describe(event) }])),
  });
