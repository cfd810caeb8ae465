import { z } from 'zod';
import { defineOperation } from '../platform/operation/define-operation';
import { withDefault, writers } from '../platform/operation/vocabulary';
import { deliveryEvent, deliveryId, endpointId } from './webhook-fields';

export const webhookEndpointTest = defineOperation({
  name: 'webhook-endpoint-test',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Send a test event to a webhook endpoint',
  description: `Sends a sample payload to a webhook endpoint, whichever events it subscribes to. The reply comes before the sample is sent: \`webhook-delivery-get\` shows how
it went. \`event\` chooses the sample, which arrives with that event in \`type\` and \`x-platform-event\`, with \`is_test\` true and ids that no result has. In the
delivery history the event of all samples is \`test\`, and \`reason\` names the sample. An endpoint that is turned off or paused is a 422, because the sample would only wait.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    endpoint_id: endpointId,
    event: withDefault(deliveryEvent, 'test').meta({ description: 'The sample to send.' }),
  }),
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0', event: 'interview_result' },
  reply: z.object({ delivery_id: deliveryId }),
  replyExample: { delivery_id: '01a1fcf7-b13e-74de-bd85-c2fc187618f1' },
  statuses: [404],
});
