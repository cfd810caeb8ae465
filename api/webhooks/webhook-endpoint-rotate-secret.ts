import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { generateSigningSecret } from '../../db/platform/tokens';
import { endSecrets, insertSecret, prepareSecret, secretContext } from '../../db/webhooks/webhook-endpoints';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { timestamp, fieldWithDefault, writers } from '../platform/operation/vocabulary';
import { lockExistingEndpoint } from './endpoint-of';
import { endpointId } from './webhook-fields';

/** The maximum number of secrets that are valid at the same time. Each of them adds a signature to every request. */
const maxSecrets = 5;

export const webhookEndpointRotateSecret = defineOperation({
  name: 'webhook-endpoint-rotate-secret',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Rotate the signing secret of a webhook endpoint',
  description: `Creates a new signing secret for a webhook endpoint. Only this reply contains it. For \`overlap_hours\` the previous secret signs too, so that you can
change your receiver without a gap. At most ${maxSecrets} secrets can be valid at the same time; further calls are a 409, unless \`overlap_hours\` is 0.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    endpoint_id: endpointId,
    overlap_hours: fieldWithDefault(z.number().min(0).max(168), 24).meta({
      description: 'Hours for which the previous secret stays valid, 0 to 168 (a week). 0 ends it at once.',
    }),
  }),
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0', overlap_hours: 24 },
  reply: z.object({
    id: endpointId,
    signing_secret: z.string().meta({
      description: 'The new secret, `whsec_…`. Store it: it is shown only in this reply.',
    }),
    previous_expires_at: timestamp.meta({ description: 'When the previous secret stops signing.' }),
  }),
  replyExample: {
    id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0',
    signing_secret: 'whsec_c2VjcmV0LW9mLTMyLWJ5dGVzLXRoYXQtc2lnbnMtaXQ=',
    previous_expires_at: '2026-01-17T08:00:00.000Z',
  },
  statuses: [404, 409],
  /** Creates a new secret and sets when the earlier ones expire (docs/webhooks.md#endpoints). */
  handle({ input: { endpoint_id, overlap_hours }, write }, { seal }) {
    return write(async (trx) => {
      const { id } = await lockExistingEndpoint(trx, endpoint_id);
      const { secret_id, previous_expires_at, live } = await trx.one(prepareSecret(id, overlap_hours));
      if (overlap_hours > 0 && live >= maxSecrets)
        throw new ApiError(
          'limit_reached',
          `This endpoint already has ${maxSecrets} valid secrets. Send overlap_hours 0 to end them, or wait until one expires.`,
        );
      const signing_secret = generateSigningSecret();
      await trx.count(endSecrets(id, previous_expires_at));
      await trx.count(insertSecret(secret_id, id, seal.seal(signing_secret, secretContext(secret_id))));
      await trx.count(recordAuditEntry('webhook-endpoint-rotate-secret', id, { overlap_hours }));
      return { id, signing_secret, previous_expires_at };
    });
  },
});
