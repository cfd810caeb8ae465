import { isIP } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';
import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../operation/api-error';
import type { Authenticate } from './authenticate';
import type { Credential } from './credential';
import { toApiError } from './error-reply';
import { withoutPort } from './proxies';
import { credentialKey } from './proven-credentials';
import type { ProvenCredentials } from './proven-credentials';

const windowMs = 60_000;
const provenForMs = 600_000;
/** Limits the memory to about 10 MB. The least recently seen addresses and credentials are dropped first. */
const maxRemembered = 50_000;
/** The points that a `/v1` request with an invalid credential costs. */
const failedPoints = 2;
/** The most concurrent requests that share the points of one unproven credential. */
const maxShared = 50;

type Window = { used: number; endsAt: number };
/**
 * The points that an unproven credential was charged, and the number of its requests that are running from one address.
 */
type Charge = { running: number; giveBack: () => void };

export type AddressLimit = ReturnType<typeof limitAddresses>;

const settlements = new WeakMap<Request, () => void>();

/** Refunds a request's point, because the request carried a valid session, link or signature. */
export const noteProven = (request: Request): void => settlements.get(request)?.();

/**
 * Limits requests by client address, for callers that have not proven a credential. The counts are in this process's
 * memory. IPv6 addresses are counted by their /64 network. A limit of 0 turns this off.
 */
export function limitAddresses(perMinute: number) {
  const windows = new LRUCache<string, Window>({ max: maxRemembered });
  const provenLately = new LRUCache<string, true>({ max: maxRemembered, ttl: provenForMs });
  const charges = new Map<string, Charge>();

  const windowOf = (address: string): Window => {
    const known = windows.get(address);
    if (known && known.endsAt > Date.now()) return known;
    const opened = { used: 0, endsAt: Date.now() + windowMs };
    windows.set(address, opened);
    return opened;
  };

  const setHeaders = (response: Response, { used, endsAt }: Window): number => {
    const seconds = Math.max(1, Math.ceil((endsAt - Date.now()) / 1_000));
    response.setHeader('ratelimit-limit', String(perMinute));
    response.setHeader('ratelimit-remaining', String(Math.max(0, perMinute - used)));
    response.setHeader('ratelimit-reset', String(seconds));
    return seconds;
  };

  /** Takes points and returns a function that refunds them. Throws 429 if too few points are left. */
  const take = (address: string, response: Response, points: number): (() => void) => {
    const window = windowOf(address);
    if (window.used + points > perMinute) {
      window.used = perMinute;
      throw new ApiError(
        'rate_limited',
        'This address sent too many requests without valid credentials. Try again later.',
        undefined,
        setHeaders(response, window),
      );
    }
    window.used += points;
    let isTaken = true;
    return () => {
      if (isTaken) window.used = Math.max(0, window.used - points);
      isTaken = false;
    };
  };

  /**
   * Charges points for a request's credential. They are refunded at the end of the request if the credential was valid.
   */
  const charge = (
    request: Request,
    response: Response,
    credential: Credential,
    proven: ProvenCredentials,
  ): void => {
    const address = addressOf(request);
    const key = `${address} ${credentialKey(credential)}`;
    const shared = charges.get(key);
    const isShared = shared !== undefined && shared.running < maxShared;
    const current = isShared ? shared : { running: 0, giveBack: take(address, response, failedPoints) };
    current.running += 1;
    if (!isShared) charges.set(key, current);
    response.once('close', () => {
      current.running -= 1;
      if (current.running === 0 && charges.get(key) === current) charges.delete(key);
      const isAborted = !response.writableFinished;
      if (proven.has(credential)) current.giveBack();
      else if (isShared && (isAborted || response.statusCode === 401)) windowOf(address).used += failedPoints;
    });
  };

  return {
    /**
     * Takes one point for each request, unless the request carries a credential that was proven within the last ten
     * minutes. `noteProven` refunds the point. Throws 429.
     */
    guard:
      (credentialOf: (request: Request) => string | undefined = () => undefined): RequestHandler =>
      (request, response, next) => {
        // A request that passes two routers is counted once.
        if (perMinute === 0 || settlements.has(request)) {
          next();
          return;
        }
        const credential = credentialOf(request);
        const isProven = credential !== undefined && provenLately.has(credential);
        const address = addressOf(request);
        const giveBack = isProven ? undefined : take(address, response, 1);
        if (!isProven) setHeaders(response, windowOf(address));
        settlements.set(request, () => {
          giveBack?.();
          if (credential !== undefined) provenLately.set(credential, true);
        });
        next();
      },

    /**
     * Reads the credential of a `/v1` request. A credential that is rejected or not proven costs two points. Throws 401
     * or 429.
     */
    authenticate: (
      authenticate: Authenticate,
      proven: ProvenCredentials,
      leave: (response: Response, credential: Credential) => void,
    ): RequestHandler => {
      return async (request, response, next) => {
        const credential = await authenticate(request).catch((refusal: unknown) => {
          if (perMinute > 0 && toApiError(refusal).status === 401)
            take(addressOf(request), response, failedPoints);
          throw refusal;
        });
        if (perMinute > 0 && !proven.has(credential)) charge(request, response, credential, proven);
        leave(response, credential);
        next();
      };
    },
  };
}

/**
 * Returns the address that a request is counted for: the client's address without its port, as the trusted proxies
 * report it. If they report none, it is the address of the nearest proxy that has one, or of the connection. An already
 * closed connection has no address.
 */
const addressOf = ({ ips, socket }: Request): string => {
  const address = [...ips, socket.remoteAddress ?? ''].map(withoutPort).find((hop) => isIP(hop) > 0);
  return address === undefined ? '' : ipKeyGenerator(address, 64);
};
