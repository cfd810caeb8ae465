import { z } from 'zod';
import { defineOperation } from './operation';
import { uuid, writers } from './vocabulary';

export const webhookEndpointDelete = defineOperation({
  name: 'webhook-endpoint-delete',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description: `Nothing is sent to it any more and its id is not found from then on. Deliveries that wait are cancelled; \`cancelled\` counts those of
this call, at most 10,000: more are cancelled within minutes, and one that is being sent right now afterwards. The history of its deliveries
stays readable.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ endpoint_id: uuid }),
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: z.object({ id: uuid, cancelled: z.int() }),
  statuses: [404],
});
