import type { z } from 'zod';
import type { webhookEndpointPause } from './webhook-endpoint-pause.contract';
import { recordAct } from '../../db/platform/audit';
import { pauseEndpoint } from '../../db/webhooks/webhook-pauses';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { takeEndpoint } from './endpoint-of';
import { signalChange } from './signal-retries';

type Contract = typeof webhookEndpointPause;

/** Pauses an endpoint that is not paused yet; the flow of its retries, where there is one, shows it. */
export const pauseWebhookEndpoint: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async ({ input, write }, deps) => {
  return write(async (trx) => {
    const { id, paused_reason, paused_at } = await takeEndpoint(trx, input.endpoint_id);
    if (paused_reason !== null && paused_at !== null) return { id, paused_reason, paused_at };
    const paused = await trx.one(pauseEndpoint(id));
    await trx.count(recordAct('webhook-endpoint-pause', id));
    trx.afterCommit(() => signalChange(deps, id));
    return { id, ...paused };
  });
};
