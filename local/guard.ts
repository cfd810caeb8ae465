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
program.on('exit', (code) => process.exit(code ?? 1));
if (process.connected) process.send?.({ pid: program.pid });
process.on('SIGTERM', () => void endProgram());
process.on('disconnect', () => void endProgram());

let ending = false;

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
