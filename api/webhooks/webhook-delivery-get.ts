import { z } from 'zod';
import { getDelivery, listAttempts } from '../../db/webhooks/delivery-history';
import { webhookRetriesId } from '../../workflows/ids';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { readers } from '../platform/operation/vocabulary';
import { describeWaiting } from './waiting-for';
import { webhookAttempt, webhookDelivery } from './webhook-deliveries';
import { attemptExample, deliveryExample } from './webhook-examples';
import { deliveryId } from './webhook-fields';

/**
 * The maximum number of attempts in a reply. A series has at most ten attempts, so only a delivery with more than ten
 * series has more. A new series begins with a manual retry or a replay.
 */
const shownAttempts = 100;

export const unknownDelivery = () =>
  new ApiError('not_found', 'There is no webhook delivery with this delivery_id.', 'delivery_id');

export const webhookDeliveryGet = defineOperation({
  name: 'webhook-delivery-get',
  method: 'GET',
  tag: 'Webhooks',
  summary: 'Get a webhook delivery with its attempts',
  description: `Returns a webhook delivery with its latest ${shownAttempts} attempts, with requests and responses. Custom headers and signatures are masked.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ delivery_id: deliveryId }),
  example: { delivery_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: webhookDelivery.extend({
    waiting_for: z
      .string()
      .nullable()
      .meta({ description: 'What an open delivery waits for, as a sentence. Null if it has ended.' }),
    workflow_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the workflow that makes the next attempts. Null if there is none.' }),
    timeline: z
      .array(webhookAttempt)
      .meta({ description: `The latest ${shownAttempts} attempts, oldest first.` }),
  }),
  replyExample: {
    ...deliveryExample,
    waiting_for: 'It waits for attempt 2 of 10 at 2026-01-15T09:42:16.000Z.',
    workflow_id: 'webhook-retries/01a1fcf7-b13e-74de-bd85-c2fc187618f0',
    timeline: [attemptExample],
  },
  statuses: [404],
  handle({ input: { delivery_id }, caller }, { database }) {
    return database.read(caller, async (trx) => {
      const [delivery, timeline] = await Promise.all([
        trx.maybeOne(getDelivery(delivery_id)),
        trx.rows(listAttempts(delivery_id, shownAttempts)),
      ]);
      if (!delivery) throw unknownDelivery();
      return {
        ...delivery,
        waiting_for: describeWaiting(delivery),
        workflow_id: delivery.state === 'retried' ? webhookRetriesId(delivery.endpoint_id) : null,
        timeline,
      };
    });
  },
});
