import type { VNode } from 'preact';
import { findSubjectNames } from '../../../db/platform/audit';
import { OneLine } from '../../platform/site/elements';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import type { WebhookDelivery, WebhookEndpoint } from './delivery-words';

/**
 * The names of deleted endpoints, keyed by id. Rows of deleted endpoints are kept, because old deliveries refer to
 * them.
 */
export type DeletedNames = ReadonlyMap<string, string>;

/**
 * Finds which endpoints of the deliveries were deleted, and returns their names. `endpoints` lists the existing
 * endpoints.
 */
export async function nameDeletedEndpoints(
  { database }: Pick<ConsoleDeps, 'database'>,
  visit: ConsoleVisit,
  deliveries: readonly Pick<WebhookDelivery, 'endpoint_id'>[],
  endpoints: readonly Pick<WebhookEndpoint, 'id'>[],
): Promise<DeletedNames> {
  const existing = new Set(endpoints.map(({ id }) => id));
  const ids = [...new Set(deliveries.map(({ endpoint_id }) => endpoint_id))].filter(
    (id) => !existing.has(id),
  );
  if (ids.length === 0) return new Map();
  const subjects = await database.query(visit.caller(), findSubjectNames(ids));
  return new Map(subjects.map(({ id, name }) => [id, name]));
}

/** Shows that an endpoint was deleted, with its name if it is known. */
export const DeletedEndpoint = ({ name }: { name: string | undefined }): VNode =>
  name === undefined ? (
    <span class="soft">Deleted</span>
  ) : (
    <>
      <OneLine text={name} /> <span class="soft">(deleted)</span>
    </>
  );
