import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Charge } from './processes';

/*
 * Runs one program that knows nothing of us (Postgres, Temporal) and ends it when the supervisor is gone, however
 * it went: a SIGKILL cannot be caught, but it closes the channel between the two. Killed itself, the guard leaves
 * an orphan; the next start finds that one by its note (leftovers.ts) or by its postmaster.pid.
 */
const charge: Charge = JSON.parse(process.argv[2] ?? '');

// A Ctrl-C in the terminal is the supervisor's to handle: it ends everything in its order.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

let ending = false;
const program = spawn(charge.command, charge.args, {
  cwd: charge.cwd,
  uid: charge.uid,
  gid: charge.gid,
  stdio: ['ignore', 'inherit', 'inherit'],
});
program.on('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
program.on('exit', (code, signal) => {
  if (signal && !ending) console.error(`${charge.command} was ended by ${signal}`);
  // What it started goes with it: the whole group, this process included.
  if (ending) process.kill(-process.pid, 'SIGKILL');
  process.exit(code ?? 1);
});
process.on('SIGTERM', () => void endProgram());
process.on('disconnect', () => void endProgram());
// The supervisor may be gone by now: that is not to throw, which would leave the program to itself.
if (process.connected) process.send?.({ pid: program.pid }, () => undefined);
else void endProgram();

/** Leaving is up to the exit handler above. */
async function endProgram(): Promise<void> {
  if (ending) return;
  ending = true;
  for (const signal of charge.endSignals) {
    program.kill(signal);
    await sleep(charge.graceMs);
  }
  program.kill('SIGKILL');
}
