import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Charge } from './processes';

/*
 * Runs one third-party program (Postgres, Temporal) and ends it when the supervisor has ended. Even a killed
 * supervisor is noticed, because the channel to it closes.
 */
const charge: Charge = JSON.parse(process.argv[2] ?? '');

// These signals are ignored here: after a Ctrl-C the supervisor ends all processes in order.
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
  // Kills the whole process group: everything that the program started, and this process.
  if (ending) process.kill(-process.pid, 'SIGKILL');
  process.exit(code ?? 1);
});
process.on('SIGTERM', () => void endProgram());
process.on('disconnect', () => void endProgram());
// The supervisor may already be gone.
if (!process.connected) void endProgram();

/**
 * Ends the program: sends its end signals one after another, then SIGKILL. The exit handler above then ends this
 * process.
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
