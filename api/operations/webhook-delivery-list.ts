import type { z } from 'zod';
import { ApiError } from '../contracts/api-error';
import { countedDeliveries } from '../contracts/webhook-delivery-list';
import type { webhookDeliveryList } from '../contracts/webhook-delivery-list';
import { listDeliveries } from '../../db/delivery-history';
import type { ListedDelivery } from '../../db/delivery-history';
import { isStatementTimeout } from '../../db/scope';
import type { Handler } from '../http/bind-operation';
import type { OperationDeps } from './deps';

type Contract = typeof webhookDeliveryList;
type Row = ListedDelivery<z.input<Contract['reply']>['data'][number]>;

/** Lists deliveries, the newest first (design/webhooks.md "Support"). */
export const listWebhookDeliveries: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async ({ input: { limit, offset, ...filter }, caller }, { database }) => {
  const rows = await database
    .queryAsCaller<Row>(caller, listDeliveries(filter, { limit, offset, counted: countedDeliveries }))
    .catch((error: unknown) => {
      if (!isStatementTimeout(error)) throw error;
      throw new ApiError(
        422,
        'since must be given, or a later one: this filter has to look through too many deliveries',
        'since',
      );
    });
  const [{ total, has_more, endpoint_known, result_known } = noFacts] = rows;
  if (!endpoint_known)
    throw new ApiError(422, 'endpoint_id names no webhook endpoint of this environment', 'endpoint_id');
  if (!result_known)
    throw new ApiError(422, 'result_id names no interview result of this environment', 'result_id');
  return { data: rows.filter(({ id }) => id !== null), pagination: { total, limit, offset, has_more } };
};

const noFacts = { total: 0, has_more: false, endpoint_known: true, result_known: true };
