import type { z } from 'zod';
import type { webhookEndpointDelete } from './webhook-endpoint-delete.contract';
import { recordAct } from '../../db/platform/audit';
import { cancelDeliveries, deleteEndpoint } from '../../db/webhooks/webhook-endpoints';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { takeEndpoint } from './endpoint-of';

type Contract = typeof webhookEndpointDelete;

/** Of one call; the worker's sweep cancels the rest. */
const cancelledRows = 10_000;

/** Marks the endpoint as deleted and cancels what waits for it; the history stays. */
export const deleteWebhookEndpoint: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input, write }) =>
  write(async (trx) => {
    const { id, url, description } = await takeEndpoint(trx, input.endpoint_id);
    await trx.count(deleteEndpoint(id));
    const cancelled = await trx.count(cancelDeliveries(id, cancelledRows));
    await trx.count(
      recordAct('webhook-endpoint-delete', id, { description, host: new URL(url).host, cancelled }),
    );
    return { id, cancelled };
  });
