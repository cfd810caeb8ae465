import type { CallOptions } from './call.js';
import { ApiError, isTemporary } from './errors.js';
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
   * page comes after each `intervalMs` (15,000). While the API cannot be reached, it waits for up to five minutes between
   * calls, and each error goes to `onError`. Ends when `signal` is aborted. Throws a `SyncCursorExpiredError` if the copy
   * must begin again, and any other error that waiting does not cure.
   */
  follow: (
    query?: Asked & {
      intervalMs?: number | undefined;
      signal?: AbortSignal | undefined;
      onError?: ((error: ApiError) => void) | undefined;
    },
  ) => AsyncGenerator<SyncReply, void, undefined>;
};

/** How long `follow` waits after a call that failed, and the most after several. */
const firstDelayMs = 5_000;
const maxDelayMs = 300_000;

/** Returns `client.sync` for a function that reads a page. */
export function createSync(read: (query: object, options?: CallOptions) => Promise<SyncReply>): Sync {
  return Object.assign((query: Asked = {}, options?: CallOptions) => read(query, options), {
    async *follow({ intervalMs = 15_000, signal, onError, ...query }: Parameters<Sync['follow']>[0] = {}) {
      let { cursor } = query;
      let failures = 0;
      const readOrWait = async (): Promise<SyncReply | undefined> => {
        try {
          const page = await read({ ...query, cursor }, signal ? { signal } : {});
          failures = 0;
          return page;
        } catch (error) {
          if (!(error instanceof ApiError && isTemporary(error))) throw error;
          onError?.(error);
          const ownMs = Math.min(firstDelayMs * 2 ** failures++, maxDelayMs);
          await sleep(Math.max(ownMs, (error.retryAfterSeconds ?? 0) * 1000), signal);
          return undefined;
        }
      };
      try {
        for (;;) {
          const page = await readOrWait();
          if (!page) continue;
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
