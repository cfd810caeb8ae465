import { z } from 'zod';
import { defineOperation } from '../platform/operation/define-operation';
import { writers } from '../platform/operation/vocabulary';
import { endpointId } from './webhook-fields';

export const webhookEndpointDelete = defineOperation({
  name: 'webhook-endpoint-delete',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description: `Deletes a webhook endpoint: nothing is sent to it any more, and its id is not found from then on. Deliveries that wait are cancelled: up to 10,000 at
once, more within minutes, and one that is being sent right now when it ends. The history of its deliveries stays readable.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ endpoint_id: endpointId }),
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0' },
  reply: z.object({
    id: endpointId,
    cancelled: z.int().meta({ description: 'Waiting deliveries that this call cancelled, at most 10,000.' }),
  }),
  replyExample: { id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0', cancelled: 3 },
  statuses: [404],
});
