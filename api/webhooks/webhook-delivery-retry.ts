import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { holdEndpointOf, lockDelivery, retryDelivery } from '../../db/webhooks/delivery-history';
import type { LockedDelivery } from '../../db/webhooks/delivery-history';
import { wakeSender } from '../../db/webhooks/webhook-endpoints';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { writers } from '../platform/operation/vocabulary';
import { describeWaiting } from './waiting-for';
import { unknownDelivery } from './webhook-delivery-get';
import { deliveryId, deliveryState } from './webhook-fields';

export const webhookDeliveryRetry = defineOperation({
  name: 'webhook-delivery-retry',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Send a webhook delivery again',
  description: `Sends a webhook delivery again. A delivery that has ended (acknowledged, gave_up, cancelled) starts a new series of up to ten attempts, with the same
\`webhook-id\` and the result as it is now; a delivery that waits for its next attempt gets it at once. If the endpoint is paused or turned off, the
delivery waits, and \`waiting_for\` says so.

If the delivery is already queued, or if its endpoint was deleted, the call is a 422. If the delivery is being sent right now, the call is a 409.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ delivery_id: deliveryId }),
  example: { delivery_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: z.object({
    id: deliveryId,
    state: deliveryState,
    series: z.int().meta({ description: 'The current series of attempts.' }),
    waiting_for: z
      .string()
      .nullable()
      .meta({ description: 'What it waits for, as a sentence. Null if it has ended.' }),
  }),
  replyExample: {
    id: '01a1fcf7-b13e-74de-bd85-c2fc187618f1',
    state: 'queued',
    series: 2,
    waiting_for: 'It is due: attempt 1 of 10 is next in the queue.',
  },
  statuses: [404, 409],
  /**
   * Starts a new series for a delivery that has ended. For an open delivery, makes the next attempt due now
   * (docs/webhooks.md#retries-and-replays).
   */
  async handle({ input: { delivery_id }, write }) {
    return write(async (trx) => {
      await trx.rows(holdEndpointOf(delivery_id));
      const delivery = await trx.maybeOne(lockDelivery(delivery_id));
      if (!delivery) throw unknownDelivery();
      validate(delivery);
      const after = await trx.one(retryDelivery(delivery_id));
      await trx.count(recordAuditEntry('webhook-delivery-retry', after.id, { series: after.series }));
      await trx.rows(wakeSender);
      return {
        id: after.id,
        state: after.state,
        series: after.series,
        waiting_for: describeWaiting({ ...delivery, ...after, is_due: true }),
      };
    });
  },
});

function validate(delivery: LockedDelivery): void {
  if (delivery.is_being_sent)
    throw new ApiError('state_conflict', 'This delivery is being sent right now. Check its outcome first.');
  if (delivery.endpoint_deleted)
    throw new ApiError('not_permitted_state', 'The endpoint of this delivery was deleted.', 'delivery_id');
  if (delivery.state === 'queued')
    throw new ApiError('not_permitted_state', whyNotQueuedAgain(delivery), 'delivery_id');
}

/** Explains what a caller can do about a delivery that cannot be retried because it is already queued. */
function whyNotQueuedAgain({ endpoint_enabled, endpoint_paused_reason }: LockedDelivery): string {
  if (!endpoint_enabled) return 'Its endpoint is turned off. Turn the endpoint on first.';
  if (endpoint_paused_reason !== null) return 'Its endpoint is paused. Resume the endpoint first.';
  return 'This delivery is already queued.';
}
