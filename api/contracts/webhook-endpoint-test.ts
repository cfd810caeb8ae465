import { z } from 'zod';
import { defineOperation } from './operation';
import { uuid, writers } from './vocabulary';

export const webhookEndpointTest = defineOperation({
  name: 'webhook-endpoint-test',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Send a test event to a webhook endpoint',
  description: `Queues a delivery like any other, with \`x-platform-event: test\` and a sample payload; \`webhook-delivery-get\` tells how it went. It goes
to an endpoint whatever its events. An endpoint that is turned off or paused is 422: the test would only wait.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ endpoint_id: uuid }),
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: z.object({ delivery_id: uuid }),
  statuses: [404],
});
