import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import type { webhookEndpointTest } from './webhook-endpoint-test.contract';
import { recordAct } from '../../db/platform/audit';
import { insertTestDelivery, notifySender } from '../../db/webhooks/webhook-endpoints';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { takeEndpoint } from './endpoint-of';

type Contract = typeof webhookEndpointTest;

/** Queues a delivery of the sample (docs/webhooks.md#endpoints). */
export const testWebhookEndpoint: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input, write }) =>
  write(async (trx) => {
    const { id, enabled, paused_reason } = await takeEndpoint(trx, input.endpoint_id);
    if (!enabled)
      throw new ApiError(
        'not_permitted_state',
        'This endpoint is turned off: turn it on with webhook-endpoint-update before you test it',
        'endpoint_id',
      );
    if (paused_reason !== null)
      throw new ApiError(
        'not_permitted_state',
        'This endpoint is paused: resume it with webhook-endpoint-resume before you test it',
        'endpoint_id',
      );
    const delivery = await trx.one(insertTestDelivery(id, input.event));
    await trx.rows(notifySender);
    await trx.count(recordAct('webhook-endpoint-test', id, { delivery_id: delivery.id, event: input.event }));
    return { delivery_id: delivery.id };
  });
