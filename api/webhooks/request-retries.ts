import type { MerchantScope } from '../../db/platform/database';
import { retriesStartOptions, retrySignals, webhookRetriesId } from '../../workflows/ids';
import type { OperationDeps } from '../deps';

const signalMs = 4_000;

/**
 * Tells the workflow of an endpoint's retries that the endpoint is open again, and starts the workflow if it is not
 * running. Does not wait: the change is in the database, where the worker's maintenance finds it.
 *
 * The signal `resume` is not used, because it would end a later pause if it arrived late.
 */
export function startRetries(
  { temporal, queues, metrics }: Pick<OperationDeps, 'temporal' | 'queues' | 'metrics'>,
  scope: MerchantScope,
  endpointId: string,
): void {
  temporal
    .withDeadline(Date.now() + signalMs, () =>
      temporal.workflow.signalWithStart('webhookRetries', {
        ...retriesStartOptions({ endpoint_id: endpointId, ...scope }, queues),
        signal: retrySignals.changed,
      }),
    )
    .then(
      () => metrics.countWorkflow('webhookRetries', 'completed'),
      () => metrics.countWorkflow('webhookRetries', 'failed'),
    );
}

/**
 * Tells the workflow of an endpoint's retries, if it is running, that the endpoint was paused. The workflow then reads
 * the pause from the row. The signal `pause` is not used, because it would change the row and undo a later resume if it
 * arrived late. The call does not wait, because the pause is already in the database.
 */
export function notifyOfPause({ temporal }: Pick<OperationDeps, 'temporal'>, endpointId: string): void {
  temporal
    .withDeadline(Date.now() + signalMs, () =>
      temporal.workflow.getHandle(webhookRetriesId(endpointId)).signal(retrySignals.changed),
    )
    .catch(() => undefined);
}
