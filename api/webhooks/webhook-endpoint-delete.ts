import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { cancelDeliveries, deleteEndpoint } from '../../db/webhooks/webhook-endpoints';
import { defineOperation } from '../platform/operation/define-operation';
import { writers } from '../platform/operation/vocabulary';
import { lockExistingEndpoint } from './endpoint-of';
import { endpointId } from './webhook-fields';

/** The maximum number of deliveries that one call cancels. A cleanup job of the worker cancels the rest. */
const cancelledRows = 10_000;

export const webhookEndpointDelete = defineOperation({
  name: 'webhook-endpoint-delete',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description: `Deletes a webhook endpoint. Nothing more is sent to it, and its id is no longer found. Waiting deliveries are cancelled: up to 10,000 by this call, the
rest within minutes. The attempt of a delivery that is being sent right now ends; a 2xx response makes the delivery acknowledged, anything else leaves it cancelled. The history of the deliveries stays readable.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ endpoint_id: endpointId }),
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0' },
  reply: z.object({
    id: endpointId,
    cancelled: z.int().meta({ description: 'Waiting deliveries that this call cancelled, at most 10,000.' }),
  }),
  replyExample: { id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0', cancelled: 3 },
  statuses: [404],
  /** Marks the endpoint as deleted and cancels its waiting deliveries. The history of deliveries is kept. */
  handle({ input, write }) {
    return write(async (trx) => {
      const { id, url, description } = await lockExistingEndpoint(trx, input.endpoint_id);
      await trx.count(deleteEndpoint(id));
      const cancelled = await trx.count(cancelDeliveries(id, cancelledRows));
      await trx.count(
        recordAuditEntry('webhook-endpoint-delete', id, { description, host: new URL(url).host, cancelled }),
      );
      return { id, cancelled };
    });
  },
});
