import { z } from 'zod';
import { defineOperation } from './operation';
import { readers, uuid } from './vocabulary';
import { webhookAttempt, webhookDelivery } from './webhook-fields';

/** More than ten series by hand are rare. */
export const shownAttempts = 100;

export const webhookDeliveryGet = defineOperation({
  name: 'webhook-delivery-get',
  method: 'GET',
  tag: 'Webhooks',
  summary: 'Get a webhook delivery with its attempts',
  description: `\`timeline\` holds the latest ${shownAttempts} attempts in their order: requests and responses, with custom headers and signatures masked.
\`waiting_for\` is a sentence that says what an open delivery waits for, \`workflow_id\` the workflow that attempts it again.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ delivery_id: uuid }),
  example: { delivery_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: webhookDelivery.extend({
    waiting_for: z.string().nullable(),
    workflow_id: z.string().nullable(),
    timeline: z.array(webhookAttempt),
  }),
  statuses: [404],
});
