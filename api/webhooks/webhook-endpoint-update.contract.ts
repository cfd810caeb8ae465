import { z } from 'zod';
import { defineOperation, sendsChange } from '../platform/operation/define-operation';
import { optional, writers } from '../platform/operation/vocabulary';
import { endpointField, endpointId } from './webhook-fields';
import { checkUrl } from '../platform/text/webhook-url';

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
  description: `Changes the fields of a webhook endpoint that are sent, and no others. \`custom_headers\` replaces all of them; null clears \`description\` and
\`custom_headers\`. Deliveries that wait are sent with the settings at the time of their attempt. The environment cannot be changed.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      endpoint_id: endpointId,
      environment: optional(endpointField.environment).meta({
        description: 'The environment of the endpoint. It cannot be changed: another one is a 422.',
      }),
      url: endpointField.url.optional(),
      events: endpointField.events.optional(),
      custom_headers: endpointField.custom_headers.nullish(),
      timeout_seconds: endpointField.timeout_seconds.optional(),
      description: endpointField.description.nullish(),
      enabled: endpointField.enabled.optional(),
    })
    .superRefine(sendsChange(fields, updatableEndpointFields)),
  check: ({ url, environment }, facts) => {
    const errors = checkUrl(url, facts.webhookTargets);
    if (typeof environment === 'string' && environment !== facts.environment)
      errors.push({
        name: 'environment',
        code: 'immutable_field',
        error: `environment of an endpoint never changes, it is ${facts.environment}: create another endpoint with a credential of ${environment}`,
      });
    return errors;
  },
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0', events: ['interview_result'] },
  reply: z.object({
    id: endpointId,
    updated_fields: z
      .array(z.string().meta({ description: 'Name of a field.' }))
      .meta({ description: 'The fields whose value is another one than before.' }),
  }),
  replyExample: { id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0', updated_fields: ['events'] },
  statuses: [404],
});
