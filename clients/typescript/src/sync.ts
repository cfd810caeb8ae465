import type { CallOptions } from './call.js';
import type { SyncQuery, SyncReply } from './generated/types.js';
import { sleep } from './transport.js';

type SyncedKind = SyncReply['data'][number]['object'];
type Asked = Omit<SyncQuery, 'objects' | 'cursor'> & {
  objects?: string | readonly SyncedKind[];
  /** The stored cursor. Undefined: from the beginning. */
  cursor?: string | undefined;
};

export type Sync = {
  /** Reads one page of changes. */
  (query?: Asked, options?: CallOptions): Promise<SyncReply>;
  /**
   * Reads pages for ever. Store the rows of a page and its `cursor` in one transaction. While there is nothing new, a
   * page comes after each `intervalMs` (15,000). Ends when `signal` is aborted. Throws a `SyncCursorExpiredError` if the
   * copy must begin again, and the error of a call that failed after its retries: then follow the stored cursor again.
   */
  follow: (
    query?: Asked & { intervalMs?: number | undefined; signal?: AbortSignal | undefined },
  ) => AsyncGenerator<SyncReply, void, undefined>;
};

/** Returns `client.sync` for a function that reads a page. */
export function createSync(read: (query: object, options?: CallOptions) => Promise<SyncReply>): Sync {
  return Object.assign((query: Asked = {}, options?: CallOptions) => read(query, options), {
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
