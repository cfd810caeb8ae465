import { z } from 'zod';
import { defineOperation } from './operation';
import { environments, optional, uuid, withDefault, writers } from './vocabulary';
import { endpointField } from './webhook-fields';

/** Endpoints of one merchant in one environment. */
export const maxEndpoints = 50;

export const webhookEndpointCreate = defineOperation({
  name: 'webhook-endpoint-create',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Create a webhook endpoint',
  description: `Every subscribed event of the credential's environment is sent to \`url\` from now on; \`GET /openapi-webhooks\` describes the
requests. \`environment\` is the credential's, any other is refused. The \`signing_secret\` is shown here for the only time. A
merchant has at most ${maxEndpoints} endpoints in an environment: one more is 409. \`url\` is https on port 443 of a public host, but where the
deployment allows more; a host name is judged by its addresses at each attempt. It is stored in its normal form.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    url: endpointField.url,
    events: endpointField.events,
    environment: optional(z.enum(environments)),
    custom_headers: optional(endpointField.custom_headers),
    timeout_seconds: withDefault(endpointField.timeout_seconds, 60),
    description: optional(endpointField.description),
    enabled: withDefault(endpointField.enabled, true),
  }),
  example: {
    url: 'https://example.com/webhooks',
    events: ['interview_result'],
    custom_headers: { 'x-api-key': 'b1946ac92492d2347c6235b4d2611184' },
  },
  reply: z.object({ id: uuid, signing_secret: z.string() }),
  statuses: [409],
});
