import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { insertTestDelivery, wakeSender } from '../../db/webhooks/webhook-endpoints';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { fieldWithDefault, writers } from '../platform/operation/vocabulary';
import { lockExistingEndpoint } from './endpoint-of';
import { deliveryEvent, deliveryId, endpointId } from './webhook-fields';

export const webhookEndpointTest = defineOperation({
  name: 'webhook-endpoint-test',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Send a test event to a webhook endpoint',
  description: `Sends a sample payload to a webhook endpoint, whatever events it subscribes to. The call returns before the sample is sent; \`webhook-delivery-get\` returns the
outcome. \`event\` selects the sample, which has that event in \`type\` and \`x-platform-event\`, \`is_test\` true, and ids that no result has. In the delivery
history the event of all samples is \`test\`, and \`reason\` names the sample. If the endpoint is turned off or paused, the call is a 422, because the sample would only wait.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    endpoint_id: endpointId,
    event: fieldWithDefault(deliveryEvent, 'test').meta({ description: 'The sample to send.' }),
  }),
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0', event: 'interview_result' },
  reply: z.object({ delivery_id: deliveryId }),
  replyExample: { delivery_id: '01a1fcf7-b13e-74de-bd85-c2fc187618f1' },
  statuses: [404],
  /** Queues a delivery with a sample event (docs/webhooks.md#endpoints). */
  handle({ input, write }) {
    return write(async (trx) => {
      const { id, enabled, paused_reason } = await lockExistingEndpoint(trx, input.endpoint_id);
      if (!enabled)
        throw new ApiError(
          'not_permitted_state',
          'This endpoint is turned off. Turn it on with webhook-endpoint-update before you test it.',
          'endpoint_id',
        );
      if (paused_reason !== null)
        throw new ApiError(
          'not_permitted_state',
          'This endpoint is paused. Resume it with webhook-endpoint-resume before you test it.',
          'endpoint_id',
        );
      const delivery = await trx.one(insertTestDelivery(id, input.event));
      await trx.rows(wakeSender);
      await trx.count(
        recordAuditEntry('webhook-endpoint-test', id, { delivery_id: delivery.id, event: input.event }),
      );
      return { delivery_id: delivery.id };
    });
  },
});
