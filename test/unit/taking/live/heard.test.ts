import { addTroubleTime, heardMs } from '../../../../api/taking/app/live/heard';

describe('heardMs', () => {
  it.each([
    ['counts what was played', 12.5, 0, 2_500],
    ['leaves out what is still on its way through the device', 12.5, 0.1, 2_400],
    ['counts nothing before the first sound has arrived', 10.05, 0.1, 0],
    ['never counts more than there is', 20, 0.1, 4_000],
  ])('%s', (_, now, latency, expected) => {
    expect(heardMs({ startedAt: 10, now, latency, length: 4 })).toBe(expected);
  });
});

describe('addTroubleTime', () => {
  const after = (looks: [elapsedMs: number, isWell: boolean][]) => {
    let troubleMs = 0;
    return looks.map(([elapsedMs, isWell]) => {
      const counted = addTroubleTime(troubleMs, elapsedMs, isWell);
      troubleMs = counted.troubleMs;
      return counted.isTooLong;
    });
  };
  it('gives up after five seconds in a row', () => {
    const looks = Array.from({ length: 20 }, (): [number, boolean] => [250, false]);
    expect(after(looks).indexOf(true)).toBe(19);
    expect(after([...looks.slice(1), [250, true], [250, false]])).not.toContain(true);
  });
  it('does not count the time in which a phone slept', () => {
    expect(
      after([
        [3_600_000, false],
        [250, false],
      ]),
    ).toEqual([false, false]);
  });
});
