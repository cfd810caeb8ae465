import type { z } from 'zod';
import { listedWaitingLimit } from './webhook-endpoint-list.contract';
import type { webhookEndpointList } from './webhook-endpoint-list.contract';
import { listEndpoints } from '../../db/webhooks/webhook-endpoints';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';

type Contract = typeof webhookEndpointList;

/** Lists the merchant's endpoints with their health. */
export const listWebhookEndpoints: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async ({ input: { limit, offset }, caller }, { database }) => {
  const rows = await database.queryAsCaller(caller, listEndpoints(limit, offset, listedWaitingLimit));
  const total = rows[0]?.total ?? 0;
  const data = rows.filter(({ id }) => id !== null);
  return { data, pagination: { total, limit, offset, has_more: offset + data.length < total } };
};
