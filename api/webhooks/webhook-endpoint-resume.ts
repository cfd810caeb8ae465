import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { wakeSender } from '../../db/webhooks/webhook-endpoints';
import { resumeEndpoint } from '../../db/webhooks/webhook-pauses';
import { defineOperation } from '../platform/operation/define-operation';
import { writers } from '../platform/operation/vocabulary';
import { lockExistingEndpoint } from './endpoint-of';
import { startRetries } from './request-retries';
import { endpointId } from './webhook-fields';

export const webhookEndpointResume = defineOperation({
  name: 'webhook-endpoint-resume',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Resume a paused webhook endpoint',
  description: `Resumes a paused webhook endpoint. Its waiting deliveries are sent: first attempts at once, retries at their planned time. If the endpoint is not
paused, nothing changes. If \`enabled\` is false, the endpoint is also turned off, and deliveries wait until it is turned on.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ endpoint_id: endpointId }),
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0' },
  reply: z.object({
    id: endpointId,
    enabled: z
      .boolean()
      .meta({ description: 'False if the endpoint is turned off, so that deliveries still wait.' }),
  }),
  replyExample: { id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0', enabled: true },
  statuses: [404],
  /**
   * Resumes a paused endpoint, so that its waiting deliveries are sent. If some of them wait for a retry, the
   * workflow that retries them is signaled.
   */
  async handle({ input, write }, deps) {
    return write(async (trx) => {
      const { id, enabled, paused_reason, has_retried } = await lockExistingEndpoint(trx, input.endpoint_id);
      if (paused_reason !== null) {
        await trx.count(resumeEndpoint(id));
        await trx.rows(wakeSender);
        await trx.count(recordAuditEntry('webhook-endpoint-resume', id, { paused_reason }));
        const scope = await trx.merchantScope();
        if (enabled && has_retried) trx.afterCommit(() => startRetries(deps, scope, id));
      }
      return { id, enabled };
    });
  },
});
