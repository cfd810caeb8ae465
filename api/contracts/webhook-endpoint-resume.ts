import { z } from 'zod';
import { defineOperation } from './operation';
import { uuid, writers } from './vocabulary';

export const webhookEndpointResume = defineOperation({
  name: 'webhook-endpoint-resume',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Resume a paused webhook endpoint',
  description: `Deliveries that waited for it go out: first attempts at once, others at their planned time. An endpoint that is not paused stays as it
is. \`enabled\` false: its owner has turned it off besides, and deliveries wait until it is turned on.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ endpoint_id: uuid }),
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: z.object({ id: uuid, enabled: z.boolean() }),
  statuses: [404],
});
