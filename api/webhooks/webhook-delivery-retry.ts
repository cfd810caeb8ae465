import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import type { webhookDeliveryRetry } from './webhook-delivery-retry.contract';
import { recordAct } from '../../db/platform/audit';
import { holdEndpointOf, lockDelivery, retryDelivery } from '../../db/webhooks/delivery-history';
import type { LockedDelivery } from '../../db/webhooks/delivery-history';
import { notifySender } from '../../db/webhooks/webhook-endpoints';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { signalRetries } from './signal-retries';
import { waitingFor } from './waiting-for';
import { unknownDelivery } from './webhook-delivery-get';

type Contract = typeof webhookDeliveryRetry;

/** Starts a new series of a delivery that has ended, or makes the next attempt due (docs/webhooks.md#retries-and-replays). */
export const retryWebhookDelivery: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async ({ input: { delivery_id }, write }, deps) => {
  return write(async (trx) => {
    const scope = await trx.merchantScope();
    await trx.rows(holdEndpointOf(delivery_id));
    const delivery = await trx.maybeOne(lockDelivery(delivery_id));
    if (!delivery) throw unknownDelivery();
    judge(delivery);
    const after = await trx.one(retryDelivery(delivery_id));
    await trx.count(recordAct('webhook-delivery-retry', after.id, { series: after.series }));
    if (after.state === 'queued') await trx.rows(notifySender);
    else
      trx.afterCommit(() =>
        signalRetries(deps, scope, delivery.endpoint_id, 'retryNow', [{ delivery_id: after.id }]),
      );
    return {
      id: after.id,
      state: after.state,
      series: after.series,
      waiting_for: waitingFor({ ...delivery, ...after, is_due: true }),
    };
  });
};

function judge(delivery: LockedDelivery): void {
  if (delivery.is_being_sent)
    throw new ApiError('state_conflict', 'This delivery is being sent right now: look at its outcome first');
  if (delivery.endpoint_deleted)
    throw new ApiError(
      'not_permitted_state',
      'The endpoint of this delivery was deleted: nothing is sent to it any more',
      'delivery_id',
    );
  if (delivery.state === 'queued')
    throw new ApiError('not_permitted_state', whyNotQueuedAgain(delivery), 'delivery_id');
}

/** What a caller can do about a delivery that is queued already. */
function whyNotQueuedAgain({ endpoint_enabled, endpoint_paused_reason }: LockedDelivery): string {
  if (!endpoint_enabled) return 'Its endpoint is turned off. Turn the endpoint on first.';
  if (endpoint_paused_reason !== null) return 'Its endpoint is paused. Resume the endpoint first.';
  return 'This delivery is already queued.';
}
