import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './start-error';

const host = '127.0.0.1';
const retryMs = 100;

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
  assertPortsDiffer(ports);
  const deadline = Date.now() + waitMs;
  for (const { variable, port } of ports) {
    let refusal = await tryPort(port);
    while (refusal === 'EADDRINUSE' && Date.now() < deadline) {
      await sleep(retryMs);
      refusal = await tryPort(port);
    }
    if (refusal === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} is taken: set ${variable} to another port, or end what listens there.`,
      );
    if (refusal === 'EACCES')
      throw new StartError(`Port ${port} is not open to this user: set ${variable} to a port above 1023.`);
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

function assertPortsDiffer(ports: NamedPort[]): void {
  const variables = new Map<number, string>();
  for (const { variable, port } of ports) {
    const first = variables.get(port);
    if (first !== undefined)
      throw new StartError(
        `Port ${port} is named by ${first} and by ${variable}: set one of them to another port.`,
      );
    variables.set(port, variable);
  }
}

/** Returns undefined when the port is available, or else the system's error code. */
async function tryPort(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
