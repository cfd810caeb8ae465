import { CircuitOpen, createCircuit } from '../../../../api/platform/http/circuit';

let now = 0;
const changes: boolean[] = [];
beforeEach(() => {
  now = 0;
  changes.splice(0);
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

class Outage extends Error {
  constructor() {
    super('an outage');
  }
}
const open = () =>
  createCircuit({
    maxFailures: 3,
    probeAfterMs: 5_000,
    isOutage: (error) => error instanceof Outage,
    onChange: (isOpen) => changes.push(isOpen),
  });
type Circuit = ReturnType<typeof open>;

/** Runs a call that fails, and returns whether it `ran` or was `skipped`. */
const fail = async (circuit: Circuit, error = new Outage()): Promise<'ran' | 'skipped'> => {
  let outcome: 'ran' | 'skipped' = 'skipped';
  const call = circuit.run(async () => {
    outcome = 'ran';
    throw error;
  });
  await expect(call).rejects.toBeInstanceOf(Error);
  return outcome;
};
const succeed = (circuit: Circuit) => circuit.run(async () => 'ran');
const failOften = async (circuit: Circuit, times: number) => {
  const ran: unknown[] = [];
  while (ran.length < times) ran.push(await fail(circuit));
  return ran;
};

describe('a circuit', () => {
  it('opens after three outages in a row', async () => {
    const circuit = open();
    expect(await failOften(circuit, 2)).toEqual(['ran', 'ran']);
    await succeed(circuit);
    expect(await failOften(circuit, 4)).toEqual(['ran', 'ran', 'ran', 'skipped']);
    expect([circuit.isOpen(), changes]).toEqual([true, [true]]);
    await expect(succeed(circuit)).rejects.toBeInstanceOf(CircuitOpen);
  });

  it('stays closed after errors that are no outage', async () => {
    const circuit = open();
    await failOften(circuit, 2);
    await fail(circuit, new Error('no outage'));
    await failOften(circuit, 2);
    expect(circuit.isOpen()).toBe(false);
  });

  it('lets one call through after five seconds, and again five seconds after that one has failed', async () => {
    const circuit = open();
    await failOften(circuit, 3);
    now = 4_999;
    expect(await fail(circuit)).toBe('skipped');
    now = 5_000;
    let release: () => void = () => undefined;
    const probe = circuit.run(async () => {
      await new Promise<void>((resolve) => (release = resolve));
      throw new Outage();
    });
    expect(await fail(circuit)).toBe('skipped');
    now = 7_000;
    release();
    await expect(probe).rejects.toThrow('outage');
    now = 11_999;
    expect(await fail(circuit)).toBe('skipped');
    now = 12_000;
    expect(await fail(circuit)).toBe('ran');
    expect(changes).toEqual([true]);
  });

  it('closes after a probe that succeeds', async () => {
    const circuit = open();
    await failOften(circuit, 3);
    now = 5_000;
    expect(await succeed(circuit)).toBe('ran');
    expect([circuit.isOpen(), changes]).toEqual([false, [true, false]]);
    expect(await failOften(circuit, 2)).toEqual(['ran', 'ran']);
    expect(circuit.isOpen()).toBe(false);
  });
});
