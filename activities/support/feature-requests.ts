import { log, sleep } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { oneLine } from '../../api/platform/text/one-line';
import type { Database } from '../../db/platform/database';
import { discardFeatureRequest, findFeatureRequest, markPosted } from '../../db/support/feature-requests';
import type { OpenFeatureRequest } from '../../db/support/feature-requests';
import { failures } from '../../workflows/failures';
import { withHeartbeat } from '../platform/heartbeat';
import { toFailure } from '../platform/provider-failure';
import type { FeatureBoard } from '../providers/feature-board';
import { ProviderError } from '../providers/provider-error';

export type FeatureRequestActivities = ReturnType<typeof createFeatureRequestActivities>;
type Input = { feature_request_id: string };

type FeatureRequestDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  /** Undefined if no board is configured for the worker. */
  board: Pick<FeatureBoard, 'findOrCreateAuthor' | 'findPost' | 'createPost'> | undefined;
  /** Called after every attempt with its outcome, for the metrics. */
  onAttempt: (outcome: 'created' | 'found' | 'failed') => void;
};

/**
 * The time reserved for recording the post, at the end of the 19 seconds that a request has (see
 * merchant-feature-request).
 */
const storingMs = 2_000;
/**
 * The time reserved for one more search on the board, before the time for recording. If the response to the creation
 * of a post is lost, this search finds the post. No post is created during this time.
 */
const lookingMs = 2_000;
/**
 * The time limit for finding the author, and for a search. Both can be repeated, and the limit leaves time for three
 * attempts.
 */
const quickCallMs = 4_000;
/**
 * A request waits until the person's earlier request with the same title is done, and checks this at this interval.
 */
const turnPauseMs = 100;

/** The activities that post a feature request on the board. Each is safe to run twice. */
export function createFeatureRequestActivities({ database, board, onAttempt }: FeatureRequestDeps) {
  const find = async (id: string): Promise<OpenFeatureRequest | undefined> => {
    const found = await database.writeAsWorker((trx) => trx.maybeOne(findFeatureRequest(id)));
    return found;
  };

  const findAtItsTurn = async (id: string): Promise<OpenFeatureRequest | undefined> => {
    for (;;) {
      const found = await find(id);
      if (!found?.has_earlier_pending || found.post_id || found.remaining_ms <= storingMs) return found;
      await sleep(turnPauseMs);
    }
  };

  return {
    /**
     * Returns the id of the person's post with this title and description. Creates the post, unless a search finds
     * that an earlier attempt created it, although its response was lost. A person's requests with the same title are
     * handled one after another. Otherwise a request could find the post of an earlier request that is not recorded
     * yet, and take it for its own. Throws FeatureRequestGone, FeatureBoardUnavailable.
     */
    postFeatureRequest: async ({ feature_request_id }: Input): Promise<{ post_id: string }> => {
      const found = await withHeartbeat(() => findAtItsTurn(feature_request_id));
      if (found?.post_id) return { post_id: found.post_id };
      if (!found || found.remaining_ms <= storingMs) throw gone();
      if (!board) throw unavailable('this worker has no feature board configured');
      const deadline = performance.now() + found.remaining_ms - storingMs;
      try {
        const { post_id, outcome } = await withHeartbeat((signal) => post(board, found, deadline, signal));
        onAttempt(outcome);
        return { post_id };
      } catch (error) {
        onAttempt('failed');
        if (!(error instanceof ProviderError)) throw error;
        if (!error.retryable)
          log.error('failed to post on the feature board', { feature_request_id, reason: error.message });
        throw toFailure(error, failures.featureBoardUnavailable, {
          remainingMs: deadline - performance.now(),
          isBenign: true,
        });
      }
    },

    /** Records the post's id, unless the deadline has passed. */
    recordFeaturePost: async ({
      feature_request_id,
      post_id,
    }: Input & { post_id: string }): Promise<void> => {
      const recorded = await database.writeAsWorker((trx) =>
        trx.count(markPosted(feature_request_id, post_id)),
      );
      if (recorded === 0 && (await find(feature_request_id))?.status !== 'posted') throw gone();
    },

    /** Removes the feature request, unless it is posted. */
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
  // Other people on the board see this name. Without a name, they see the part of the email address before the @.
  const name = oneLine(author_name ?? '') || (author_email.split('@')[0] ?? '');
  const authorId = await board.findOrCreateAuthor({ email: author_email, name }, quick());
  const there = await board.findPost({ authorId, title, details: description, except }, quick());
  if (there !== undefined) return { post_id: there, outcome: 'found' };
  const timeoutMs = remainingMs() - lookingMs;
  if (timeoutMs <= 0) throw unavailable('no time is left to create the post');
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
