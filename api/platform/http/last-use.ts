import type { Logger } from 'pino';
import type { Database } from '../../../db/platform/database';
import { recordLastUse } from '../../../db/platform/sessions';

export type LastUse = {
  note: (kind: 'session' | 'service_key', id: string) => void;
  stop: () => Promise<void>;
};

const writeEveryMs = 60_000;

/**
 * Collects when credentials were last used, and writes the times to the database once a minute, outside of requests.
 */
export function collectLastUse(database: Pick<Database, 'write'>, log: Logger): LastUse {
  const seen = { session: new Map<string, Date>(), service_key: new Map<string, Date>() };

  const write = async (): Promise<void> => {
    for (const table of ['session', 'service_key'] as const) {
      const uses = seen[table];
      if (uses.size === 0) continue;
      seen[table] = new Map();
      await database
        .write({ kind: 'sign_in' }, (trx) => trx.count(recordLastUse(table, uses)))
        .catch((err: unknown) => log.warn({ err }, 'failed to write the last use of credentials'));
    }
  };

  const timer = setInterval(() => void write(), writeEveryMs);
  timer.unref();
  return {
    note: (kind, id) => void seen[kind].set(id, new Date()),
    stop: async () => {
      clearInterval(timer);
      await write();
    },
  };
}
