import type { z } from 'zod';
import type { webhookEndpointResume } from './webhook-endpoint-resume.contract';
import { recordAct } from '../../db/platform/audit';
import { notifySender } from '../../db/webhooks/webhook-endpoints';
import { resumeEndpoint } from '../../db/webhooks/webhook-pauses';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { takeEndpoint } from './endpoint-of';
import { signalRetries } from './signal-retries';

type Contract = typeof webhookEndpointResume;

/** Lets what waited for a paused endpoint go out; the flow of its retries goes on where there are any. */
export const resumeWebhookEndpoint: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async ({ input, write }, deps) => {
  return write(async (trx) => {
    const { id, enabled, paused_reason, has_retried } = await takeEndpoint(trx, input.endpoint_id);
    if (paused_reason !== null) {
      await trx.count(resumeEndpoint(id));
      await trx.rows(notifySender);
      await trx.count(recordAct('webhook-endpoint-resume', id, { paused_reason }));
      const scope = await trx.merchantScope();
      if (enabled && has_retried) trx.afterCommit(() => signalRetries(deps, scope, id, 'failed'));
    }
    return { id, enabled };
  });
};
