import { findUrlProblem } from '../../api/platform/text/webhook-url';
import type { WebhookTargets } from '../../api/platform/text/webhook-url';
import { createGuardedConnector } from './address-guard';
import type { GuardSettings } from './address-guard';
import { createKeptConnections } from './kept-connections';
import { PostAttempt } from './webhook-attempt';
import type { PostRequest, PostResult } from './webhook-attempt';

type WebhookPostSettings = WebhookTargets & GuardSettings;

export type WebhookPost = ReturnType<typeof createWebhookPost>;

/**
 * Sends webhooks over reused connections to validated addresses (docs/webhooks.md#attempts-and-schedule). If the
 * connection closes, a request is sent again only if no part of it was written. Otherwise the receiver may have got
 * it.
 */
export function createWebhookPost(settings: WebhookPostSettings) {
  const connector = createGuardedConnector(settings);
  const connections = createKeptConnections(connector);
  const findTarget = createTargets(settings);
  const abortOn = createAborts();

  return {
    /** Resolves with the result whatever the receiver does. Rejects only with the signal's reason. */
    post: (request: PostRequest): Promise<PostResult> =>
      new Promise((resolve, reject) => {
        const attempt = new PostAttempt(request, resolve, reject);
        const { url, signal } = request;
        const target = findTarget(url);
        if ('problem' in target) attempt.settle('blocked_address', `the url ${target.problem}`);
        else if (signal?.aborted) attempt.abort(signal.reason);
        else {
          if (signal) abortOn(signal, attempt);
          attempt.send(connections, target.origin, target.path);
        }
      }),
    /** Waits for the posts in flight. `post` must not be called after this. */
    close: async (): Promise<void> => {
      await connections.close();
      connector.close();
    },
  };
}

type Target = { origin: string; path: string } | { problem: string };

const maxTargets = 1_000;

/** Parses each URL once, because parsing takes up to a fifth of the time of the post. */
function createTargets(settings: WebhookTargets) {
  const known = new Map<string, Target>();
  const read = (url: string): Target => {
    const problem = findUrlProblem(url, settings);
    if (problem) return { problem };
    const { origin, pathname, search } = new URL(url);
    return { origin, path: pathname + search };
  };
  return (url: string): Target => {
    const found = known.get(url);
    if (found) return found;
    if (known.size >= maxTargets) known.clear();
    const target = read(url);
    known.set(url, target);
    return target;
  };
}

/** Adds only one listener to each signal, however many posts share it. */
function createAborts() {
  const underWay = new WeakMap<AbortSignal, Set<PostAttempt>>();
  const listen = (signal: AbortSignal): Set<PostAttempt> => {
    const attempts = new Set<PostAttempt>();
    underWay.set(signal, attempts);
    signal.addEventListener('abort', () => attempts.forEach((attempt) => attempt.abort(signal.reason)), {
      once: true,
    });
    return attempts;
  };
  return (signal: AbortSignal, attempt: PostAttempt): void => {
    const attempts = underWay.get(signal) ?? listen(signal);
    attempts.add(attempt);
    attempt.onSettled = () => attempts.delete(attempt);
  };
}
