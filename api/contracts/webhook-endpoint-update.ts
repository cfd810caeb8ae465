import { z } from 'zod';
import { defineOperation, sendsChange } from './operation';
import { environments, optional, uuid, writers } from './vocabulary';
import { endpointField } from './webhook-fields';

/** What an update may send; all but the id. */
export const updatableEndpointFields = [
  'url',
  'events',
  'custom_headers',
  'timeout_seconds',
  'description',
  'enabled',
] as const;

/** Who sends nothing but the environment is told of the environment. */
const fields = ['environment', ...updatableEndpointFields] as const;

export const webhookEndpointUpdate = defineOperation({
  name: 'webhook-endpoint-update',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Change a webhook endpoint',
  description: `Changes what is sent and differs; \`updated_fields\` names it. \`custom_headers\` replaces all of them. null clears \`description\` and
\`custom_headers\`. Deliveries that wait are sent as the endpoint is at the time of their attempt. Turned off (\`enabled: false\`), no deliveries
are born and those that are there wait; turned on, they go out. \`environment\` never changes: another one than the endpoint's is refused.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      endpoint_id: uuid,
      environment: optional(z.enum(environments)),
      url: endpointField.url.optional(),
      events: endpointField.events.optional(),
      custom_headers: endpointField.custom_headers.nullish(),
      timeout_seconds: endpointField.timeout_seconds.optional(),
      description: endpointField.description.nullish(),
      enabled: endpointField.enabled.optional(),
    })
    .superRefine(sendsChange(fields, updatableEndpointFields)),
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1', events: ['interview_result'] },
  reply: z.object({ id: uuid, updated_fields: z.array(z.string()) }),
  statuses: [404],
});
