import { createLoopWaker, runLoop } from '../../../activities/platform/loop';
import { waitFor } from '../../harness/wait-for';

describe('an alarm', () => {
  it('ends the pauses of all loops that share it', async () => {
    const alarm = createLoopWaker();
    const stop = new AbortController();
    const runs = [0, 0];
    const loops = runs.map((_, index) =>
      runLoop(async () => void (runs[index] = (runs[index] ?? 0) + 1), {
        pauseMs: 3_600_000,
        signal: stop.signal,
        onError: () => undefined,
        alarm,
      }),
    );
    for (const round of [1, 2, 3]) {
      await waitFor(`round ${round}`, async () => runs.every((count) => count >= round));
      expect(runs).toEqual([round, round]);
      alarm.ring();
    }
    stop.abort();
    await Promise.all(loops);
  });
});
