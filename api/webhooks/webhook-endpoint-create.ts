import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { generateSigningSecret } from '../../db/platform/tokens';
import {
  headersContext,
  insertEndpoint,
  insertSecret,
  lockEndpoints,
  prepareEndpoint,
  secretContext,
} from '../../db/webhooks/webhook-endpoints';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { optionalField, fieldWithDefault, writers } from '../platform/operation/vocabulary';
import { checkUrl } from '../platform/text/webhook-url';
import { endpointFields, endpointId } from './webhook-fields';

/** The maximum number of endpoints of one merchant in one environment. */
const maxEndpoints = 50;

export const webhookEndpointCreate = defineOperation({
  name: 'webhook-endpoint-create',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Create a webhook endpoint',
  description: `Creates a webhook endpoint. From now on, the subscribed events of the credential's environment are sent to \`url\`. The requests are described in the
[webhook reference]({origin}/docs/reference/webhooks), and in an OpenAPI document at \`{base_url}/openapi-webhooks\`. Only this reply contains the \`signing_secret\`.

The IP addresses of the host are checked at each attempt, and nothing is sent to an address that is not public. A merchant can have ${maxEndpoints} endpoints in an
environment; further calls are a 409.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    url: endpointFields.url,
    events: endpointFields.events,
    environment: optionalField(endpointFields.environment),
    custom_headers: optionalField(endpointFields.custom_headers),
    timeout_seconds: fieldWithDefault(endpointFields.timeout_seconds, 60),
    description: optionalField(endpointFields.description),
    enabled: fieldWithDefault(endpointFields.enabled, true),
  }),
  check: ({ url, environment }, facts) => {
    const errors = checkUrl(url, facts.webhookTargets);
    if (typeof environment === 'string' && environment !== facts.environment)
      errors.push({
        name: 'environment',
        code: 'conflicting_fields',
        error: `environment must be ${facts.environment}, the environment of the credential.`,
      });
    return errors;
  },
  example: {
    url: 'https://example.com/webhooks',
    events: ['interview_result'],
    custom_headers: { 'x-api-key': 'b1946ac92492d2347c6235b4d2611184' },
  },
  reply: z.object({
    id: endpointId,
    signing_secret: z.string().meta({
      description: 'The secret that signs requests, `whsec_…`. Store it: it is shown only in this reply.',
    }),
  }),
  replyExample: {
    id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0',
    signing_secret: 'whsec_c2VjcmV0LW9mLTMyLWJ5dGVzLXRoYXQtc2lnbnMtaXQ=',
  },
  statuses: [409],
  /** Stores the endpoint and its first secret (docs/webhooks.md#endpoints). */
  handle({ input, write }, deps) {
    return write(async (trx) => {
      await trx.rows(lockEndpoints);
      const ids = await trx.one(prepareEndpoint);
      if (ids.count >= maxEndpoints)
        throw new ApiError(
          'limit_reached',
          `There are already ${maxEndpoints} webhook endpoints in this environment, which is the maximum. Delete one first.`,
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
      await trx.count(recordAuditEntry('webhook-endpoint-create', endpoint_id, { events, enabled }));
      return { id: endpoint_id, signing_secret };
    });
  },
});
