import { isIP } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { clientNetwork } from '../text/ip-address';
import { toApiError } from './error-reply';
import type { ProvenCache } from './proven-credentials';
import { withoutPort } from './proxies';
import type { CreateLimit } from './rate-limit';

const provenForMs = 600_000;
/** Limits the memory to about 10 MB. The least recently seen credentials are dropped first. */
const maxRemembered = 50_000;
/** The points that a call with an invalid credential costs. */
const failedPoints = 2;

export type AddressLimit = ReturnType<typeof limitAddresses>;

const settlements = new WeakMap<Request, (credential: string | undefined) => void>();
const recognized = new WeakMap<Request, string>();

/**
 * Refunds the point that a request cost, after its session, link or signature turned out to be valid. With
 * `credential`, further requests with this credential cost no points for ten minutes.
 */
export const refundPoint = (request: Request, credential?: string): void =>
  settlements.get(request)?.(credential);

/** Returns the credential of a request if it was reported to `refundPoint` within the last ten minutes. */
export const recognizedCredential = (request: Request): string | undefined => recognized.get(request);

/**
 * Limits requests by client address, for callers whose credentials are not yet known to be valid. IPv6 addresses are
 * counted by their /64 network. A limit of 0 turns the limit off.
 */
export function limitAddresses(createLimit: CreateLimit, perMinute: number) {
  const { take } = createLimit(
    'address',
    perMinute,
    'This address sent too many requests without valid credentials. Try again later.',
  );
  const provenLately = new LRUCache<string, true>({ max: maxRemembered, ttl: provenForMs });
  /**
   * The credentials that are being checked at the moment, by address and credential. Each promise resolves when the
   * check has ended.
   */
  const proofs = new Map<string, Promise<void>>();

  /**
   * Charges points for a credential that the database has not accepted yet, and refunds them if the credential was
   * valid. Simultaneous requests with the same credential wait for the check of the first one. If the credential is
   * valid, they pass for free; if not, each request pays before it reaches the database.
   */
  const charge = async <Kind>(
    request: Request,
    response: Response,
    credential: Kind,
    proven: ProvenCache<Kind>,
  ): Promise<void> => {
    const address = addressOf(request);
    const key = `${address} ${proven.keyOf(credential)}`;
    const proof = proofs.get(key);
    if (proof) {
      await proof;
      if (proven.has(credential) || response.destroyed) return;
    }
    // This is before `take`, which can wait, so that all further requests with the credential wait for this one.
    if (!proof) proofs.set(key, endOfProof(key, response, credential, proven));
    const giveBack = await take(address, response, failedPoints);
    // The caller may have disconnected while `take` waited. Then the database is not asked, and nothing is charged.
    if (response.destroyed) giveBack();
    response.once('close', () => {
      if (proven.has(credential)) giveBack();
    });
  };

  /** Resolves when the database has accepted the credential, or when the response is closed. */
  const endOfProof = <Kind>(key: string, response: Response, credential: Kind, proven: ProvenCache<Kind>) =>
    new Promise<void>((resolve) => {
      const end = () => {
        cancel();
        proofs.delete(key);
        resolve();
      };
      const cancel = proven.onceNoted(credential, end);
      response.once('close', end);
    });

  return {
    /**
     * Charges one point for each request. A request is free if one of its credentials was reported to `refundPoint`
     * within the last ten minutes, and `recognizedCredential` then returns that credential. Throws 429 if no points
     * are left.
     */
    guard:
      (credentialsOf: (request: Request) => readonly string[] = () => []): RequestHandler =>
      async (request, response, next) => {
        // A request that passes two routers is counted once.
        if (settlements.has(request)) {
          next();
          return;
        }
        const known = credentialsOf(request).find((credential) => provenLately.has(credential));
        const address = addressOf(request);
        const giveBack = known === undefined ? await take(address, response) : undefined;
        if (known !== undefined) recognized.set(request, known);
        settlements.set(request, (credential) => {
          giveBack?.();
          if (credential !== undefined) provenLately.set(credential, true);
        });
        next();
      },

    /**
     * Reads the credential of a call and passes it to `leave`. A credential that is rejected, or that the database
     * has not accepted yet, costs two points. Throws 401 or 429.
     */
    authenticate: <Kind>(
      authenticate: (request: Request) => Promise<Kind>,
      proven: ProvenCache<Kind>,
      leave: (response: Response, credential: Kind) => void,
    ): RequestHandler => {
      return async (request, response, next) => {
        const credential = await authenticate(request).catch(async (refusal: unknown) => {
          if (toApiError(refusal).status === 401) await take(addressOf(request), response, failedPoints);
          throw refusal;
        });
        if (perMinute > 0 && !proven.has(credential) && !response.destroyed)
          await charge(request, response, credential, proven);
        // The caller may have disconnected while `charge` waited.
        if (response.destroyed) return;
        leave(response, credential);
        next();
      };
    },
  };
}

/**
 * Returns the client's address without its port, as the trusted proxies report it. If that is not an IP address,
 * returns the first valid address on the way from the client to this server, or '' if there is none.
 */
export const addressOf = ({ ips, socket }: Request): string => {
  const address = [...ips, socket.remoteAddress ?? ''].map(withoutPort).find((hop) => isIP(hop) > 0);
  return address === undefined ? '' : clientNetwork(address);
};
