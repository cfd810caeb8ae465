import { Client } from 'undici';
import type { ConnectionSteps, GuardedConnector } from './address-guard';

/** A client of undici's, of one connection and one request at a time, and how that connection came about. */
export type Connection = { origin: string; client: Client; steps: ConnectionSteps; idleSince: number };

export type KeptConnections = ReturnType<typeof createKeptConnections>;

const clientOptions: Client.Options = {
  pipelining: 1,
  // One deadline over all is the attempt's.
  headersTimeout: 0,
  bodyTimeout: 0,
  // Below the 5 s after which many servers close: a POST on a connection that is just being closed is lost. A server
  // that says how long it waits is believed, less 2 s.
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 60_000,
};

/**
 * Connections by origin, as many as there are requests at a time, which is the caller's to bound. What is idle for
 * `idleMs` is let go, and what would be more than `maxIdle` idle ones.
 *
 * undici's own Pool does the same, but counts a client as busy until the event loop has gone round: a caller that sends
 * the next post on an answer is given a second connection.
 */
export function createKeptConnections(
  connector: GuardedConnector,
  { idleMs = 60_000, maxIdle = 2_000 } = {},
) {
  const all = new Set<Connection>();
  const idle = new Map<string, Connection[]>();
  let idleCount = 0;

  const open = (origin: string): Connection => {
    const steps: ConnectionSteps = { startedAt: 0 };
    const client = new Client(origin, {
      ...clientOptions,
      connect: (target, callback) => {
        Object.assign(steps, noSteps, { startedAt: performance.now() });
        connector.connect(target, steps, callback);
      },
    });
    const connection = { origin, client, steps, idleSince: 0 };
    all.add(connection);
    return connection;
  };
  const takeIdle = (origin: string): Connection | undefined => {
    const connection = idle.get(origin)?.pop();
    if (connection) idleCount--;
    return connection;
  };
  const discard = (connection: Connection): void => {
    if (!all.delete(connection)) return;
    // Not at once: undici asserts that a client is as it left it before it told of an error.
    queueMicrotask(() => void connection.client.destroy());
  };
  const sweep = setInterval(() => {
    const before = Date.now() - idleMs;
    for (const [origin, connections] of idle) {
      // The last given back is the first taken, so the oldest come first.
      while (connections[0] && connections[0].idleSince < before) {
        discard(connections[0]);
        connections.shift();
        idleCount--;
      }
      if (connections.length === 0) idle.delete(origin);
    }
  }, idleMs / 4).unref();

  return {
    /** An idle connection of the origin, or a new one, which connects when a request is dispatched. */
    take: (origin: string): Connection => takeIdle(origin) ?? open(origin),
    /** After a whole answer. */
    giveBack: (connection: Connection): void => {
      if (idleCount >= maxIdle) {
        discard(connection);
        return;
      }
      connection.idleSince = Date.now();
      const others = idle.get(connection.origin);
      if (others) others.push(connection);
      else idle.set(connection.origin, [connection]);
      idleCount++;
    },
    /** After a failure, or in place of its request. A client whose connection failed is not fit for another. */
    discard,
    /** Waits for the requests under way. */
    close: async (): Promise<void> => {
      clearInterval(sweep);
      await Promise.all(Array.from(all, ({ client }) => client.close()));
      all.clear();
    },
  };
}

const noSteps = {
  resolvedAt: undefined,
  connectedAt: undefined,
  securedAt: undefined,
  peerAddress: undefined,
};
