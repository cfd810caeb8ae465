import { z } from 'zod';
import { defineOperation } from './operation';
import { timestamp, uuid, writers } from './vocabulary';
import { pauseReasons } from './webhook-fields';

export const webhookEndpointPause = defineOperation({
  name: 'webhook-endpoint-pause',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Pause a webhook endpoint',
  description: `Deliveries go on being born and wait until \`webhook-endpoint-resume\`; one that is being sent ends. An endpoint that is paused already
stays as it is, with its own \`paused_reason\`.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ endpoint_id: uuid }),
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: z.object({ id: uuid, paused_reason: z.enum(pauseReasons), paused_at: timestamp }),
  statuses: [404],
});
