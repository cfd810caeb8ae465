import { z } from 'zod';
import { defineOperation } from './operation';
import { pagination, paging, readers } from './vocabulary';
import { webhookEndpoint } from './webhook-fields';

/** `waiting` is counted up to this: endpoints by the million wait nowhere, deliveries may. */
export const listedWaitingLimit = 1_000;

export const webhookEndpointList = defineOperation({
  name: 'webhook-endpoint-list',
  method: 'GET',
  tag: 'Webhooks',
  summary: 'List the webhook endpoints',
  description: `The merchant's endpoints in the credential's environment with their health, in the order they were created; deleted ones are left
out. \`waiting\` is counted up to ${listedWaitingLimit} each; \`webhook-endpoint-get\` counts further.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object(paging),
  example: {},
  reply: z.object({ data: z.array(webhookEndpoint), pagination }),
  statuses: [],
});
