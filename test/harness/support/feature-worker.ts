import { randomUUID } from 'node:crypto';
import { createFeatureBoard } from '../../../activities/providers/feature-board';
import { createFeatureRequestActivities } from '../../../activities/support/feature-requests';
import { openDatabase } from '../../../db/platform/database';
import { openPool } from '../../../db/platform/pool';
import { startFakes } from '../../../local/fakes/server';
import { merchants, people } from '../../../local/seed/accounts';
import { createDatabase } from '../platform/database';

export type FeatureWorker = Awaited<ReturnType<typeof startFeatureWorker>>;
type BoardPost = {
  id: string;
  author_email: string;
  author_name: string;
  title: string;
  details: string;
};

/**
 * Runs the real activities of feature requests in this process, with their own database and the real client, which
 * calls the fake board.
 */
export async function startFeatureWorker() {
  const [database, fakes] = await Promise.all([createDatabase(), startFakes({ port: 0 })]);
  const worker = openDatabase(
    openPool({ url: database.workerUrl, size: 5, applicationName: 'test', onIdleError: () => undefined }),
  );
  const board = createFeatureBoard({ baseUrl: `${fakes.url}/board`, apiKey: 'test', boardId: 'test' });
  const counted: string[] = [];
  const deps = { database: worker, onAttempt: (outcome: string) => void counted.push(outcome) };

  return {
    database,
    worker,
    counted,
    activities: createFeatureRequestActivities({ ...deps, board }),
    unconfigured: createFeatureRequestActivities({ ...deps, board: undefined }),
    /** Stores a feature request as `merchant-feature-request` does. Its deadline is `seconds` seconds from now. */
    insert: async (row: Record<string, unknown> = {}, seconds = 600) => {
      const values = {
        id: randomUUID(),
        merchant_id: merchants.main.id,
        profile_id: people.merchant.id,
        title: `Dark mode ${randomUUID()}`,
        description: 'For late hours.',
        ...row,
      };
      const names = Object.keys(values);
      await database.rows(
        `insert into feature_request (${names.join(', ')}, deadline_at)
         values (${names.map((_name, place) => `$${place + 1}`).join(', ')}, now() + ${seconds} * interval '1 second')`,
        Object.values(values),
      );
      return values;
    },
    find: async (id: string) =>
      (
        await database.rows<{ status: string; post_id: string | null }>(
          'select status, post_id from feature_request where id = $1',
          [id],
        )
      )[0],
    posts: async () => (await (await fetch(`${fakes.url}/posts`)).json()) as BoardPost[],
    fault: async (fault: Record<string, unknown>) => {
      const body = JSON.stringify({ provider: 'board', ...fault });
      const response = await fetch(`${fakes.url}/faults`, { method: 'POST', body });
      if (!response.ok) throw new Error(await response.text());
    },
    /** Clears the faults and records of the fakes, and empties `counted`. */
    clear: async () => {
      counted.length = 0;
      for (const list of ['faults', 'records']) await fetch(`${fakes.url}/${list}`, { method: 'DELETE' });
    },
    stop: async () => {
      await Promise.all([worker.close(), board.close()]);
      await fakes.close();
    },
  };
}
