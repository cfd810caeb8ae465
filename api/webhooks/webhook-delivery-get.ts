import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import { shownAttempts } from './webhook-delivery-get.contract';
import type { webhookDeliveryGet } from './webhook-delivery-get.contract';
import { getDelivery, listAttempts } from '../../db/webhooks/delivery-history';
import { webhookRetriesId } from '../../workflows/ids';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { waitingFor } from './waiting-for';

type Contract = typeof webhookDeliveryGet;
type Reply = z.input<Contract['reply']>;

export const unknownDelivery = () =>
  new ApiError('not_found', 'There is no webhook delivery with this delivery_id', 'delivery_id');

/** One delivery, what it waits for and its attempts. */
export const getWebhookDelivery: Handler<z.output<Contract['input']>, Reply, OperationDeps> = (
  { input: { delivery_id }, caller },
  { database },
) =>
  database.asCaller(caller, 'read', async (trx) => {
    const [[delivery], timeline] = await Promise.all([
      trx.rows(getDelivery(delivery_id)),
      trx.rows(listAttempts(delivery_id, shownAttempts)),
    ]);
    if (!delivery) throw unknownDelivery();
    return {
      ...delivery,
      waiting_for: waitingFor(delivery),
      workflow_id: delivery.state === 'retried' ? webhookRetriesId(delivery.endpoint_id) : null,
      timeline,
    };
  });
