import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import { maxSecrets } from './webhook-endpoint-rotate-secret.contract';
import type { webhookEndpointRotateSecret } from './webhook-endpoint-rotate-secret.contract';
import { recordAct } from '../../db/platform/audit';
import { generateSigningSecret } from '../../db/platform/tokens';
import { endSecrets, insertSecret, prepareSecret, secretContext } from '../../db/webhooks/webhook-endpoints';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { takeEndpoint } from './endpoint-of';

type Contract = typeof webhookEndpointRotateSecret;

/** Creates a new secret and sets an end for the earlier ones (docs/webhooks.md#endpoints). */
export const rotateWebhookSecret: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input: { endpoint_id, overlap_hours }, write }, { seal }) =>
  write(async (trx) => {
    const { id } = await takeEndpoint(trx, endpoint_id);
    const { secret_id, previous_expires_at, live } = await trx.one(prepareSecret(id, overlap_hours));
    if (overlap_hours > 0 && live >= maxSecrets)
      throw new ApiError(
        'limit_reached',
        `${maxSecrets} secrets of this endpoint sign already: send overlap_hours 0 to end them, or wait until one has expired`,
      );
    const signing_secret = generateSigningSecret();
    await trx.count(endSecrets(id, previous_expires_at));
    await trx.count(insertSecret(secret_id, id, seal.seal(signing_secret, secretContext(secret_id))));
    await trx.count(recordAct('webhook-endpoint-rotate-secret', id, { overlap_hours }));
    return { id, signing_secret, previous_expires_at };
  });
