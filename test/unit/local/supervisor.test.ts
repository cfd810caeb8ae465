import { StartError } from '../../../local/start-error';
import { createSupervisor } from '../../../local/supervisor';

const deeds: string[] = [];
beforeEach(() => deeds.splice(0));

/** Returns a fake process that records which of its functions are called, and that the test can end with `die`. */
function fakeProcess(name: string, pid?: number) {
  let die: (cause: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    die = resolve;
  });
  return {
    name,
    pid,
    ended,
    ready: Promise.resolve(),
    die: (cause: string) => die(cause),
    lastWords: (cause: string) => new StartError(`${name}: ${cause}`),
    kill: () => deeds.push(`kill ${name}`),
    stop: async () => {
      deeds.push(`stop ${name}`);
      die('exit code 0');
      await ended;
      deeds.push(`${name} ended`);
    },
  };
}

const endings: [string, number][] = [
  ['api', 1_000],
  ['worker', 2_000],
  ['postgres', 3_000],
];
const printed: string[] = [];
beforeEach(() => printed.splice(0));
const print = (line: string) => void printed.push(line);
const supervise = () => createSupervisor({ endings, print });

describe('createSupervisor', () => {
  it('stops processes one after the other, in its own order and not that of their start', async () => {
    const supervisor = supervise();
    for (const name of ['postgres', 'api', 'worker']) supervisor.watch(fakeProcess(name));
    await supervisor.end();
    expect(deeds).toEqual([
      'stop api',
      'api ended',
      'stop worker',
      'worker ended',
      'stop postgres',
      'postgres ended',
    ]);
  });

  it('fails with the last output of a process that ends by itself, and stops only the others', async () => {
    const supervisor = supervise();
    const worker = fakeProcess('worker');
    for (const running of [worker, fakeProcess('api')]) supervisor.watch(running);
    worker.die('exit code 1');
    await expect(supervisor.failed).rejects.toThrow('worker: exit code 1');
    await supervisor.end();
    expect(deeds).toEqual(['stop api', 'api ended']);
  });

  it('does not report a process that ends while it starts', async () => {
    const supervisor = supervise();
    const first = fakeProcess('postgres');
    supervisor.adopt(first);
    first.die('exit code 1');
    await first.ended;
    const second = fakeProcess('postgres');
    supervisor.watch(second);
    second.die('exit code 2');
    await expect(supervisor.failed).rejects.toThrow('postgres: exit code 2');
  });

  it('kills a process that starts while it stops the others', async () => {
    const supervisor = supervise();
    await supervisor.end();
    supervisor.adopt(fakeProcess('api'));
    expect(deeds).toEqual(['kill api']);
  });

  it('kills all processes at once', () => {
    const supervisor = supervise();
    for (const name of ['postgres', 'api']) supervisor.watch(fakeProcess(name));
    supervisor.kill();
    expect(deeds.toSorted()).toEqual(['kill api', 'kill postgres']);
  });

  describe('with a process that may be started again', () => {
    /**
     * Watches a worker. Returns a function that ends the latest worker process, waits for the reaction of the
     * supervisor and returns the pid of the worker that then runs.
     */
    const watchWorker = (supervisor: ReturnType<typeof supervise>) => {
      let pid = 1;
      let latest = fakeProcess('worker', pid);
      const startAgain = () => {
        latest = fakeProcess('worker', ++pid);
        return latest;
      };
      supervisor.watch(latest, startAgain);
      return async (cause = 'signal SIGKILL') => {
        latest.die(cause);
        await new Promise(setImmediate);
        return pid;
      };
    };

    it('starts it again, says so, and stops the new one', async () => {
      const supervisor = supervise();
      expect(await watchWorker(supervisor)()).toBe(2);
      expect(printed).toEqual([
        'worker ended by itself (signal SIGKILL) and is started again (1 of at most 5 restarts a minute).',
        'worker is ready again.',
      ]);
      await supervisor.end();
      expect(deeds).toEqual(['stop worker', 'worker ended']);
    });

    it('fails after five restarts within a minute, and not after twelve in a longer time', async () => {
      const now = jest.spyOn(Date, 'now');
      const supervisor = supervise();
      const killWorker = watchWorker(supervisor);
      for (let index = 0; index < 12; index++) {
        now.mockReturnValue(index * 12_001);
        expect(await killWorker()).toBe(index + 2);
      }
      now.mockReturnValue(11 * 12_001 + 1);
      expect(await killWorker('exit code 3')).toBe(13);
      now.mockRestore();
      await expect(supervisor.failed).rejects.toThrow('worker: exit code 3');
    });

    it('starts nothing while it stops the others', async () => {
      const supervisor = supervise();
      const killWorker = watchWorker(supervisor);
      const ended = supervisor.end();
      expect(await killWorker()).toBe(1);
      await ended;
      expect(printed).toEqual([]);
    });

    it('reports the pids of processes that start and end', async () => {
      const pids: string[] = [];
      const supervisor = createSupervisor({
        endings,
        print,
        started: (pid) => pids.push(`+${pid}`),
        ended: (pid) => pids.push(`-${pid}`),
      });
      await watchWorker(supervisor)();
      await supervisor.end();
      expect(pids).toEqual(['+1', '-1', '+2', '-2']);
    });
  });
});
