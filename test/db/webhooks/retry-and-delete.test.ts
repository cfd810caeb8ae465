import type { OperationDeps } from '../../../api/deps';
import type { Operation } from '../../../api/platform/operation/define-operation';
import { webhookDeliveryRetry } from '../../../api/webhooks/webhook-delivery-retry';
import { webhookEndpointDelete } from '../../../api/webhooks/webhook-endpoint-delete';
import { startInterviewWorker } from '../../harness/interviews/interview-worker';
import { meetAtRow } from '../../harness/platform/row-lock';
import { deliveriesOf, putDelivery, putEndpoint } from '../../harness/webhooks/webhook-rows';

describe('a retry of a delivery whose endpoint is deleted at the same time', () => {
  it('leaves no open delivery, whichever comes first', async () => {
    const { api, caller, database } = await startInterviewWorker();
    const run = (operation: Operation, input: unknown) =>
      operation
        .handle(
          {
            input,
            caller,
            bytes: Buffer.alloc(0),
            signal: AbortSignal.any([]),
            receivedAt: Date.now(),
            idempotencyId: undefined,
            write: (work) => api.write(caller, work),
            requireMatch: async () => undefined,
          },
          { database: api } as OperationDeps,
        )
        .catch((error: unknown) => error);
    const outcomes = [];
    for (const isDeletedFirst of [true, false]) {
      const endpoint_id = await putEndpoint(database);
      const delivery_id = await putDelivery(database, endpoint_id, {
        state: 'gave_up',
        attempts: 10,
        finished_at: '2026-01-01',
        next_attempt_at: null,
      });
      const calls = [
        () => run(webhookEndpointDelete, { endpoint_id }),
        () => run(webhookDeliveryRetry, { delivery_id }),
      ];
      await meetAtRow(
        database,
        'webhook_endpoint',
        { key: 'id', id: endpoint_id },
        isDeletedFirst ? calls : calls.toReversed(),
      );
      outcomes.push((await deliveriesOf(database, endpoint_id)).map(({ state }) => state));
    }
    for (const [state] of outcomes) expect(['gave_up', 'cancelled']).toContain(state);
  });
});
