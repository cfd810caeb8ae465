import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandLineOf, waitUntil } from '../../local/pid-file';
import { compiledScript, startGuarded } from '../../local/processes';

const limitMs = 100_000;
const folder = mkdtempSync(path.join(tmpdir(), 'guard-'));
let logFile: string;
let logs = 0;
beforeEach(() => {
  logFile = path.join(folder, `log-${(logs += 1)}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Returns the arguments of a program that writes its own pid and its guard's pid to `pidFile`. On a SIGTERM, the
 * program creates `askedFile`, and then it exits or keeps running.
 */
function program(
  name: string,
  onSigterm: 'goes' | 'stays',
): { args: string[]; pidFile: string; askedFile: string } {
  const pidFile = path.join(folder, `${name}.pid`);
  const askedFile = path.join(folder, `${name}.asked`);
  const source = `
    const { writeFileSync, renameSync } = require('node:fs');
    process.on('SIGTERM', () => {
      writeFileSync(${JSON.stringify(askedFile)}, '');
      if (${JSON.stringify(onSigterm)} === 'goes') process.exit(0);
    });
    setInterval(() => undefined, 1000);
    writeFileSync(${JSON.stringify(`${pidFile}.draft`)}, process.pid + ' ' + process.ppid);
    renameSync(${JSON.stringify(`${pidFile}.draft`)}, ${JSON.stringify(pidFile)});
  `;
  return { args: ['-e', source], pidFile, askedFile };
}

async function pidsIn(file: string): Promise<{ pid: number; guard: number }> {
  expect(await waitUntil(() => existsSync(file), limitMs)).toBe(true);
  const [pid = 0, guard = 0] = readFileSync(file, 'utf8').split(' ').map(Number);
  return { pid, guard };
}

const isGone = (pid: number) => commandLineOf(pid) === '';

describe('guard', () => {
  it.each(['goes', 'stays'] as const)(
    'ends a program that %s after SIGTERM when the supervisor is killed',
    async (onSigterm) => {
      const { args, pidFile, askedFile } = program(`orphan-${onSigterm}`, onSigterm);
      const settings = {
        name: 'program',
        command: process.execPath,
        args,
        endSignals: ['SIGTERM'],
        // Even on a slow machine, the program receives the signal within this time.
        graceMs: 5_000,
        logFile,
      };
      const source = `
      const { startGuarded } = require(${JSON.stringify(compiledScript('processes'))});
      startGuarded({ ...${JSON.stringify(settings)}, env: process.env });
    `;
      const supervisor = spawn(process.execPath, ['-e', source], { stdio: 'inherit' });
      const { pid } = await pidsIn(pidFile);
      supervisor.kill('SIGKILL');
      expect(await waitUntil(() => isGone(pid), limitMs)).toBe(true);
      expect(existsSync(askedFile)).toBe(true);
    },
  );

  it('reports the end of its program, with its last lines', async () => {
    const running = startGuarded({
      name: 'program',
      command: process.execPath,
      args: ['-e', 'console.error("no disk left"); process.exit(3)'],
      env: process.env,
      endSignals: ['SIGTERM'],
      graceMs: 500,
      logFile,
    });
    const cause = await running.ended;
    expect(cause).toBe('exit code 3');
    expect(running.lastWords(cause).message).toBe(
      `program ended by itself (exit code 3); the last lines of ${logFile}:\nno disk left`,
    );
  });

  it('reports a program that does not exist', async () => {
    const running = startGuarded({
      name: 'program',
      command: path.join(folder, 'missing'),
      args: [],
      env: process.env,
      endSignals: [],
      graceMs: 0,
      logFile,
    });
    expect(running.lastWords(await running.ended).message).toContain('ENOENT');
  });

  it('ends its program when it is killed itself while the supervisor lives', async () => {
    const { args, pidFile } = program('swept', 'stays');
    const running = startGuarded({
      name: 'program',
      command: process.execPath,
      args,
      env: process.env,
      endSignals: ['SIGTERM'],
      graceMs: 500,
      logFile,
    });
    const { pid, guard } = await pidsIn(pidFile);
    process.kill(guard, 'SIGKILL');
    expect(await running.ended).toBe('signal SIGKILL');
    expect(await waitUntil(() => isGone(pid), limitMs)).toBe(true);
  });

  it('leaves nothing behind after stop, even if the program ignores signals', async () => {
    const { args, pidFile } = program('stopped', 'stays');
    const running = startGuarded({
      name: 'program',
      command: process.execPath,
      args,
      env: process.env,
      endSignals: ['SIGTERM'],
      graceMs: 60_000,
      logFile,
    });
    const { pid } = await pidsIn(pidFile);
    await running.stop(200);
    expect(await waitUntil(() => isGone(pid), limitMs)).toBe(true);
  });
});
