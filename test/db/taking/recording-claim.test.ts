import type { ObjectStore } from '../../../db/platform/object-store';
import { waitFor } from '../../harness/wait-for';
import { createRecordingWorld } from './recording-world';
import type { RecordingWorld } from './recording-world';

let world: RecordingWorld;
beforeAll(async () => {
  world = await createRecordingWorld();
});

describe('a recording that is being joined', () => {
  it('is claimed for seconds only, and as long as its worker lives', async () => {
    const { link, turn } = await world.start();
    const id = await world.upload(link, turn);
    const secondsLeft = async () => {
      const [row] = await world.change(
        'select extract(epoch from work_at - now())::real as seconds from recording where id = $1',
        id,
      );
      return (row as { seconds: number }).seconds;
    };
    const timers = jest.spyOn(globalThis, 'setInterval');
    let join = (): void => undefined;
    const joined = new Promise<void>((resolve) => (join = resolve));
    const working = world.work({
      ...world.objects,
      put: async (...sent: Parameters<ObjectStore['put']>) => {
        await joined;
        await world.objects.put(...sent);
      },
    });
    await waitFor('the claim', async () => (await secondsLeft()) > 1);
    expect(await secondsLeft()).toBeLessThan(21);
    await world.change(`update recording set work_at = now() + interval '1 second' where id = $1`, id);
    for (const [renew, everyMs] of timers.mock.calls) if (everyMs === 4_000) renew();
    await waitFor('the renewal', async () => (await secondsLeft()) > 2);
    timers.mockRestore();
    join();
    await working;
    expect(await world.row(id)).toMatchObject({ state: 'stored', work_at: null });
  });
});
