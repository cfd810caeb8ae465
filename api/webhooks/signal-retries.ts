import type { MerchantScope } from '../../db/platform/database';
import { retriesStart, retrySignals, webhookRetriesId } from '../../workflows/ids';
import type { OperationDeps } from '../deps';

const signalMs = 4_000;

/**
 * Signals a person's request to the workflow of an endpoint's retries, and starts the workflow if none is running. The
 * call does not wait for the signal: the row also contains the request, so the worker's maintenance finds it if
 * Temporal is unavailable. After a resume, the signal is `failed`, as for a new waiting delivery. It is not `resume`,
 * because that signal writes to the row and would end a later pause if it arrived late.
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
 * Signals to the workflow of an endpoint's retries, if one is running, that the endpoint has changed. The workflow then
 * reads the row and shows the pause. The signal is not `pause`, because that signal writes to the row and would undo a
 * later resume if it arrived late. The call does not wait for the signal, because the row also contains the change.
 */
export function signalChange({ temporal }: Pick<OperationDeps, 'temporal'>, endpointId: string): void {
  temporal
    .withDeadline(Date.now() + signalMs, () =>
      temporal.workflow.getHandle(webhookRetriesId(endpointId)).signal(retrySignals.failed),
    )
    .catch(() => undefined);
}
