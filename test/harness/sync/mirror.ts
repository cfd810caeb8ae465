import type { CallOptions, Platform } from '../platform/platform';
import { waitFor } from '../wait-for';

type Entry = { object: string; id: string; version: number; body: unknown };
export type SyncReply = {
  data: Entry[];
  deleted: (Omit<Entry, 'body'> & { reason: string })[];
  cursor: string;
  has_more: boolean;
  lag_ms: number;
};

/** A copy of an account, by object and id. `read` brings it up to date. */
export function createMirror(
  platform: Pick<Platform, 'call'>,
  query: Record<string, string> = {},
  options: CallOptions = {},
) {
  const entries = new Map<string, Entry>();
  const mirror = {
    cursor: undefined as string | undefined,
    entries,
    bodies: (object: string): Map<string, unknown> =>
      new Map(
        [...entries.values()].filter((each) => each.object === object).map(({ id, body }) => [id, body]),
      ),
    keys: () => [...entries.keys()],
    /** Reads one page. Throws if the status is not 200. */
    async page(): Promise<SyncReply> {
      const { status, body, text } = await platform.call('sync', {
        query: { ...query, ...(mirror.cursor === undefined ? {} : { cursor: mirror.cursor }) },
        ...options,
      });
      if (status !== 200) throw new Error(`${status} ${text.slice(0, 500)}`);
      const reply = body as unknown as SyncReply;
      for (const each of reply.data) entries.set(`${each.object} ${each.id}`, each);
      for (const { object, id } of reply.deleted) entries.delete(`${object} ${id}`);
      mirror.cursor = reply.cursor;
      return reply;
    },
    /**
     * Reads until all of these have come, each as `object id` or `object id reason`. Transactions of other tests, in
     * other databases of the same Postgres, can make them wait. Returns what came.
     */
    async until(...expected: string[]): Promise<string[]> {
      const came: string[] = [];
      await waitFor(`changes of ${expected.join(', ')}`, async () => {
        came.push(...(await mirror.read()));
        return expected.every((each) => came.includes(each));
      });
      return came;
    },
    /** Reads until there is no more. Returns what came, as `object id`. */
    async read(): Promise<string[]> {
      const came: string[] = [];
      for (;;) {
        const { data, deleted, has_more } = await mirror.page();
        came.push(
          ...data.map(({ object, id }) => `${object} ${id}`),
          ...deleted.map(({ object, id, reason }) => `${object} ${id} ${reason}`),
        );
        if (!has_more) return came;
      }
    },
  };
  return mirror;
}
