import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf, StartError } from './start-error';

export interface NamedPort {
  /** The environment variable with which the user can change the port. */
  variable: string;
  port: number;
}

/**
 * Throws a StartError that names the port and its variable if a port is in use. Waits up to `waitMs` for a port to
 * become free, because a stack that was just killed may still use it.
 */
export async function assertPortsFree(ports: NamedPort[], waitMs = 3_000): Promise<void> {
  const variables = new Map<number, string>();
  const deadline = Date.now() + waitMs;
  for (const { variable, port } of ports) {
    const first = variables.get(port);
    if (first !== undefined)
      throw new StartError(
        `Port ${port} is named by ${first} and by ${variable}: set one of them to another port.`,
      );
    variables.set(port, variable);
    let refusal = await tryPort(port);
    for (; refusal === 'EADDRINUSE' && Date.now() < deadline; refusal = await tryPort(port)) await sleep(100);
    if (refusal === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} is taken: set ${variable} to another port, or end what listens there.`,
      );
    if (refusal)
      throw new StartError(`Port ${port} cannot be used (${refusal}): set ${variable} to another port.`);
  }
}

/**
 * Returns a port that was free a moment ago. It is below the range that the system uses for outgoing connections
 * (from 32,768), so that no such connection takes the port before the caller does.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_240, 32_768);
    if ((await tryPort(port)) === undefined) return port;
  }
}

/** Returns undefined when the port is free, otherwise the system's error code. */
async function tryPort(port: number): Promise<string | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
