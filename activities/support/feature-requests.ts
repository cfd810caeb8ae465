import { log, sleep } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { oneLine } from '../../api/platform/text/one-line';
import { discardFeatureRequest, findFeatureRequest, markPosted } from '../../db/support/feature-requests';
import type { OpenFeatureRequest } from '../../db/support/feature-requests';
import type { Database } from '../../db/platform/database';
import { failures } from '../../workflows/failures';
import { withHeartbeat } from '../platform/heartbeat';
import { FeatureBoardUnavailable } from '../providers/feature-board';
import type { FeatureBoard } from '../providers/feature-board';

export type FeatureRequestActivities = ReturnType<typeof createFeatureRequestActivities>;
type Input = { feature_request_id: string };

export type FeatureRequestDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  /** Undefined where the worker is told of none. */
  board: Pick<FeatureBoard, 'findOrCreateAuthor' | 'findPost' | 'createPost'> | undefined;
  /** Told how each attempt ended, for the metrics. */
  onAttempt: (outcome: 'created' | 'found' | 'failed') => void;
};

/** Of the 19 seconds in which it may become posted (see merchant-feature-request) the last two are for storing it. */
const storingMs = 2_000;
/**
 * The two before are for one more look at the board: a post whose answer is lost is found, and not made a second time. That
 * is why a slow board gets all the time there is to create one, and nothing is created later.
 */
const lookingMs = 2_000;
/** Finding somebody and looking for a post can be done again: a board that hangs is asked three times. */
const quickCallMs = 4_000;
/** Between looks whether an earlier one with the same title is through. */
const turnPauseMs = 100;

/** The activities that post a feature request on the board; each is safe to run twice. */
export function createFeatureRequestActivities({ database, board, onAttempt }: FeatureRequestDeps) {
  const find = async (id: string): Promise<OpenFeatureRequest | undefined> => {
    const found = await database.writeAsWorker((trx) => trx.maybeOne(findFeatureRequest(id)));
    return found;
  };

  const findAtItsTurn = async (id: string): Promise<OpenFeatureRequest | undefined> => {
    for (;;) {
      const found = await find(id);
      if (!found?.is_behind_another || found.post_id || found.remaining_ms <= storingMs) return found;
      await sleep(turnPauseMs);
    }
  };

  return {
    /**
     * The id of the person's post with this title and description: of one whose answer was lost, by this call or an earlier
     * one, else of a new one. A person's requests with one title are posted one after the other: of one that is just being
     * posted the board may have what nobody has recorded. Throws FeatureRequestGone, FeatureBoardUnavailable.
     */
    postFeatureRequest: async ({ feature_request_id }: Input): Promise<{ post_id: string }> => {
      const found = await withHeartbeat(() => findAtItsTurn(feature_request_id));
      if (found?.post_id) return { post_id: found.post_id };
      if (!found || found.remaining_ms <= storingMs) throw gone();
      if (!board) throw unavailable('this worker knows no feature board');
      const deadline = performance.now() + found.remaining_ms - storingMs;
      try {
        const { post_id, outcome } = await withHeartbeat((signal) => post(board, found, deadline, signal));
        onAttempt(outcome);
        return { post_id };
      } catch (error) {
        onAttempt('failed');
        if (!(error instanceof FeatureBoardUnavailable)) throw error;
        if (!error.retryable)
          log.error('the feature board refused', { feature_request_id, reason: error.message });
        throw toFailure(error, deadline - performance.now());
      }
    },

    /** Records the post, unless the deadline has passed. */
    recordFeaturePost: async ({
      feature_request_id,
      post_id,
    }: Input & { post_id: string }): Promise<void> => {
      const recorded = await database.writeAsWorker((trx) =>
        trx.count(markPosted(feature_request_id, post_id)),
      );
      if (recorded === 0 && (await find(feature_request_id))?.status !== 'posted') throw gone();
    },

    /** Removes it, unless it is posted. */
    removeFeatureRequest: async ({ feature_request_id }: Input): Promise<void> => {
      await database.writeAsWorker((trx) => trx.count(discardFeatureRequest(feature_request_id)));
    },
  };
}

async function post(
  board: NonNullable<FeatureRequestDeps['board']>,
  { title, description, author_email, author_name, recorded_post_ids: except }: OpenFeatureRequest,
  deadline: number,
  signal: AbortSignal,
): Promise<{ post_id: string; outcome: 'created' | 'found' }> {
  const remainingMs = () => deadline - performance.now();
  const quick = () => ({ timeoutMs: Math.min(quickCallMs, remainingMs()), signal });
  // Others see the name, and no part of the address but the one that stands for it.
  const name = oneLine(author_name ?? '') || (author_email.split('@')[0] ?? '');
  const authorId = await board.findOrCreateAuthor({ email: author_email, name }, quick());
  const there = await board.findPost({ authorId, title, details: description, except }, quick());
  if (there !== undefined) return { post_id: there, outcome: 'found' };
  const timeoutMs = remainingMs() - lookingMs;
  if (timeoutMs <= 0) throw new FeatureBoardUnavailable('no time is left to create the post', false);
  const created = await board.createPost({ authorId, title, details: description }, { timeoutMs, signal });
  return { post_id: created, outcome: 'created' };
}

const gone = () =>
  ApplicationFailure.create({
    message: 'the feature request no longer waits to be posted',
    type: failures.featureRequestGone,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });
const unavailable = (message: string) =>
  ApplicationFailure.nonRetryable(message, failures.featureBoardUnavailable);

/** Tries again after the wait the board asked for, or not at all when that is beyond the time left. */
function toFailure(error: FeatureBoardUnavailable, remainingMs: number): ApplicationFailure {
  const waitMs = error.retryAfterMs ?? 0;
  if (!error.retryable || waitMs >= remainingMs) return unavailable(error.message);
  return ApplicationFailure.create({
    message: error.message,
    type: failures.featureBoardUnavailable,
    category: ApplicationFailureCategory.BENIGN,
    // Temporal never tries again after 0.
    ...(waitMs > 0 ? { nextRetryDelay: waitMs } : {}),
  });
}
