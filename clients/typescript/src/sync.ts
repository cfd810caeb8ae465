import type { CallOptions } from './call.js';
import { sleep } from './transport.js';

/** An object as it is now. Store it if its `version` is higher than the one you have for this `id`. */
export type SyncedObject = {
  object: string;
  id: string;
  version: number;
  changed_at: string;
  body: Record<string, unknown>;
};
export type DeletedObject = {
  object: string;
  id: string;
  version: number;
  deleted_at: string;
  reason: 'deleted' | 'erased' | 'merged';
};
export type SyncPage = {
  data: SyncedObject[];
  deleted: DeletedObject[];
  cursor: string;
  has_more: boolean;
  lag_ms: number;
};
export type SyncQuery = {
  /** Continues after the page that had this cursor. Left out: from the beginning. */
  cursor?: string | undefined;
  /** Kinds of objects, all if left out. A cursor belongs to the kinds that it began with. */
  objects?: readonly string[];
  limit?: number;
  merchant_id?: string;
};

export type Sync = {
  /** Reads one page of changes. */
  (query?: SyncQuery, options?: CallOptions): Promise<SyncPage>;
  /**
   * Reads pages for ever. Store the rows of a page and its `cursor` in one transaction. While there is nothing new, a page comes
   * after each `intervalMs` (15,000). Ends when `signal` is aborted; throws `SyncCursorExpiredError` if the walk must begin again.
   */
  follow: (
    query?: SyncQuery & { intervalMs?: number; signal?: AbortSignal },
  ) => AsyncGenerator<SyncPage, void, undefined>;
};

/** Returns `client.sync` for a function that reads a page. */
export function createSync(read: (query: SyncQuery, options?: CallOptions) => Promise<SyncPage>): Sync {
  return Object.assign((query: SyncQuery = {}, options?: CallOptions) => read(query, options), {
    async *follow({ intervalMs = 15_000, signal, ...query }: Parameters<Sync['follow']>[0] = {}) {
      let { cursor } = query;
      try {
        for (;;) {
          const page = await read({ ...query, cursor }, signal ? { signal } : {});
          yield page;
          ({ cursor } = page);
          if (!page.has_more) await sleep(intervalMs, signal);
        }
      } catch (error) {
        if (!signal?.aborted) throw error;
      }
    },
  });
}
