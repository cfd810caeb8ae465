import { randomUUID } from 'node:crypto';
import { createFeatureBoard } from '../../../activities/providers/feature-board';
import { createFeatureRequestActivities } from '../../../activities/support/feature-requests';
import { merchants, people } from '../../../local/seed/accounts';
import { atEnd } from '../at-end';
import { openActivities } from '../platform/open-activities';

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
  const opened = await openActivities('board');
  const { database, worker, url } = opened;
  const board = createFeatureBoard({ baseUrl: `${url}/board`, apiKey: 'test', boardId: 'test' });
  atEnd(board.close);
  const counted: string[] = [];
  const deps = { database: worker, onAttempt: (outcome: string) => void counted.push(outcome) };

  return {
    ...opened,
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
    posts: async () => (await opened.fake('/posts')) as BoardPost[],
    /** Clears the faults and records of the fakes, and empties `counted`. */
    clear: async () => {
      counted.length = 0;
      await opened.clear();
    },
  };
}
