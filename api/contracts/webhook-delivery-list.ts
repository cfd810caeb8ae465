import { z } from 'zod';
import { defineOperation } from './operation';
import { pagination, paging, pagingInteger, readers } from './vocabulary';
import { deliveryQuery, webhookDelivery } from './webhook-fields';

/** Matches are counted up to this, and listed as far. */
export const countedDeliveries = 10_000;

export const webhookDeliveryList = defineOperation({
  name: 'webhook-delivery-list',
  method: 'GET',
  tag: 'Webhooks',
  summary: 'List webhook deliveries',
  description: `The newest first, of the credential's environment; deliveries are kept for 90 days, those of deleted endpoints too. \`outcome\` and
\`status\` are those of the last attempt. \`total\` is counted up to ${countedDeliveries}: this number stands for itself or more. \`offset\` goes as far; what is
older is found by \`until\`. Of more queued ones than that, those that are due last are listed. A filter that has to look through too many deliveries is 422 \`since\`: say a time then.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ ...deliveryQuery, limit: paging.limit, offset: pagingInteger(0, countedDeliveries, 0) }),
  example: { state: 'gave_up' },
  reply: z.object({ data: z.array(webhookDelivery), pagination }),
  statuses: [],
});
