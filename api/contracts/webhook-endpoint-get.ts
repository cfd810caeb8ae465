import { z } from 'zod';
import { defineOperation } from './operation';
import { readers, timestamp, uuid } from './vocabulary';
import { webhookEndpoint } from './webhook-fields';

export const waitingLimit = 10_000;

export const webhookEndpointGet = defineOperation({
  name: 'webhook-endpoint-get',
  method: 'GET',
  tag: 'Webhooks',
  summary: 'Get a webhook endpoint',
  description: `One endpoint with its health. Values of custom headers are masked and secrets are never shown; \`secrets\` says which sign, the newest
first: an \`expires_at\` is the end of one that was rotated. \`waiting\` is counted up to ${waitingLimit} each.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ endpoint_id: uuid }),
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: webhookEndpoint.extend({
    custom_headers: z
      .record(z.string(), z.string())
      .meta({ description: 'Names as they are sent, values masked.' }),
    secrets: z.array(z.object({ created_at: timestamp, expires_at: timestamp.nullable() })),
  }),
  statuses: [404],
});
