import { z } from 'zod';
import { listEndpoints } from '../../db/webhooks/webhook-endpoints';
import { defineOperation } from '../platform/operation/define-operation';
import { pageOf, paging, openListPage } from '../platform/operation/page-cursor';
import { readers } from '../platform/operation/vocabulary';
import { endpointExample } from './webhook-examples';
import { webhookEndpoint } from './webhook-fields';

/** `waiting` is counted only up to this number, because an endpoint may have millions of waiting deliveries. */
export const maxListedWaiting = 1_000;

export const webhookEndpointList = defineOperation({
  name: 'webhook-endpoint-list',
  method: 'GET',
  tag: 'Webhooks',
  summary: 'List the webhook endpoints',
  description: `Lists the webhook endpoints of the merchant in the credential's environment with their health, ordered by id. Deleted endpoints are
omitted. \`waiting\` counts up to ${maxListedWaiting} deliveries of each kind; \`webhook-endpoint-get\` counts further.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object(paging),
  example: {},
  reply: pageOf(webhookEndpoint),
  replyExample: {
    data: [endpointExample],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false, next_cursor: null },
  },
  statuses: [],
  async handle({ input, caller }, { database, seal }) {
    const { limit, offset } = input;
    const { place, reply } = openListPage(seal, 'webhook-endpoint-list', input);
    const rows = await database.query(caller, listEndpoints(limit, offset, maxListedWaiting, place));
    const total = rows[0]?.total ?? 0;
    const data = rows.filter(({ id }) => id !== null);
    return reply(data, total);
  },
});
