import { findUrlProblem } from '../../api/contracts/webhook-url';
import type { WebhookTargets } from '../../api/contracts/webhook-url';
import { createGuardedConnector } from './address-guard';
import type { GuardSettings } from './address-guard';
import { createKeptConnections } from './kept-connections';
import { PostAttempt } from './webhook-attempt';
import type { PostRequest, PostResult } from './webhook-attempt';

export type WebhookPostSettings = WebhookTargets & GuardSettings;

export type WebhookPost = ReturnType<typeof createWebhookPost>;

/**
 * Sends webhooks (spec/decisions.md section 6): connections are kept, no redirect is followed, the address that is
 * dialled is the one that was judged. A whole answer of 2xx is an acknowledgement, every other whole answer a refusal;
 * one that breaks off is none, whatever its status. Of an answer over 64 KiB that much is whole.
 *
 * A post whose connection dies is not sent again from here, not even on a kept connection that the receiver was just
 * closing: every request that a receiver may have seen is an attempt of its own. A connection that was closed before
 * anything was written to it is replaced.
 */
export function createWebhookPost(settings: WebhookPostSettings) {
  const connector = createGuardedConnector(settings);
  const connections = createKeptConnections(connector);
  const findTarget = createTargets(settings);
  const abortOn = createAborts();

  return {
    /** Resolves whatever the receiver does; rejects with the signal's reason only. */
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
    /** Waits for the posts under way; none may follow. */
    close: async (): Promise<void> => {
      await connections.close();
      connector.close();
    },
  };
}

type Target = { origin: string; path: string } | { problem: string };

const maxTargets = 1_000;

/** Where each URL leads, read once: that takes as long as a fifth of the post. */
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

/** One listener for each signal, however many posts share it. */
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
