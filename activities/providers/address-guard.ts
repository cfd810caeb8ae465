import { promises } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { isIP, Socket } from 'node:net';
import { buildConnector } from 'undici';
import { mayConnectTo } from '../../api/platform/text/ip-address';
import type { AddressRange } from '../../api/platform/text/ip-address';

export type GuardSettings = {
  allowedRanges: readonly AddressRange[];
  /** `address:port` of the name servers; those of the machine when left out. */
  nameServers?: readonly string[];
  /** PEM of the authorities to trust; the usual ones when left out. Certificates are always verified. */
  trustedAuthorities?: string;
};

/** One connection: when each step of it was over (`performance.now()`), as far as it went; a literal host has no `resolvedAt`, http no `securedAt`. */
export type ConnectionSteps = {
  startedAt: number;
  resolvedAt?: number | undefined;
  connectedAt?: number | undefined;
  securedAt?: number | undefined;
  peerAddress?: string | undefined;
};

/** An address that we may not connect to. */
export class BlockedAddress extends Error {
  constructor(readonly address: string) {
    super(`the address ${address} is not public`);
  }
}

/** The name server's word that a name has no address. */
export class NameNotFound extends Error {}
/** No word of the name servers. */
export class NameUnknown extends Error {}

/** For name look-up, connection and TLS together. */
export const connectTimeoutMs = 5_000;
// Two tries end before the connection's time does, so that the failure is named for what it is.
const nameServerTries = { timeout: 1_500, tries: 2 };

export type GuardedConnector = ReturnType<typeof createGuardedConnector>;

/**
 * Connects only to addresses that were validated: a name is looked up inside of the connection, so that no second answer
 * can come between, and is refused with all its addresses if we may not connect to one of them. A host that is an
 * address never reaches a look-up, so it is validated before. Fails with BlockedAddress, NameNotFound, NameUnknown or the
 * socket's error.
 *
 * Names are looked up by c-ares and not by getaddrinfo, which would hold one of four threads until a silent name server
 * is given up. So there are no entries of /etc/hosts and no search domains; `localhost` is what RFC 6761 says.
 */
export function createGuardedConnector({ allowedRanges, nameServers, trustedAuthorities }: GuardSettings) {
  const resolver = new promises.Resolver(nameServerTries);
  if (nameServers) resolver.setServers(nameServers);
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    ...(trustedAuthorities === undefined ? {} : { ca: trustedAuthorities }),
    // One address after the other, as names with addresses of both families need.
    autoSelectFamily: true,
    lookup: (name, { all }, callback) => {
      const answer = (error: Error | null, found: LookupAddress[]) =>
        all ? callback(error, found) : callback(error, found[0]?.address ?? '', found[0]?.family);
      resolveAll(resolver, name).then(
        (found) => {
          const blocked = found.find(({ address }) => !mayConnectTo(address, allowedRanges));
          answer(blocked ? new BlockedAddress(blocked.address) : null, found);
        },
        (error: Error) => answer(error, []),
      );
    },
  });

  return {
    connect: (
      options: buildConnector.Options,
      steps: ConnectionSteps,
      callback: buildConnector.Callback,
    ): void => {
      const { hostname } = options;
      // By the very test that lets a socket skip the look-up.
      if (isIP(hostname) !== 0 && !mayConnectTo(hostname, allowedRanges)) {
        callback(new BlockedAddress(hostname), null);
        return;
      }
      // Given back, though the type does not say so.
      const socket: unknown = connect(options, callback);
      if (socket instanceof Socket) watch(socket, steps);
    },
    /** Gives up the look-ups that are still open. */
    close: () => resolver.cancel(),
  };
}

function watch(socket: Socket, steps: ConnectionSteps): void {
  socket
    .once('lookup', () => {
      steps.resolvedAt = performance.now();
    })
    .once('connect', () => {
      steps.connectedAt = performance.now();
      steps.peerAddress = socket.remoteAddress;
    })
    .once('secureConnect', () => {
      steps.securedAt = performance.now();
    });
}

const localhost = /(?:^|\.)localhost\.?$/i;

/** Every A and AAAA, at least one. A family whose question fails is left out: what is not known is not connected to. */
async function resolveAll(resolver: promises.Resolver, name: string): Promise<LookupAddress[]> {
  if (localhost.test(name))
    return [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
  const answers = await Promise.allSettled([
    ask(4, () => resolver.resolve4(name)),
    ask(6, () => resolver.resolve6(name)),
  ]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  throw answers.every((answer) => answer.status === 'rejected' && isNo(answer.reason))
    ? new NameNotFound()
    : new NameUnknown();
}

const ask = async (family: 4 | 6, question: () => Promise<string[]>): Promise<LookupAddress[]> =>
  (await question()).map((address) => ({ address, family }));

/** That there is no such name, or none with an address, or that it cannot be one. */
const isNo = (error: unknown): boolean => ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(readCode(error));

/** The code of an error of any kind and realm; '' without one. */
export function readCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}
