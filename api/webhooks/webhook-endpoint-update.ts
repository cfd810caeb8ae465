import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { headersContext, wakeSender, updateEndpoint } from '../../db/webhooks/webhook-endpoints';
import type { EndpointColumns, LockedEndpoint } from '../../db/webhooks/webhook-endpoints';
import type { OperationDeps } from '../deps';
import { defineOperation, requireOneOf } from '../platform/operation/define-operation';
import { optionalField, writers } from '../platform/operation/vocabulary';
import { checkUrl } from '../platform/text/webhook-url';
import { lockExistingEndpoint } from './endpoint-of';
import { startRetries } from './request-retries';
import { endpointFields, endpointId } from './webhook-fields';

/** The fields that an update may change: all except the id and the environment. */
const updatableEndpointFields = [
  'url',
  'events',
  'custom_headers',
  'timeout_seconds',
  'description',
  'enabled',
] as const;

/**
 * `environment` is in this list so that a call that sends only `environment` gets an error about `environment`, and
 * not the error that nothing was sent.
 */
const fields = ['environment', ...updatableEndpointFields] as const;

const inputSchema = z
  .object({
    endpoint_id: endpointId,
    environment: optionalField(endpointFields.environment).meta({
      description: 'The environment of the endpoint. It cannot be changed; another value is a 422.',
    }),
    url: endpointFields.url.optional(),
    events: endpointFields.events.optional(),
    custom_headers: endpointFields.custom_headers.nullish(),
    timeout_seconds: endpointFields.timeout_seconds.optional(),
    description: endpointFields.description.nullish(),
    enabled: endpointFields.enabled.optional(),
  })
  .superRefine(requireOneOf(fields, updatableEndpointFields));

type Input = z.output<typeof inputSchema>;
type Field = (typeof updatableEndpointFields)[number];

export const webhookEndpointUpdate = defineOperation({
  name: 'webhook-endpoint-update',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Change a webhook endpoint',
  description: `Changes the fields that are sent; other fields keep their value. \`custom_headers\` replaces all custom headers, and null clears \`description\` and
\`custom_headers\`. Waiting deliveries are sent with the settings at the time of their attempt. The environment cannot be changed.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: inputSchema,
  check: ({ url, environment }, facts) => {
    const errors = checkUrl(url, facts.webhookTargets);
    if (typeof environment === 'string' && environment !== facts.environment)
      errors.push({
        name: 'environment',
        code: 'immutable_field',
        error: `environment of an endpoint cannot be changed. Create another endpoint with a credential of ${environment}.`,
      });
    return errors;
  },
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0', events: ['interview_result'] },
  reply: z.object({
    id: endpointId,
    updated_fields: z
      .array(z.string().meta({ description: 'Name of a field.' }))
      .meta({ description: 'The fields whose value changed.' }),
  }),
  replyExample: { id: '01a1fcf7-b13e-74de-bd85-c2fc187618f0', updated_fields: ['events'] },
  statuses: [404],
  /** Changes the fields whose sent values differ from the stored ones (docs/webhooks.md#endpoints). */
  async handle({ input, write }, deps) {
    return write(async (trx) => {
      const scope = await trx.merchantScope();
      const endpoint = await lockExistingEndpoint(trx, input.endpoint_id);
      const before = { ...endpoint, custom_headers: openHeaders(endpoint, deps) };
      const updated_fields = updatableEndpointFields.filter(
        (field) => input[field] !== undefined && !isSame(field, input[field], before[field]),
      );
      const has = (...fields: Field[]) => fields.some((field) => updated_fields.includes(field));
      if (updated_fields.length > 0) {
        await trx.count(
          updateEndpoint(
            endpoint.id,
            toColumns(input, updated_fields, endpoint.id, deps),
            has('url', 'custom_headers', 'timeout_seconds'),
          ),
        );
        await trx.count(recordAuditEntry('webhook-endpoint-update', endpoint.id, { updated_fields }));
      }
      if (has('enabled') && input.enabled) {
        await trx.rows(wakeSender);
        if (endpoint.has_retried && endpoint.paused_reason === null)
          trx.afterCommit(() => startRetries(deps, scope, endpoint.id));
      }
      return { id: endpoint.id, updated_fields };
    });
  },
});

const openHeaders = ({ id, custom_headers_sealed }: LockedEndpoint, { seal }: OperationDeps): unknown =>
  custom_headers_sealed ? JSON.parse(seal.open(custom_headers_sealed, headersContext(id))) : null;

/** Compares two values of a field. For headers, null is the same as an empty object. */
const isSame = (field: Field, after: unknown, before: unknown): boolean =>
  field === 'custom_headers'
    ? isDeepStrictEqual(after ?? {}, before ?? {})
    : isDeepStrictEqual(after, before);

function toColumns(
  input: Input,
  fields: readonly Field[],
  id: string,
  { seal }: OperationDeps,
): Partial<EndpointColumns> {
  const { custom_headers, endpoint_id: _, environment: __, ...columns } = input;
  const sealed = custom_headers ? seal.seal(JSON.stringify(custom_headers), headersContext(id)) : null;
  return Object.fromEntries(
    fields.map((field) =>
      field === 'custom_headers' ? ['custom_headers_sealed', sealed] : [field, columns[field]],
    ),
  );
}
