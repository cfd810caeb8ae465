import { z } from 'zod';
import { defineOperation } from '../platform/operation/define-operation';
import { readers } from '../platform/operation/vocabulary';
import { webhookReplay } from './webhook-deliveries';
import { replayExample } from './webhook-examples';
import { replayId } from './webhook-fields';

export const webhookReplayGet = defineOperation({
  name: 'webhook-replay-get',
  method: 'GET',
  tag: 'Webhooks',
  summary: 'Get a bulk replay of webhook deliveries',
  description:
    'Returns a bulk replay of webhook deliveries and how far it has come. A replay queues deliveries; `webhook-delivery-list` shows how each of them went.',
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ replay_id: replayId }),
  example: { replay_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: webhookReplay,
  replyExample: replayExample,
  statuses: [404],
});
