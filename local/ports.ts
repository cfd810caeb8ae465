import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf, StartError } from './start-error';

export interface NamedPort {
  /** The environment variable that changes the port. */
  variable: string;
  port: number;
}

/**
 * Checks that every port can be listened on. Waits briefly, because a killed predecessor may still be releasing one. Throws
 * a StartError that names the port and the variable.
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
 * Returns a port that was free a moment ago. It is below the system's range for outgoing connections (from 32,768 on),
 * because one of those may be taken before it is used here.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_240, 32_768);
    if ((await tryPort(port)) === undefined) return port;
  }
}

/** Returns undefined when the port is available, or else the system's error code. */
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
