import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { updatableEndpointFields } from './webhook-endpoint-update.contract';
import type { webhookEndpointUpdate } from './webhook-endpoint-update.contract';
import { recordAct } from '../../db/platform/audit';
import { headersContext, notifySender, updateEndpoint } from '../../db/webhooks/webhook-endpoints';
import type { EndpointColumns, LockedEndpoint } from '../../db/webhooks/webhook-endpoints';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { takeEndpoint } from './endpoint-of';
import { signalRetries } from './signal-retries';

type Contract = typeof webhookEndpointUpdate;
type Input = z.output<Contract['input']>;
type Field = (typeof updatableEndpointFields)[number];

/** Changes the fields that are sent and differ (docs/webhooks.md#endpoints). */
export const updateWebhookEndpoint: Handler<Input, z.input<Contract['reply']>, OperationDeps> = async (
  { input, write },
  deps,
) => {
  return write(async (trx) => {
    const scope = await trx.merchantScope();
    const endpoint = await takeEndpoint(trx, input.endpoint_id);
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
      await trx.count(recordAct('webhook-endpoint-update', endpoint.id, { updated_fields }));
    }
    if (has('enabled') && input.enabled) {
      await trx.rows(notifySender);
      if (endpoint.has_retried && endpoint.paused_reason === null)
        trx.afterCommit(() => signalRetries(deps, scope, endpoint.id, 'failed'));
    }
    return { id: endpoint.id, updated_fields };
  });
};

const openHeaders = ({ id, custom_headers_sealed }: LockedEndpoint, { seal }: OperationDeps): unknown =>
  custom_headers_sealed ? JSON.parse(seal.open(custom_headers_sealed, headersContext(id))) : null;

/** No headers are none, however that is said. */
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
