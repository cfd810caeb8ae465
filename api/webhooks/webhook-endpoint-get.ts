import { z } from 'zod';
import { getEndpoint, headersContext } from '../../db/webhooks/webhook-endpoints';
import { defineOperation } from '../platform/operation/define-operation';
import { readers, timestamp } from '../platform/operation/vocabulary';
import { unknownEndpoint } from './endpoint-of';
import { endpointExample } from './webhook-examples';
import { endpointId, webhookEndpoint } from './webhook-fields';
import { customHeaders, maskSecret } from './webhook-headers';

export const maxCountedWaiting = 10_000;

export const webhookEndpointGet = defineOperation({
  name: 'webhook-endpoint-get',
  method: 'GET',
  tag: 'Webhooks',
  summary: 'Get a webhook endpoint',
  description: `Returns a webhook endpoint with its health. Values of custom headers are masked, and secrets are never shown. \`waiting\` counts up to ${maxCountedWaiting}
deliveries of each kind.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ endpoint_id: endpointId }),
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0' },
  reply: webhookEndpoint.extend({
    custom_headers: z
      .record(z.string(), z.string())
      .meta({ description: 'The custom headers, with masked values.' }),
    secrets: z
      .array(
        z.object({
          created_at: timestamp.meta({ description: 'When the secret was created.' }),
          expires_at: timestamp
            .nullable()
            .meta({ description: 'When it stops signing after a rotation. Null for the current secret.' }),
        }),
      )
      .meta({ description: 'The valid secrets, newest first.' }),
  }),
  replyExample: {
    ...endpointExample,
    custom_headers: { 'x-api-key': 'b194…' },
    secrets: [{ created_at: '2026-01-15T09:30:00.000Z', expires_at: null }],
  },
  statuses: [404],
  /** Reads one endpoint, with the names of its headers and the expiry times of its secrets. */
  async handle({ input: { endpoint_id }, caller }, { database, seal }) {
    const [row] = await database.query(caller, getEndpoint(endpoint_id, maxCountedWaiting));
    if (!row) throw unknownEndpoint();
    const { custom_headers_sealed: sealed, ...endpoint } = row;
    const headers = sealed
      ? customHeaders.parse(JSON.parse(seal.open(sealed, headersContext(endpoint.id))))
      : {};
    return {
      ...endpoint,
      custom_headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, maskSecret(value)]),
      ),
      secrets: row.secrets.map(({ created_at, expires_at }) => ({
        created_at: new Date(created_at).toISOString(),
        expires_at: expires_at && new Date(expires_at).toISOString(),
      })),
    };
  },
});
