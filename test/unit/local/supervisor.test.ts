import type { RunningProcess } from '../../../local/processes';
import { StartError } from '../../../local/start-error';
import { createSupervisor } from '../../../local/supervisor';

const deeds: string[] = [];
beforeEach(() => deeds.splice(0));

/** Returns a fake process that records which of its functions are called, and that the test can end with `die`. */
function fakeProcess(name: string): RunningProcess & { die: (cause: string) => void } {
  let die: (cause: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    die = resolve;
  });
  return {
    name,
    pid: undefined,
    ended,
    die,
    lastWords: (cause) => new StartError(`${name}: ${cause}`),
    kill: () => deeds.push(`kill ${name}`),
    stop: async () => {
      deeds.push(`stop ${name}`);
      die('exit code 0');
      await ended;
      deeds.push(`${name} ended`);
    },
  };
}

const order: [string, number][] = [
  ['api', 1_000],
  ['worker', 2_000],
  ['postgres', 3_000],
];

describe('createSupervisor', () => {
  it('stops processes one after the other, in its own order and not that of their start', async () => {
    const supervisor = createSupervisor(order);
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
    const supervisor = createSupervisor(order);
    const worker = fakeProcess('worker');
    for (const running of [worker, fakeProcess('api')]) supervisor.watch(running);
    worker.die('exit code 1');
    await expect(supervisor.failed).rejects.toThrow('worker: exit code 1');
    await supervisor.end();
    expect(deeds).toEqual(['stop api', 'api ended']);
  });

  it('does not report a process that ends while it starts', async () => {
    const supervisor = createSupervisor(order);
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
    const supervisor = createSupervisor(order);
    await supervisor.end();
    supervisor.adopt(fakeProcess('api'));
    expect(deeds).toEqual(['kill api']);
  });

  it('kills all processes at once', () => {
    const supervisor = createSupervisor(order);
    for (const name of ['postgres', 'api']) supervisor.watch(fakeProcess(name));
    supervisor.kill();
    expect(deeds.toSorted()).toEqual(['kill api', 'kill postgres']);
  });
});
