import { Client } from 'undici';
import type { ConnectionTimes, GuardedConnector } from './address-guard';

/**
 * An undici client with one connection, which carries one request at a time. `steps` says when the steps of
 * connecting ended.
 */
export type Connection = { origin: string; client: Client; steps: ConnectionTimes; idleSince: number };

export type KeptConnections = ReturnType<typeof createKeptConnections>;

const clientOptions: Client.Options = {
  pipelining: 1,
  // undici's own timeouts are off, because one deadline covers the whole attempt.
  headersTimeout: 0,
  bodyTimeout: 0,
  // Many servers close idle connections after 5 s, and a POST on a connection that is just being closed is lost. The
  // client therefore closes them first: after 4 s, or 2 s before the time limit that a server announces.
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 60_000,
};

/**
 * Keeps connections for reuse, by origin. Closes connections that are idle for `idleMs`, and idle connections in
 * excess of `maxIdle`. The caller must limit the concurrent requests, because each has a connection of its own.
 * undici's Pool is not used: after a response, it counts the client as busy until the next turn of the event loop. A
 * caller that sends its next request immediately would therefore get a second connection.
 */
export function createKeptConnections(
  connector: GuardedConnector,
  { idleMs = 60_000, maxIdle = 2_000 } = {},
) {
  const all = new Set<Connection>();
  const idle = new Map<string, Connection[]>();
  let idleCount = 0;

  const open = (origin: string): Connection => {
    const steps: ConnectionTimes = { startedAt: 0 };
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
    // After undici has reported an error, it asserts that the client is unchanged. The client is therefore destroyed
    // a little later, in a microtask.
    queueMicrotask(() => void connection.client.destroy());
  };
  const sweep = setInterval(() => {
    const before = Date.now() - idleMs;
    for (const [origin, connections] of idle) {
      // Connections are taken from the end of the list, so the ones that were idle longest are at the start.
      while (connections[0] && connections[0].idleSince < before) {
        discard(connections[0]);
        connections.shift();
        idleCount--;
      }
      if (connections.length === 0) idle.delete(origin);
    }
  }, idleMs / 4).unref();

  return {
    /** Returns an idle connection of the origin, or a new one, which connects when a request is dispatched. */
    take: (origin: string): Connection => takeIdle(origin) ?? open(origin),
    /** Makes the connection available for reuse. Call this only after a complete response. */
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
    /**
     * Destroys the connection. Call this after a failure or to abort the request: a client whose connection failed must
     * not be used again.
     */
    discard,
    /** Waits for the requests in flight. */
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
