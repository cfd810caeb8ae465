import { z } from 'zod';
import { defineOperation } from '../platform/operation/define-operation';
import { writers } from '../platform/operation/vocabulary';
import { deliveryId, deliveryState } from './webhook-fields';

export const webhookDeliveryRetry = defineOperation({
  name: 'webhook-delivery-retry',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Send a webhook delivery again',
  description: `Sends a webhook delivery again. A delivery that has ended (acknowledged, gave_up, cancelled) starts a new series of up to ten attempts, with the same
\`webhook-id\` and the result as it is now; one that waits for its next attempt gets it at once. If the endpoint is paused or turned off, the delivery
waits, and \`waiting_for\` says so.

A delivery that is queued already, or whose endpoint was deleted, is a 422; one that is being sent right now is a 409.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ delivery_id: deliveryId }),
  example: { delivery_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: z.object({
    id: deliveryId,
    state: deliveryState,
    series: z.int().meta({ description: 'The series of attempts that it is in now.' }),
    waiting_for: z
      .string()
      .nullable()
      .meta({ description: 'What it waits for, in a sentence; null when it has ended.' }),
  }),
  replyExample: {
    id: '01a1fcf7-b13e-74de-bd85-c2fc187618f1',
    state: 'queued',
    series: 2,
    waiting_for: 'It is due: attempt 1 of 10 follows in its turn.',
  },
  statuses: [404, 409],
});
