import { z } from 'zod';
import { defineOperation } from '../platform/operation/define-operation';
import { pagination, paging, readers } from '../platform/operation/vocabulary';
import { endpointExample } from './webhook-examples';
import { webhookEndpoint } from './webhook-fields';

/** `waiting` is counted up to this: endpoints by the million wait nowhere, deliveries may. */
export const listedWaitingLimit = 1_000;

export const webhookEndpointList = defineOperation({
  name: 'webhook-endpoint-list',
  method: 'GET',
  tag: 'Webhooks',
  summary: 'List the webhook endpoints',
  description: `Lists the webhook endpoints of the merchant in the credential's environment with their health, ordered by id. Deleted ones are left
out. \`waiting\` counts up to ${listedWaitingLimit} deliveries of each kind; \`webhook-endpoint-get\` counts further.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object(paging),
  example: {},
  reply: z.object({
    data: z.array(webhookEndpoint).meta({ description: 'The entries of this page.' }),
    pagination,
  }),
  replyExample: {
    data: [endpointExample],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false },
  },
  statuses: [],
});
