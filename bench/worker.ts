import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { workerEnvironment } from '../local/environments';
import { findFreePort } from '../local/ports';
import { createEventKeys, ensureSigningKeys } from '../local/secrets';
import type { Secrets } from '../local/secrets';
import { readSettings } from '../local/settings';

/** Nothing listens at this address. */
export const nowhere = '127.0.0.1:9';

type WorkerPlace = {
  /** The folder for keys and stored files. It can be the folder of a running stack. */
  folder: string;
  secrets: Secrets;
  adminUrl: string;
  temporalAddress: string;
};

/**
 * Starts the product's worker with the environment that `npm start` would give it, so that a new variable of the worker
 * is set here too. Does not wait until the worker is ready.
 */
export async function startWorker({
  folder,
  secrets,
  adminUrl,
  temporalAddress,
}: WorkerPlace): Promise<ChildProcess> {
  const linkKeysFile = path.join(folder, 'link-signing-keys.json');
  await ensureSigningKeys(linkKeysFile);
  const objects = path.join(folder, 'objects');
  mkdirSync(objects, { recursive: true });
  const settings = readSettings(
    {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      LOG_LEVEL: 'silent',
      WORKER_METRICS_PORT: String(await findFreePort()),
    },
    [],
  );
  const origin = `http://${nowhere}`;
  const env = workerEnvironment(
    settings,
    { ...secrets, ...createEventKeys() },
    {
      origin,
      portalOrigin: origin.replace('127.0.0.1', 'localhost'),
      adminUrl,
      temporalAddress,
      temporalUiUrl: origin,
      fakesUrl: origin,
      // Only the API reads the keys of tokens.
      signingKeysFile: '',
      linkKeysFile,
      objectStore: pathToFileURL(objects).href,
    },
  );
  return fork(path.join(__dirname, '../activities/main.js'), {
    env,
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Ends a process and waits until it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

/** Waits until the worker polls Temporal. */
export async function untilReady(worker: ChildProcess): Promise<void> {
  await Promise.race([once(worker, 'message'), once(worker, 'exit')]);
  assertRuns(worker);
}

/** Throws if the process has ended, so that a bench does not wait for it forever. */
export function assertRuns({ exitCode, signalCode }: ChildProcess): void {
  if (exitCode !== null || signalCode !== null)
    throw new Error(`the worker has ended by itself (${exitCode ?? signalCode})`);
}
