import { z } from 'zod';
import { listDeliveries } from '../../db/webhooks/delivery-history';
import { defineOperation } from '../platform/operation/define-operation';
import { pageOf, paging, openListPage } from '../platform/operation/page-cursor';
import { pagingInteger, readers } from '../platform/operation/vocabulary';
import { validateNames, rejectWideFilter } from './delivery-filter';
import { webhookDelivery } from './webhook-deliveries';
import { deliveryExample } from './webhook-examples';
import { deliveryQuery } from './webhook-fields';

/** The maximum number of matches that are counted and listed. */
export const maxCountedDeliveries = 10_000;

export const webhookDeliveryList = defineOperation({
  name: 'webhook-delivery-list',
  method: 'GET',
  tag: 'Webhooks',
  summary: 'List webhook deliveries',
  description: `Lists webhook deliveries of the merchant in the credential's environment, newest first. Deliveries are kept for 90 days, also those of deleted
endpoints. All filters must match.

\`total\` is capped at ${maxCountedDeliveries}, meaning that many or more. \`offset\` has the same maximum: to read older deliveries, send \`cursor\` or set \`until\`. If more deliveries than that are
queued, those that are due last are listed. If a filter has to look through too many deliveries, the call is a 422 for \`since\`: set a later time.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    ...deliveryQuery,
    ...paging,
    offset: pagingInteger(0, maxCountedDeliveries, 0).meta({ description: 'Entries to skip.' }),
  }),
  example: { state: 'gave_up' },
  reply: pageOf(webhookDelivery),
  replyExample: {
    data: [deliveryExample],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false, next_cursor: null },
  },
  statuses: [],
  /** Lists deliveries, newest first (docs/webhooks.md#retries-and-replays). */
  async handle({ input, caller }, { database, seal }) {
    const { limit, offset, cursor: _, ...filter } = input;
    const { place, reply } = openListPage(seal, 'webhook-delivery-list', input);
    const after = place === null ? null : deliveryPlace.parse(JSON.parse(place));
    const rows = await database
      .query(caller, listDeliveries(filter, { limit, offset, after, counted: maxCountedDeliveries }))
      .catch(rejectWideFilter);
    const [{ total, has_more, ...names } = noFacts] = rows;
    validateNames(names);
    const data = rows.flatMap((row) => (row.id === null ? [] : [{ ...row, place: row.id }]));
    return reply(data, total, has_more);
  },
});

const deliveryPlace = z.string();

const noFacts = { total: 0, has_more: false, endpoint_known: true, result_known: true };
