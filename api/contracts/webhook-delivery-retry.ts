import { z } from 'zod';
import { defineOperation } from './operation';
import { uuid, writers } from './vocabulary';
import { deliveryStates } from './webhook-fields';

export const webhookDeliveryRetry = defineOperation({
  name: 'webhook-delivery-retry',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Send a webhook delivery again',
  description: `One that ended (acknowledged, gave_up, cancelled) begins a new series of up to ten attempts, with the same \`webhook-id\` and the result
as it is now; one that waits for its next attempt gets it at once. One that is due already, or whose endpoint was deleted, is 422; one
that is being sent right now is 409. Where the endpoint is paused or turned off it waits; \`waiting_for\` says so.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ delivery_id: uuid }),
  example: { delivery_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: z.object({
    id: uuid,
    state: z.enum(deliveryStates),
    series: z.int(),
    waiting_for: z.string().nullable(),
  }),
  statuses: [404, 409],
});
