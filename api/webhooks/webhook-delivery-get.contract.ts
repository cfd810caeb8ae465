import { z } from 'zod';
import { defineOperation } from '../platform/operation/define-operation';
import { readers } from '../platform/operation/vocabulary';
import { webhookAttempt, webhookDelivery } from './webhook-deliveries';
import { attemptExample, deliveryExample } from './webhook-examples';
import { deliveryId } from './webhook-fields';

/** More than ten series by hand are rare. */
export const shownAttempts = 100;

export const webhookDeliveryGet = defineOperation({
  name: 'webhook-delivery-get',
  method: 'GET',
  tag: 'Webhooks',
  summary: 'Get a webhook delivery with its attempts',
  description: `Returns a webhook delivery with its latest ${shownAttempts} attempts: the requests and the answers, with custom headers and signatures masked.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ delivery_id: deliveryId }),
  example: { delivery_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: webhookDelivery.extend({
    waiting_for: z
      .string()
      .nullable()
      .meta({ description: 'What an open delivery waits for, in a sentence; null when it has ended.' }),
    workflow_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the workflow that makes the next attempts; null when there is none.' }),
    timeline: z
      .array(webhookAttempt)
      .meta({ description: `The latest ${shownAttempts} attempts, the oldest of them first.` }),
  }),
  replyExample: {
    ...deliveryExample,
    waiting_for: 'It waits for attempt 2 of 10 at 2026-01-15T09:42:16.000Z.',
    workflow_id: 'webhook-retries/01a1fcf7-b13e-74de-bd85-c2fc187618f0',
    timeline: [attemptExample],
  },
  statuses: [404],
});
