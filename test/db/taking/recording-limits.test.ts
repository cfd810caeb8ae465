import { createRecordingWorld, webm } from './recording-world';
import type { RecordingWorld } from './recording-world';

/* Tests how much an attempt may upload. */

let world: RecordingWorld;
beforeAll(async () => {
  world = await createRecordingWorld();
});

const failure = (code: string) => expect.objectContaining({ code }) as unknown;

describe('an upload', () => {
  it('is rejected when the recordings of the attempt would exceed 200 MiB together', async () => {
    const { link, turn } = await world.start();
    const session = await world.create(link, { kind: 'session' });
    await world.change('update recording set bytes = 209715200 - 10 where id = $1', session.recording_id);
    const { recording_id: id, remaining_bytes } = await world.createFor(link, turn);
    expect(remaining_bytes).toBe(10);
    await expect(world.put(link, id, 1, Buffer.alloc(11))).rejects.toEqual(failure('limit_reached'));
    await world.put(link, id, 1, Buffer.alloc(10));
    await expect(world.put(link, id, 2, Buffer.alloc(1))).rejects.toEqual(failure('limit_reached'));
    await expect(world.createFor(link, turn)).rejects.toEqual(failure('limit_reached'));
  });

  it('is rejected after 400 MiB together with discarded recordings, and a restart then loses nothing', async () => {
    const { link, turn } = await world.start();
    const first = await world.createFor(link, turn);
    await world.put(link, first.recording_id, 1, webm());
    await world.change('update recording set bytes = 209715200 where id = $1', first.recording_id);
    const second = await world.createFor(link, turn, { restart: true });
    await world.work();
    expect(second.remaining_bytes).toBe(200 * 1_048_576);
    await world.put(link, second.recording_id, 1, webm());
    await world.change('update recording set bytes = 209715200 - 10 where id = $1', second.recording_id);
    await expect(world.put(link, second.recording_id, 2, Buffer.alloc(11))).rejects.toEqual(
      failure('limit_reached'),
    );
    await world.put(link, second.recording_id, 2, Buffer.alloc(10));
    const restart = world.createFor(link, turn, { restart: true });
    await expect(restart).rejects.toEqual(failure('limit_reached'));
    expect(await world.row(second.recording_id)).toMatchObject({ state: 'open', parts: 2 });
  });

  it('counts discarded recordings in the limit of 300', async () => {
    const { link, turn, result } = await world.start();
    const { recording_id: id } = await world.createFor(link, turn);
    await world.put(link, id, 1, webm());
    await world.change(
      `insert into recording (merchant_id, environment, result_id, attempt, kind, media_type, state)
       select merchant_id, environment, id, attempt, 'session', 'video/webm', 'discarded'
       from interview_result, generate_series(1, 299) where id = $1`,
      result,
    );
    expect((await world.createFor(link, turn)).recording_id).toBe(id);
    const restart = world.createFor(link, turn, { restart: true });
    await expect(restart).rejects.toEqual(failure('limit_reached'));
    expect(await world.row(id)).toMatchObject({ state: 'open' });
  });
});
