import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { z } from 'zod';
import { webhookEvents, webhookPayload } from '../contracts/webhook-payload';
import type { WebhookEvent } from '../contracts/webhook-payload';
import { toPlainDocument } from './openapi-document';
import type { JsonSchema } from './openapi-document';

const summaries: Record<WebhookEvent, string> = {
  interview_result: 'A result is final, or has changed since',
  interview_collected: 'All answers are in',
  interview_failed: 'An interview came to no result',
};

const firesWhen: Record<WebhookEvent, string> = {
  interview_result:
    'A candidate has submitted, the result is final and scored; sent again when a watched field of it changes later. Where a PDF is made for the interview it is held until `pdf_export_url` is there, or until PDFs are switched off for the interview.',
  interview_collected: 'All answers are in, before the scoring: scores and analyses are null or of before.',
  interview_failed:
    'An interview failed, was abandoned or ended because nothing was said: scores and analyses are mostly null.',
};

const introduction = `What the platform posts to the webhook endpoints of a merchant (\`webhook-endpoint-create\`).

**Acknowledge** with any 2xx inside the endpoint's \`timeout_seconds\` (60 at most), look-up and connection included. Anything else is a
failure, a redirect too, and is attempted again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h (each ±20 %): ten attempts, then
the delivery gives up. \`Retry-After\` of a 429 or 503 is honoured between the planned wait and twice it. 410 pauses the endpoint.

**At least once, in no order.** Upsert by the payload's \`id\`. \`webhook-id\` is the same for every attempt of a delivery, those asked for by hand
too. The body is the result as it is at the time of the attempt, so a late one sets nothing back.

**Verify** as Standard Webhooks says: base64 of HMAC-SHA256 over \`<webhook-id>.<webhook-timestamp>.<body>\`, the body as it came, keyed with the
bytes behind \`whsec_\` of the signing secret (base64), is one of the signatures behind \`v1,\` in \`webhook-signature\`. Refuse a
\`webhook-timestamp\` that is more than five minutes off. While a secret is rotated there are several signatures.

**Tests.** Results of test links are announced like any other, with \`is_test\` true. \`webhook-endpoint-test\` sends a sample of this payload with \`x-platform-event: test\`.`;

const headers = (event: WebhookEvent) =>
  z.object({
    'webhook-id': z
      .string()
      .meta({ format: 'uuid', description: 'Of the delivery: the same for all its attempts.' }),
    'webhook-timestamp': z.string().meta({
      pattern: '^\\d+$',
      description: 'Time of the attempt, in seconds since 1970.',
      example: '1768469400',
    }),
    'webhook-signature': z.string().meta({
      description: 'A signature for each secret that signs, a blank between them.',
      example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    }),
    'x-platform-event': z.literal(event),
    'x-platform-attempt': z
      .string()
      .meta({ pattern: '^(?:[1-9]|10)$', description: 'Of this series, 1 to 10.', example: '1' }),
    'user-agent': z.string().meta({ description: "Ours, or the endpoint's own of `custom_headers`." }),
  });

const describe = (event: WebhookEvent): ZodOpenApiOperationObject => ({
  operationId: event,
  summary: summaries[event],
  description: `${firesWhen[event]}\n\nThe endpoint's \`custom_headers\` are sent too.`,
  requestParams: { header: headers(event) },
  requestBody: { required: true, content: { 'application/json': { schema: webhookPayload } } },
  responses: {
    '2XX': { description: 'Acknowledged; the body is kept for the delivery history, at most 16 KiB.' },
    '410': { description: 'A failure that pauses the endpoint besides.' },
    default: { description: 'A failure: it is attempted again.' },
  },
});

/** The OpenAPI 3.1 document of what is sent to endpoints (spec: Events). */
export const buildWebhooksDocument = (): JsonSchema =>
  toPlainDocument({
    openapi: '3.1.0',
    info: {
      title: 'Interview and Coaching Platform webhooks',
      version: '1',
      description: introduction,
    },
    security: [],
    webhooks: Object.fromEntries(webhookEvents.map((event) => [event, { post: describe(event) }])),
  });
