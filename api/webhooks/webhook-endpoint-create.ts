import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import { maxEndpoints } from './webhook-endpoint-create.contract';
import type { webhookEndpointCreate } from './webhook-endpoint-create.contract';
import { recordAct } from '../../db/platform/audit';
import { generateSigningSecret } from '../../db/platform/tokens';
import {
  headersContext,
  insertEndpoint,
  insertSecret,
  lockEndpoints,
  prepareEndpoint,
  secretContext,
} from '../../db/webhooks/webhook-endpoints';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';

type Contract = typeof webhookEndpointCreate;

/** Stores the endpoint and its first secret (docs/webhooks.md#endpoints). */
export const createWebhookEndpoint: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input, write }, deps) =>
  write(async (trx) => {
    await trx.rows(lockEndpoints);
    const ids = await trx.one(prepareEndpoint);
    if (ids.count >= maxEndpoints)
      throw new ApiError(
        'limit_reached',
        `There are ${maxEndpoints} webhook endpoints in this environment, which is the most there can be: delete one first`,
      );
    const { endpoint_id, secret_id } = ids;
    const { custom_headers, environment: _, ...columns } = input;
    await trx.count(
      insertEndpoint(endpoint_id, {
        ...columns,
        description: input.description ?? null,
        custom_headers_sealed: custom_headers
          ? deps.seal.seal(JSON.stringify(custom_headers), headersContext(endpoint_id))
          : null,
      }),
    );
    const signing_secret = generateSigningSecret();
    await trx.count(
      insertSecret(secret_id, endpoint_id, deps.seal.seal(signing_secret, secretContext(secret_id))),
    );
    const { events, enabled } = input;
    await trx.count(recordAct('webhook-endpoint-create', endpoint_id, { events, enabled }));
    return { id: endpoint_id, signing_secret };
  });
