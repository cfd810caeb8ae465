import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedProgram } from './processes';

/*
 * Runs one third-party program (Postgres, Temporal) and ends the program when the supervisor has ended. This also
 * works when the supervisor is killed, because the channel to this process then closes.
 */
const charge: GuardedProgram = JSON.parse(process.argv[2] ?? '');

// Ctrl-C does not end this process, because the supervisor ends all processes in their order.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

let ending = false;
const { command, args, cwd, uid, gid } = charge;
const program = spawn(command, args, { cwd, uid, gid, stdio: ['ignore', 'inherit', 'inherit'] });
program.on('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
program.on('exit', (code, signal) => {
  if (signal && !ending) console.error(`${command} was ended by ${signal}`);
  // `-process.pid` is the process group: everything that the program has started, and this process.
  if (ending) process.kill(-process.pid, 'SIGKILL');
  process.exit(code ?? 1);
});
process.on('SIGTERM', () => void endProgram());
process.on('disconnect', () => void endProgram());
// The supervisor may have ended before this process listened for `disconnect`.
if (!process.connected) void endProgram();

/**
 * Ends the program with `endSignals`, one after another, and then SIGKILL. The exit handler above ends this process.
 */
async function endProgram(): Promise<void> {
  if (ending) return;
  ending = true;
  for (const signal of charge.endSignals) {
    program.kill(signal);
    await sleep(charge.graceMs);
  }
  program.kill('SIGKILL');
}
