import { z } from 'zod';
import { defineOperation } from './operation';
import { uuid, writers } from './vocabulary';
import { webhookReplay } from './webhook-fields';

export const webhookReplayCancel = defineOperation({
  name: 'webhook-replay-cancel',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Cancel a replay of webhook deliveries',
  description: `Ends it after the page under way; what it has queued is sent. Cancelled again, it stays as it is; one that is done is 409.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ replay_id: uuid }),
  example: { replay_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: webhookReplay,
  statuses: [404, 409],
});
