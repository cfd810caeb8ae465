import { randomBytes } from 'node:crypto';
import type {
  CatalogueDirectory,
  MatchedSession,
  SubDirectory,
} from '../../../api/catalogue/directory-fields';
import type { Operations } from '../platform/operations';
import type { CallOptions, Reply } from '../platform/platform';

type ReadReply = CatalogueDirectory & {
  content_md: string | null;
  catalogue_url: string | null;
  sub_directories: SubDirectory[];
  sub_directories_truncated: boolean;
  matched_sessions: MatchedSession[];
  matched_sessions_truncated: boolean;
};
type ListReply = {
  data: CatalogueDirectory[];
  pagination: { total: number; limit: number; offset: number; has_more: boolean; next_cursor: string | null };
};

/** Returns the reply if its status is 200, otherwise throws. */
function taken(reply: Reply): Reply {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text.slice(0, 300)}`);
  return reply;
}

/** Returns an id that no other test has. */
export const newId = (start = 'directory'): string => `${start}-${randomBytes(5).toString('hex')}`;

/**
 * Returns functions that call the operations of the catalogue, by default as a merchant owner. `make`, `read` and
 * `list` throw if the status is not 200.
 */
export function catalogueCalls(platform: Operations) {
  const create = (body: Record<string, unknown>, options: CallOptions = {}) =>
    platform.call('catalogue-tag-create', { body: { id: newId(), name: 'Any', ...body }, ...options });
  const get = (id: string, query: Record<string, string> = {}, options: CallOptions = {}) =>
    platform.call('catalogue-tag-get', { query: { id, ...query }, ...options });
  const tryList = (query: Record<string, string> = {}, options: CallOptions = {}) =>
    platform.call('catalogue-tag-list', { query, ...options });
  return {
    create,
    get,
    tryList,
    update: (id: string, fields: Record<string, unknown>, options: CallOptions = {}) =>
      platform.call('catalogue-tag-update', { body: { id, ...fields }, ...options }),
    make: async (fields: Record<string, unknown> = {}, options: CallOptions = {}): Promise<string> =>
      String(taken(await create(fields, options)).body['id']),
    read: async (id: string, query: Record<string, string> = {}, options: CallOptions = {}) =>
      taken(await get(id, query, options)).body as unknown as ReadReply,
    list: async (query: Record<string, string> = {}, options: CallOptions = {}) =>
      taken(await tryList(query, options)).body as unknown as ListReply,
  };
}

/** Returns the status of an error reply and the name of the field with the error. */
export const told = ({ status, body }: Reply): [number, unknown] => [status, body.name];
