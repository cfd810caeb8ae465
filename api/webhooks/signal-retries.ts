import type { MerchantScope } from '../../db/platform/database';
import { retriesStart, retrySignals, webhookRetriesId } from '../../workflows/ids';
import type { OperationDeps } from '../deps';

const signalMs = 4_000;

/**
 * Tells the workflow of an endpoint's retries what somebody asked for, starting it where there is none. Nobody waits for it:
 * the row says the same, and the worker's maintenance finds it where Temporal is away. An endpoint that was resumed is told of
 * by `failed`, as something new that waits: the signal `resume` writes, and late it would undo a pause.
 */
export function signalRetries(
  { temporal, queues, metrics }: Pick<OperationDeps, 'temporal' | 'queues' | 'metrics'>,
  scope: MerchantScope,
  endpointId: string,
  signal: Extract<keyof typeof retrySignals, 'failed' | 'retryNow'>,
  signalArgs: { delivery_id: string }[] = [],
): void {
  temporal
    .withDeadline(Date.now() + signalMs, () =>
      temporal.workflow.signalWithStart('webhookRetries', {
        ...retriesStart({ endpoint_id: endpointId, ...scope }, queues),
        signal: retrySignals[signal],
        signalArgs,
      }),
    )
    .then(
      () => metrics.countWorkflow('webhookRetries', 'completed'),
      () => metrics.countWorkflow('webhookRetries', 'failed'),
    );
}

/**
 * Tells the workflow of an endpoint's retries, where one runs, that the endpoint has changed: it looks, and shows the pause.
 * Not by the signal `pause`, which writes: late, it would undo a resume. Nobody waits for it: the row says the same.
 */
export function signalChange({ temporal }: Pick<OperationDeps, 'temporal'>, endpointId: string): void {
  temporal
    .withDeadline(Date.now() + signalMs, () =>
      temporal.workflow.getHandle(webhookRetriesId(endpointId)).signal(retrySignals.failed),
    )
    .catch(() => undefined);
}
