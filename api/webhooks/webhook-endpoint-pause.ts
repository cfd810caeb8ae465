import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { pauseEndpoint } from '../../db/webhooks/webhook-pauses';
import { defineOperation } from '../platform/operation/define-operation';
import { timestamp, writers } from '../platform/operation/vocabulary';
import { lockExistingEndpoint } from './endpoint-of';
import { notifyOfPause } from './request-retries';
import { endpointId, pauseReason } from './webhook-fields';

export const webhookEndpointPause = defineOperation({
  name: 'webhook-endpoint-pause',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Pause a webhook endpoint',
  description: `Pauses a webhook endpoint. New events still create deliveries, which wait until \`webhook-endpoint-resume\`. An attempt in progress is finished. If the
endpoint is already paused, nothing changes, and it keeps its \`paused_reason\`.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ endpoint_id: endpointId }),
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0' },
  reply: z.object({
    id: endpointId,
    paused_reason: pauseReason,
    paused_at: timestamp.meta({ description: 'When it was paused.' }),
  }),
  replyExample: {
    id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0',
    paused_reason: 'by_hand',
    paused_at: '2026-01-16T08:00:00.000Z',
  },
  statuses: [404],
  /**
   * Pauses an endpoint that is not paused yet. The workflow that retries its deliveries, if one is running, is
   * signaled after the commit and shows the pause in its status.
   */
  async handle({ input, write }, deps) {
    return write(async (trx) => {
      const { id, paused_reason, paused_at } = await lockExistingEndpoint(trx, input.endpoint_id);
      if (paused_reason !== null && paused_at !== null) return { id, paused_reason, paused_at };
      const paused = await trx.one(pauseEndpoint(id));
      await trx.count(recordAuditEntry('webhook-endpoint-pause', id));
      trx.afterCommit(() => notifyOfPause(deps, id));
      return { id, ...paused };
    });
  },
});
