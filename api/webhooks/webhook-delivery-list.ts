import type { z } from 'zod';
import { countedDeliveries } from './webhook-delivery-list.contract';
import type { webhookDeliveryList } from './webhook-delivery-list.contract';
import { listDeliveries } from '../../db/webhooks/delivery-history';
import type { Handler } from '../platform/http/bind-operation';
import { judgeNames, refuseWideFilter } from './delivery-filter';
import type { OperationDeps } from '../deps';

type Contract = typeof webhookDeliveryList;

/** Lists deliveries, the newest first (docs/webhooks.md#retries-and-replays). */
export const listWebhookDeliveries: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async ({ input: { limit, offset, ...filter }, caller }, { database }) => {
  const rows = await database
    .queryAsCaller(caller, listDeliveries(filter, { limit, offset, counted: countedDeliveries }))
    .catch(refuseWideFilter);
  const [{ total, has_more, ...names } = noFacts] = rows;
  judgeNames(names);
  return { data: rows.filter(({ id }) => id !== null), pagination: { total, limit, offset, has_more } };
};

const noFacts = { total: 0, has_more: false, endpoint_known: true, result_known: true };
