import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Database } from '../../../db/platform/database';
import { takeRatePoints } from '../../../db/platform/rate-windows';
import type { PointGrant } from '../../../db/platform/rate-windows';
import { ApiError } from '../operation/api-error';
import type { Credential } from './credential';

const minuteS = 60;
/** Limits the memory of a limit to about 10 MB. The least recently seen keys are dropped first. */
const maxRemembered = 50_000;

/** What gets the `RateLimit-*` headers: a response. */
type HeaderTarget = { setHeader: (name: string, value: string) => unknown };

/** A limit of requests per minute for each key, for example for each session. */
export type Limit = {
  /** If this is 0, the limit is off. */
  perMinute: number;
  /**
   * Takes points of a key and sets the `RateLimit-*` headers. Returns a function that refunds the points. Throws 429 if
   * too few points are left.
   */
  take: (key: string, response: HeaderTarget, points?: number) => Promise<() => void>;
};

/**
 * Creates a limit. Its name distinguishes its counts from those of other limits. With `seconds`, `perMinute` counts for this
 * time instead of a minute.
 */
export type CreateLimit = (name: string, perMinute: number, sentence?: string, seconds?: number) => Limit;

type Window = {
  /** Points that this process has taken from the shared count and not used. */
  available: number;
  /** Points that were left in the shared count after this process last took some. */
  left: number;
  /** The end of the window as a time of `performance.now()`. */
  endsAt: number;
  /** The points of all requests that wait for `filling`. */
  wanted: number;
  /** The running query for more points. */
  filling: Promise<void> | undefined;
};

/**
 * Returns a function that creates limits whose points are counted in the database for all processes. A process takes
 * several points with one query, so most requests need no query, and a key without points is rejected from memory. If
 * the query fails, this process counts the key by itself until the window ends.
 */
export function createLimits(database: Pick<Database, 'write'>, log: Pick<Logger, 'warn'>): CreateLimit {
  const ask = async (...wanted: Parameters<typeof takeRatePoints>): Promise<PointGrant | undefined> => {
    try {
      const [grant] = await database.write({ kind: 'sign_in' }, (trx) => trx.last(takeRatePoints(...wanted)));
      return grant;
    } catch (err) {
      log.warn({ err }, 'failed to count requests over all processes');
      return undefined;
    }
  };

  return (
    name,
    perMinute,
    sentence = `You sent more than ${perMinute} requests in a minute. Slow down.`,
    seconds = minuteS,
  ) => {
    const windows = new LRUCache<string, Window>({ max: maxRemembered });

    const windowOf = (key: string): Window => {
      const known = windows.get(key);
      if (known) return known;
      const window = { available: 0, left: 0, endsAt: 0, wanted: 0, filling: undefined };
      windows.set(key, window);
      return window;
    };

    const fill = async (key: string, window: Window): Promise<void> => {
      const askedAt = performance.now();
      const hash = createHash('sha256').update(`${name} ${key}`).digest();
      const grant = await ask(hash, { limit: perMinute, seconds, needed: window.wanted });
      window.filling = undefined;
      if (window.endsAt <= performance.now()) {
        window.endsAt = askedAt + (grant?.ends_in_ms ?? seconds * 1_000);
        window.available = 0;
        window.left = perMinute;
      }
      window.available += grant?.granted ?? window.left;
      window.left = grant?.remaining ?? 0;
    };

    const take: Limit['take'] = async (key, response, points = 1) => {
      if (perMinute === 0) return () => undefined;
      const window = windowOf(key);
      const isFilled = () =>
        window.endsAt > performance.now() && (window.available >= points || window.left === 0);
      window.wanted += points;
      while (!isFilled()) await (window.filling ??= fill(key, window));
      window.wanted -= points;
      const { endsAt } = window;
      const isTaken = window.available >= points;
      if (isTaken) window.available -= points;
      const retryAfter = Math.max(1, Math.ceil((endsAt - performance.now()) / 1_000));
      response.setHeader('ratelimit-policy', `${perMinute};w=${seconds}`);
      response.setHeader('ratelimit-limit', String(perMinute));
      response.setHeader('ratelimit-remaining', String(isTaken ? window.available + window.left : 0));
      response.setHeader('ratelimit-reset', String(retryAfter));
      if (!isTaken) throw new ApiError('rate_limited', sentence, undefined, retryAfter);
      let isRefundable = true;
      return () => {
        if (isRefundable && window.endsAt === endsAt) window.available += points;
        isRefundable = false;
      };
    };

    return { perMinute, take };
  };
}

/** Limits requests by the key that `keyOf` returns. Requests without a key are not limited. */
export const limitRate =
  (limit: Limit, keyOf: (request: Request, response: Response) => string | undefined): RequestHandler =>
  async (request, response, next) => {
    const key = keyOf(request, response);
    if (key !== undefined) await limit.take(key, response);
    next();
  };

/** Returns the error of a limit that is used up, and throws any other error. */
export function limitError(error: unknown): ApiError {
  if (error instanceof ApiError && error.code === 'rate_limited') return error;
  throw error;
}

/** Returns one key per session or service key, so that a refreshed token does not start a new count. */
export const rateKey = (credential: Credential): string =>
  credential.kind === 'service_key' ? credential.keyHash : credential.sessionId;
