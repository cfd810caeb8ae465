import { closeDueAttempts } from '../../../db/taking/attempt-work';
import { createRecordingWorld, webm } from './recording-world';
import type { RecordingWorld } from './recording-world';
import { openTurn } from './taking-world';
import type { Link } from './taking-world';

/* Tests how long an attempt waits for recordings, and how long a recording may be. */

let world: RecordingWorld;
beforeAll(async () => {
  world = await createRecordingWorld();
});

const answerWith = (link: Link, turn: string, recordingId: string) =>
  world.answer(link, turn, { kind: 'recording', text: null, recordingId, durationMs: 5_000 });
const close = () => world.writeAsWorker((trx) => trx.one(closeDueAttempts));
const statusOf = async (result: string) => (await world.show(result))['interview_status'];
/**
 * Moves the deadline of an attempt into the past. Also moves back the times of the first parts of its recordings, so
 * that these parts still arrived before the deadline.
 */
async function passDeadline(result: string, seconds: number) {
  await world.change(
    'update interview_result set deadline_at = now() - make_interval(secs => $2) where id = $1',
    result,
    seconds,
  );
  await world.change(
    'update recording set first_part_at = first_part_at - make_interval(secs => $2) where result_id = $1',
    result,
    seconds + 1,
  );
}
const late = { code: 'state_conflict', message: 'The time of the interview is over.' };

describe('the deadline', () => {
  it('waits 10 minutes for an answer whose first part was stored before it', async () => {
    const { link, turn, result } = await world.start();
    const { recording_id: id } = await world.createFor(link, turn);
    await world.put(link, id, 1, webm());
    await passDeadline(result, 9 * 60);
    await close();
    await world.put(link, id, 2, webm());
    await world.complete(link, id, 2);
    await close();
    expect(await answerWith(link, turn, id)).toMatchObject({ outcome: 'stored' });
    await close();
    expect(await statusOf(result)).toBe('completed, stopped early');
  });

  it.each([
    ['keeps an attempt open', 30, true],
    ['closes an attempt', 31, false],
  ])('%s whose first part came %i seconds after it', async (_, seconds, isOpen) => {
    const { link, turn, result } = await world.start();
    const { recording_id: id } = await world.createFor(link, turn);
    await world.put(link, id, 1, webm());
    await passDeadline(result, 60);
    await world.change(
      `update recording c set first_part_at = r.deadline_at + make_interval(secs => $2)
       from interview_result r where r.id = c.result_id and c.id = $1`,
      id,
      seconds,
    );
    await close();
    expect((await statusOf(result)) === 'started').toBe(isOpen);
  });

  it('rejects the first part of a recording that was only created before it, and its completion', async () => {
    const { link, turn, result } = await world.start();
    const { recording_id: id } = await world.createFor(link, turn);
    const { recording_id: session } = await world.create(link, { kind: 'session' });
    await passDeadline(result, 31);
    for (const each of [id, session]) {
      await expect(world.put(link, each, 1, webm())).rejects.toMatchObject(late);
      await expect(world.complete(link, each, 1)).rejects.toMatchObject(late);
      expect(await world.row(each)).toMatchObject({ state: 'open', parts: 0, first_part_at: null });
    }
    expect(await answerWith(link, turn, id)).toMatchObject({ outcome: 'late' });
    expect(await statusOf(result)).not.toBe('started');
    await expect(world.put(link, id, 1, webm())).rejects.toMatchObject({ code: 'state_conflict' });
  });

  it('accepts the first part within its 30 seconds, and the last part of a session that has one', async () => {
    const { link, turn, result } = await world.start();
    const { recording_id: id } = await world.createFor(link, turn);
    const { recording_id: session } = await world.create(link, { kind: 'session' });
    await world.put(link, session, 1, webm());
    await passDeadline(result, 15);
    await world.put(link, id, 1, webm());
    await passDeadline(result, 60);
    await world.put(link, session, 2, webm());
    await world.complete(link, id, 1);
    expect(await answerWith(link, turn, id)).toMatchObject({ outcome: 'stored' });
    await world.complete(link, session, 2);
  });

  it('rejects a second take without a part while it waits for the first one', async () => {
    const { link, turn, result } = await world.start();
    const first = await world.upload(link, turn);
    const { recording_id: second } = await world.createFor(link, turn);
    await passDeadline(result, 60);
    await close();
    await expect(world.put(link, second, 1, webm())).rejects.toMatchObject(late);
    await expect(world.complete(link, second, 1)).rejects.toMatchObject(late);
    expect(await answerWith(link, turn, first)).toMatchObject({ outcome: 'stored' });
  });

  it('waits no longer than 10 minutes, and not at all for a recording without a part', async () => {
    const [slow, empty, none] = [await world.start(), await world.start(), await world.start()];
    const { recording_id: id } = await world.createFor(slow.link, slow.turn);
    await world.put(slow.link, id, 1, webm());
    await world.createFor(empty.link, empty.turn);
    await passDeadline(slow.result, 11 * 60);
    await passDeadline(empty.result, 60);
    await passDeadline(none.result, 60);
    await close();
    for (const { result } of [slow, empty, none]) expect(await statusOf(result)).not.toBe('started');
    await expect(world.put(slow.link, id, 2, webm())).rejects.toMatchObject({ code: 'state_conflict' });
  });
});

describe('the duration', () => {
  const tooLong = {
    code: 'too_large',
    field: 'duration_ms',
    message: 'The recording may take at most 60 seconds.',
  };

  it('of an introduction is at most 65 seconds, and the recording can be completed after an error', async () => {
    const { link, turn } = await world.start({ candidate_video_introduction: 'required' });
    expect(openTurn((await world.get(link)).attempt).answer).toMatchObject({ max_seconds: 60 });
    const { recording_id: id } = await world.create(link, { kind: 'introduction' });
    await world.put(link, id, 1, webm());
    await expect(world.complete(link, id, 1, 65_001)).rejects.toMatchObject(tooLong);
    expect(await world.row(id)).toMatchObject({ state: 'open' });
    await world.complete(link, id, 1, 65_000);
    expect(await answerWith(link, turn, id)).toMatchObject({ outcome: 'stored' });
  });

  it('of an answer is limited by its question, and that of a session is not', async () => {
    const { link, turn } = await world.start();
    const complete = async (id: string, durationMs: number) => {
      await world.put(link, id, 1, webm());
      return world.complete(link, id, 1, durationMs);
    };
    await world.change('update result_question set max_seconds = 60 where id = $1', turn);
    const answer = await world.createFor(link, turn);
    await expect(complete(answer.recording_id, 900_000)).rejects.toMatchObject(tooLong);
    const session = await world.create(link, { kind: 'session' });
    expect(await complete(session.recording_id, 900_000)).toBeTruthy();
    // 0 means no limit, like null.
    await world.change('update result_question set max_seconds = 0 where id = $1', turn);
    expect(await complete(answer.recording_id, 900_000)).toBeTruthy();
  });
});
