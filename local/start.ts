import { rmSync } from 'node:fs';
import { DatabaseRefused } from '../db/platform/migrate';
import { bringUp } from './bring-up';
import { takePidFile, type PidFile } from './pid-file';
import { assertPortsFree } from './ports';
import { portsOf, readSettings } from './settings';
import { StartError } from './start-error';
import { openStateFolder, removeData, removeLogs } from './state-folder';
import { createSupervisor } from './supervisor';

/* `npm start` runs the whole stack on this machine in the foreground. This process only supervises. */

/**
 * The order in which processes are ended after a Ctrl-C, and the time in milliseconds after which each is killed. The
 * worker gets the most time, because it has a grace period of five seconds.
 */
const supervisor = createSupervisor({
  endings: [
    ['live', 1_000],
    ['api', 2_000],
    ['worker', 8_000],
    ['fakes', 8_200],
    ['temporal', 8_800],
    ['postgres', 9_600],
  ],
  print,
  started: (pid) => pidFile?.add(pid),
  ended: (pid) => pidFile?.drop(pid),
});

/**
 * After a Ctrl-C in the terminal, this process gets the signal twice, because npm forwards it. Two signals within
 * this time therefore count as one.
 */
const sameSignalMs = 500;

let pidFile: PidFile | undefined;
let endingSince: number | undefined;

async function main(): Promise<void> {
  const start = Date.now();
  const settings = readSettings(process.env, process.argv.slice(2));
  const folder = openStateFolder(settings.LOCAL_DIR);
  // From here on, files that this process and its children write are accessible to this user only.
  process.umask(0o077);
  pidFile = await takePidFile(folder.pidFile);
  removeLogs(folder);
  if (settings.fresh) removeData(folder);
  // Removes the stack file of an earlier start, because that file says that the stack is running.
  rmSync(folder.stackFile, { force: true });
  await assertPortsFree(portsOf(settings));
  const block = await bringUp({ settings, folder, supervisor, print });
  print(`\nReady in ${((Date.now() - start) / 1000).toFixed(1)} s.\n\n${block}\n`);
}

/** Prints a line, unless the stack is ending. */
function print(line: string): void {
  if (endingSince === undefined) console.log(line);
}

/** Ends all processes in their order, then this one. The first call determines the exit code. */
async function end(exitCode: number): Promise<void> {
  if (endingSince !== undefined) return;
  endingSince = Date.now();
  await supervisor.end();
  pidFile?.remove();
  process.exit(exitCode);
}

function onSignal(signal: NodeJS.Signals): void {
  if (endingSince === undefined) {
    console.log(`\n${signal}: ending everything; once more kills it.`);
    void end(0);
  } else if (Date.now() - endingSince > sameSignalMs) {
    supervisor.kill();
    pidFile?.remove();
    process.exit(130);
  }
}

async function fail(error: unknown): Promise<void> {
  // While the stack is ending, all waits for its processes fail too, so only the first error is printed.
  if (endingSince !== undefined) return;
  console.error(error instanceof StartError || error instanceof DatabaseRefused ? error.message : error);
  await end(1);
}

// If the program that reads the output is gone (EPIPE), the stack keeps running.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
process.on('uncaughtException', (error) => void fail(error));
main().catch(fail);
supervisor.failed.catch(fail);
