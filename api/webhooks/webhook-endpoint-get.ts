import type { z } from 'zod';
import { waitingLimit } from './webhook-endpoint-get.contract';
import type { webhookEndpointGet } from './webhook-endpoint-get.contract';
import { customHeaders, maskSecret } from './webhook-headers';
import { getEndpoint, headersContext } from '../../db/webhooks/webhook-endpoints';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { unknownEndpoint } from './endpoint-of';

type Contract = typeof webhookEndpointGet;
type Reply = z.input<Contract['reply']>;

/** One endpoint; of its headers the names, of its secrets their ends. */
export const getWebhookEndpoint: Handler<z.output<Contract['input']>, Reply, OperationDeps> = async (
  { input: { endpoint_id }, caller },
  { database, seal },
) => {
  const [row] = await database.queryAsCaller(caller, getEndpoint(endpoint_id, waitingLimit));
  if (!row) throw unknownEndpoint();
  const { custom_headers_sealed: sealed, ...endpoint } = row;
  const headers = sealed
    ? customHeaders.parse(JSON.parse(seal.open(sealed, headersContext(endpoint.id))))
    : {};
  return {
    ...endpoint,
    custom_headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, maskSecret(value)]),
    ),
    secrets: row.secrets.map(({ created_at, expires_at }) => ({
      created_at: new Date(created_at).toISOString(),
      expires_at: expires_at && new Date(expires_at).toISOString(),
    })),
  };
};
