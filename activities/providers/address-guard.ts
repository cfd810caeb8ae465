import { promises } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { isIP, Socket } from 'node:net';
import { buildConnector } from 'undici';
import { mayConnectTo } from '../../api/platform/text/ip-address';
import type { AddressRange } from '../../api/platform/text/ip-address';

export type GuardSettings = {
  allowedRanges: readonly AddressRange[];
  /** The name servers as `address:port`. The machine's name servers are the default. */
  nameServers?: readonly string[];
  /** The certificate authorities to trust, as PEM. The default is Node's list. Certificates are always verified. */
  trustedAuthorities?: string;
};

/**
 * When each step of a connection ended, as returned by `performance.now()`. Steps that were not reached are
 * undefined. A literal address has no `resolvedAt`, and http has no `securedAt`.
 */
export type ConnectionTimes = {
  startedAt: number;
  resolvedAt?: number | undefined;
  connectedAt?: number | undefined;
  securedAt?: number | undefined;
  peerAddress?: string | undefined;
};

/** Thrown if the platform is not allowed to connect to an address. */
export class BlockedAddress extends Error {
  constructor(readonly address: string) {
    super(`the address ${address} is not public`);
  }
}

/** Thrown when the name servers report that the name has no address. */
export class NameNotFound extends Error {}
/** Thrown when the name servers did not respond, or responded with an error. */
export class NameLookupFailed extends Error {}

/** The time limit of name lookup, connection and TLS together. */
export const connectTimeoutMs = 5_000;
// Both tries end before `connectTimeoutMs`, so that a timeout is recorded as a failure of the name lookup and not of
// the connection.
const nameServerTries = { timeout: 1_500, tries: 2 };

export type GuardedConnector = ReturnType<typeof createGuardedConnector>;

/**
 * Connects only to validated addresses. A name is looked up as part of the connection, so that no second lookup can
 * return another address. The name is rejected if one of its addresses is not allowed. A literal address is validated
 * before the connection. Fails with BlockedAddress, NameNotFound, NameLookupFailed or the socket's error.
 *
 * Names are looked up with c-ares instead of getaddrinfo, which would block one of four threads until a silent name
 * server times out. Entries of /etc/hosts and search domains are therefore not used. `localhost` is resolved as RFC
 * 6761 says.
 */
export function createGuardedConnector({ allowedRanges, nameServers, trustedAuthorities }: GuardSettings) {
  const resolver = new promises.Resolver(nameServerTries);
  if (nameServers) resolver.setServers(nameServers);
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    ...(trustedAuthorities === undefined ? {} : { ca: trustedAuthorities }),
    // Tries the addresses one after another, because some names have both IPv4 and IPv6 addresses.
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
      steps: ConnectionTimes,
      callback: buildConnector.Callback,
    ): void => {
      const { hostname } = options;
      // A socket calls `lookup` only if `isIP` returns 0 for the host name, so literal addresses are validated here.
      if (isIP(hostname) !== 0 && !mayConnectTo(hostname, allowedRanges)) {
        callback(new BlockedAddress(hostname), null);
        return;
      }
      // `connect` returns the socket, although its type does not say so.
      const socket: unknown = connect(options, callback);
      if (socket instanceof Socket) watch(socket, steps);
    },
    /** Cancels the lookups that are still open. */
    close: () => resolver.cancel(),
  };
}

function watch(socket: Socket, steps: ConnectionTimes): void {
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

/**
 * Returns the addresses in all A and AAAA records of a name, or throws if there are none. If one of the two lookups
 * fails, the addresses of the other are returned.
 */
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
    : new NameLookupFailed();
}

const ask = async (family: 4 | 6, question: () => Promise<string[]>): Promise<LookupAddress[]> =>
  (await question()).map((address) => ({ address, family }));

/** Returns true for an error that says that the name does not exist, has no address or is not valid. */
const isNo = (error: unknown): boolean => ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(errorCodeOf(error));

/** Returns the code of an error, or '' if it has none. The value may be of any type and from any realm. */
export function errorCodeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}
