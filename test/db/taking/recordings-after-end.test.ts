import { uuid } from '../platform/world';
import { createRecordingWorld, webm } from './recording-world';
import type { RecordingWorld } from './recording-world';

/* Tests which recording of a session is shown, and that nothing can be replaced after the attempt. */

let world: RecordingWorld;
beforeAll(async () => {
  world = await createRecordingWorld();
});

const session = { kind: 'session' as const };
const conflict = { code: 'state_conflict' };

describe('a result with several recordings of its session', () => {
  it('shows the one that was recorded for the longest time before the end', async () => {
    const { link, result } = await world.start();
    const upload = async () => {
      const { recording_id: id } = await world.create(link, { kind: 'session' });
      await world.put(link, id, 1, webm('\0'.repeat(60)));
      return id;
    };
    /** Moves the beginning of a recording, so that it has lasted this many minutes. */
    const begin = (id: string, minutes: number) =>
      world.change(
        'update recording set first_part_at = now() - make_interval(mins => $2) where id = $1',
        id,
        minutes,
      );
    const early = await upload();
    await begin(early, 8);
    await world.complete(link, early, 1);
    const late = await upload();
    await begin(late, 7);
    await world.answerOpen(link);
    await world.answerOpen(link);
    await world.change(
      `update interview_result set ended_at = now() - interval '1 minute' where id = $1`,
      result,
    );
    // What is sent after the end does not count: the second one ran for six minutes until then.
    await world.put(link, late, 2, Buffer.alloc(100_000));
    await world.complete(link, late, 2);
    await world.work();
    expect((await world.row(late))?.['state']).toBe('stored');
    expect((await world.show(result))['recording_local_path']).toBe((await world.row(early))?.['path']);
  });
});

describe('a recording after the submit', () => {
  /** Begins an attempt, creates recordings with `record`, and submits the attempt. */
  async function submitted<T>(record: (started: Awaited<ReturnType<typeof world.start>>) => Promise<T>) {
    const started = await world.start();
    const recorded = await record(started);
    await world.answerOpen(started.link);
    await world.answerOpen(started.link);
    await world.change(
      `update interview_result set status = 'active', submitted_at = now(), processing_status = 'queued' where id = $1`,
      started.result,
    );
    return { ...started, recorded };
  }
  it('is rejected for an answer', async () => {
    const { link, recorded } = await submitted(({ link, turn }) => world.createFor(link, turn));
    await expect(world.put(link, recorded.recording_id, 1, webm())).rejects.toMatchObject(conflict);
    await expect(world.complete(link, recorded.recording_id, 1)).rejects.toMatchObject(conflict);
    await expect(world.createFor(link, uuid())).rejects.toMatchObject(conflict);
  });

  it('is accepted for 10 minutes if it is the only one of its session', async () => {
    const { link, result } = await submitted(async () => undefined);
    const short = await world.create(link, session);
    await world.put(link, short.recording_id, 1, webm());
    await world.change(
      `update interview_result set ended_at = now() - interval '11 minutes' where id = $1`,
      result,
    );
    await expect(world.put(link, short.recording_id, 2, webm())).rejects.toMatchObject(conflict);
    await expect(world.create(link, session)).rejects.toMatchObject(conflict);
  });

  it('is rejected if the session has a complete recording already', async () => {
    const { link } = await submitted(async ({ link }) => {
      const { recording_id: id } = await world.create(link, session);
      await world.put(link, id, 1, webm());
      await world.complete(link, id, 1);
    });
    for (const restart of [false, true])
      await expect(world.create(link, session, { restart })).rejects.toMatchObject(conflict);
  });

  it('goes on if it began before, and then nothing takes its place', async () => {
    const { link, recorded } = await submitted(async ({ link }) => {
      const { recording_id: id } = await world.create(link, session);
      await world.put(link, id, 1, webm());
      return id;
    });
    await expect(world.create(link, session, { mediaType: 'audio/webm' })).rejects.toMatchObject(conflict);
    expect(await world.create(link, session)).toMatchObject({ recording_id: recorded, stored_parts: [1] });
    await world.put(link, recorded, 2, webm());
    // The restart completes what is there, and creates no other one.
    await expect(world.create(link, session, { restart: true })).rejects.toMatchObject(conflict);
    expect(await world.row(recorded)).toMatchObject({ state: 'completed', parts: 2 });
  });

  it('is rejected if it was created before, but has no part from before', async () => {
    const { link, recorded } = await submitted(async ({ link }) => {
      const first = await world.create(link, session);
      await world.put(link, first.recording_id, 1, webm());
      await world.complete(link, first.recording_id, 1);
      return (await world.create(link, session)).recording_id;
    });
    await expect(world.put(link, recorded, 1, webm())).rejects.toMatchObject(conflict);
    await expect(world.complete(link, recorded, 1)).rejects.toMatchObject(conflict);
  });
});
