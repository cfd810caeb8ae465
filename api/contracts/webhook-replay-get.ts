import { z } from 'zod';
import { defineOperation } from './operation';
import { readers, uuid } from './vocabulary';
import { webhookReplay } from './webhook-fields';

export const webhookReplayGet = defineOperation({
  name: 'webhook-replay-get',
  method: 'GET',
  tag: 'Webhooks',
  summary: 'Get a replay of webhook deliveries',
  description:
    'How far a replay has come. It queues deliveries; how each of them went is told by `webhook-delivery-list`.',
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ replay_id: uuid }),
  example: { replay_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: webhookReplay,
  statuses: [404],
});
