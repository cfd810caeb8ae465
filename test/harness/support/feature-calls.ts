import { z } from 'zod';
import { errorBody } from '../platform/error-body';
import type { OperationsWithWorker } from '../platform/operations-with-worker';
import type { CallOptions } from '../platform/platform';

const postList = z.array(
  z.object({ id: z.string(), author_email: z.string(), title: z.string(), details: z.string() }),
);

/** Returns a body that `merchant-feature-request` accepts. */
const newFeature = (title: string, more: Record<string, unknown> = {}) => ({
  title,
  description: `${title}: it would save us an hour a day.`,
  ...more,
});

/**
 * Returns functions that request features through the API, and that read them from the fake board and from the
 * database.
 */
export const featureCalls = (platform: OperationsWithWorker) => ({
  ask: (title: string, call: Omit<CallOptions, 'body'> = {}, more: Record<string, unknown> = {}) =>
    platform.call('merchant-feature-request', { body: newFeature(title, more), ...call }),
  postsTitled: async (title: string) =>
    postList.parse(await platform.fake('/posts')).filter((post) => post.title === title),
  rowsTitled: (title: string) =>
    platform.database.rows<{ id: string; status: string; post_id: string | null; merchant_id: string }>(
      'select id, status, post_id, merchant_id from feature_request where title = $1 order by id',
      [title],
    ),
  /** Deletes all feature requests, so that the next test can use the whole daily limit of five. */
  forget: () => platform.database.rows('delete from feature_request'),
  /**
   * Makes the fault affect the third request to the board, which creates the post. The first two search for the
   * person and the post.
   */
  faultAtCreation: async (fault: Record<string, unknown>) => {
    await platform.fault({ provider: 'board', delay_ms: 0, times: 2 });
    await platform.fault({ provider: 'board', ...fault });
  },
});

export const boardUnavailable = errorBody('feature_board_unavailable');
