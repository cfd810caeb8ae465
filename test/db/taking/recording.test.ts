import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withdrawTurn } from '../../../api/taking/public';
import type { ObjectStore } from '../../../db/platform/object-store';
import { setDraft } from '../../../db/taking/live';
import { waitFor } from '../../harness/wait-for';
import { uuid } from '../platform/world';
import { createRecordingWorld, split, webm } from './recording-world';
import type { RecordingWorld } from './recording-world';
import { openTurn } from './taking-world';
import type { Link } from './taking-world';

/* Tests uploads of recordings into a real folder. The tests call the same functions as the portal's operations. */

let world: RecordingWorld;
beforeAll(async () => {
  world = await createRecordingWorld();
});

const failure = (code: string) => expect.objectContaining({ code }) as unknown;

it('waits for no decision about an answer that was heard live, if nothing has to be decided', async () => {
  const { link, turn } = await world.start();
  const { recording_id: recordingId } = await world.createFor(link, turn);
  await world.api.write(link, (trx) => trx.count(setDraft(turn, recordingId, 'I built it.')));
  const given = { kind: 'recording', text: null, recordingId, durationMs: 5_000 } as const;
  const { attempt, ...stored } = await world.answer(link, turn, given);
  expect(stored).toEqual({ outcome: 'stored', needs_decision: false });
  const second = openTurn(attempt);
  expect(second.text).toBe('Second?');
  const uploaded = { ...given, recordingId: await world.upload(link, second.turn_id) };
  expect(await world.answer(link, second.turn_id, uploaded)).toMatchObject({ needs_decision: true });
});

it('opens a live answer again, also when the call is repeated because its reply was lost', async () => {
  const { link, turn } = await world.start();
  const { recording_id: recordingId } = await world.createFor(link, turn);
  await world.api.write(link, (trx) => trx.count(setDraft(turn, recordingId, 'I built it.')));
  await world.answer(link, turn, { kind: 'recording', text: null, recordingId, durationMs: 5_000 });
  const withdraw = () => withdrawTurn({ database: world.api }, link, turn);
  const open = { isWithdrawn: true, attempt: { turn: { turn_id: turn } } };
  expect(await withdraw()).toMatchObject(open);
  expect(await withdraw()).toMatchObject(open);
});

describe('creating a recording', () => {
  it('returns the limits, and the same open recording when it is repeated', async () => {
    const { link, turn } = await world.start();
    const first = await world.createFor(link, turn);
    expect(first).toEqual({
      recording_id: expect.any(String),
      part_bytes: 1_048_576,
      remaining_bytes: 209_715_200,
      stored_parts: [],
    });
    expect(await world.createFor(link, turn)).toEqual(first);
  });

  it('creates one recording for simultaneous calls', async () => {
    const { link, turn } = await world.start();
    const made = await Promise.all([1, 2, 3].map(() => world.createFor(link, turn)));
    expect(new Set(made.map(({ recording_id }) => recording_id)).size).toBe(1);
  });

  it.each([
    ['asked to restart', { restart: true }],
    ['the media type is another one', { mediaType: 'video/mp4' as const }],
  ])('discards the open recording when %s', async (_, options) => {
    const { link, turn } = await world.start();
    const first = await world.createFor(link, turn);
    await world.put(link, first.recording_id, 1, webm());
    const second = await world.createFor(link, turn, options);
    expect(second.recording_id).not.toBe(first.recording_id);
    expect(second.stored_parts).toEqual([]);
    await world.work();
    expect(await world.row(first.recording_id)).toMatchObject({ state: 'discarded', work_at: null });
  });

  it('keeps what is there of a session when it restarts', async () => {
    const { link } = await world.start();
    const session = { kind: 'session' as const };
    const first = await world.create(link, session);
    await world.put(link, first.recording_id, 1, webm());
    const second = await world.create(link, session, { restart: true });
    expect(second.recording_id).not.toBe(first.recording_id);
    expect(await world.row(first.recording_id)).toMatchObject({ state: 'completed', duration_ms: null });
    // A restart discards a recording that is unusable: the first one has no part 1, and the second one is not a WebM
    // file.
    const unusable: [number, Buffer][] = [
      [2, webm()],
      [1, Buffer.from('text')],
    ];
    for (const [part, bytes] of unusable) {
      const { recording_id: id } = await world.create(link, session);
      await world.put(link, id, part, bytes);
      await world.create(link, session, { restart: true });
      expect(await world.row(id)).toMatchObject({ state: 'discarded' });
    }
  });

  it('restarts an empty recording by returning it', async () => {
    const { link, turn } = await world.start();
    const first = await world.createFor(link, turn);
    expect(await world.createFor(link, turn, { restart: true })).toEqual(first);
  });

  it('returns a 404 for turns that are unknown or those of another candidate', async () => {
    const [one, other] = [await world.start(), await world.start()];
    await expect(world.createFor(one.link, uuid())).rejects.toEqual(failure('not_found'));
    await expect(world.createFor(one.link, other.turn)).rejects.toEqual(failure('not_found'));
    await expect(world.create(one.link, { kind: 'introduction' })).rejects.toEqual(failure('not_found'));
  });

  it('takes no picture where only sound is recorded, and no session where none is', async () => {
    const sound = await world.start({ recording: 'audio_all', recording_full_session: null });
    await expect(world.createFor(sound.link, sound.turn)).rejects.toEqual(failure('not_applicable'));
    expect(await world.createFor(sound.link, sound.turn, { mediaType: 'audio/webm' })).toBeTruthy();
    await expect(world.create(sound.link, { kind: 'session' }, { mediaType: 'audio/webm' })).rejects.toEqual(
      failure('not_applicable'),
    );
  });

  it('takes no recording of an answered turn, after the deadline, or after the attempt', async () => {
    const { link, turn, result } = await world.start();
    await world.answerOpen(link);
    await expect(world.createFor(link, turn)).rejects.toEqual(failure('state_conflict'));
    const late = await world.start();
    await world.change(
      `update interview_result set deadline_at = now() - interval '31 seconds' where id = $1`,
      late.result,
    );
    await expect(world.createFor(late.link, late.turn)).rejects.toEqual(failure('state_conflict'));
    await world.change(`update interview_result set interview_status = 'abandoned' where id = $1`, result);
    await expect(world.create(link, { kind: 'session' })).rejects.toEqual(failure('state_conflict'));
  });
});

describe('a part', () => {
  it('is stored in any order, and the same bytes again change nothing', async () => {
    const { link, turn } = await world.start();
    const { recording_id: id } = await world.createFor(link, turn);
    const parts = split(webm('a long answer'), 20);
    for (const part of [3, 1, 2, 1]) await world.put(link, id, part, parts[part - 1] ?? Buffer.alloc(0));
    expect(await world.createFor(link, turn)).toMatchObject({
      recording_id: id,
      stored_parts: [1, 2, 3],
      remaining_bytes: 209_715_200 - webm('a long answer').length,
    });
  });

  it('conflicts with other bytes, also when both arrive at once, and the stored ones win', async () => {
    const { link, turn } = await world.start();
    const { recording_id: id } = await world.createFor(link, turn);
    await world.put(link, id, 1, webm('first'));
    await expect(world.put(link, id, 1, webm('other'))).rejects.toEqual(failure('state_conflict'));
    const both = await Promise.allSettled(
      ['one', 'two'].map((text) => world.put(link, id, 2, Buffer.from(text))),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const kept = both[0]?.status === 'fulfilled' ? 'one' : 'two';
    await world.complete(link, id, 2);
    await world.work();
    const stored = await world.read(String((await world.row(id))?.['path']));
    expect(stored?.equals(Buffer.concat([webm('first'), Buffer.from(kept)]))).toBe(true);
  });

  it('is rejected when it is empty or above 1 MiB', async () => {
    const { link, turn } = await world.start();
    const { recording_id: id } = await world.createFor(link, turn);
    await expect(world.put(link, id, 1, Buffer.alloc(0))).rejects.toEqual(failure('required'));
    await expect(world.put(link, id, 1, Buffer.alloc(1_048_577))).rejects.toEqual(failure('body_too_large'));
    expect(await world.put(link, id, 1, Buffer.alloc(1_048_576))).toMatchObject({ bytes: 1_048_576 });
  });

  it('is not found for recordings of other candidates or other attempts, and for unknown ones', async () => {
    const [one, other] = [await world.start(), await world.start()];
    const { recording_id: id } = await world.createFor(one.link, one.turn);
    await expect(world.put(other.link, id, 1, webm())).rejects.toEqual(failure('not_found'));
    await expect(world.complete(other.link, id, 1)).rejects.toEqual(failure('not_found'));
    await expect(world.put(one.link, uuid(), 1, webm())).rejects.toEqual(failure('not_found'));
    await world.change('update recording set attempt = 2 where id = $1', id);
    await expect(world.put(one.link, id, 1, webm())).rejects.toEqual(failure('not_found'));
  });

  it('can be sent again after the object store took nothing', async () => {
    const { link, turn } = await world.start();
    const { recording_id: id } = await world.createFor(link, turn);
    const folder = path.join(world.folder, path.dirname(String((await world.row(id))?.['path'])));
    const result = path.dirname(folder);
    rmSync(result, { recursive: true, force: true });
    // A file takes the place of the folder for recordings, so the store cannot write, as if the disk were full.
    writeFileSync(result, '', { flag: 'w' });
    await expect(world.put(link, id, 1, webm())).rejects.toEqual(failure('service_unavailable'));
    expect(await world.createFor(link, turn)).toMatchObject({ stored_parts: [] });
    rmSync(result);
    await world.put(link, id, 1, webm());
    expect(await world.complete(link, id, 1)).toMatchObject({ recording_id: id });
    expect(readdirSync(folder)).toHaveLength(1);
  });
});

describe('completing a recording', () => {
  it('names the missing parts, and goes on where the upload broke off', async () => {
    const { link, turn } = await world.start();
    const { recording_id: id } = await world.createFor(link, turn);
    await world.put(link, id, 2, Buffer.from('end'));
    await expect(world.complete(link, id, 4)).rejects.toMatchObject({
      code: 'state_conflict',
      details: [{ missing_parts: [1, 3, 4] }],
    });
    await world.put(link, id, 1, webm());
    await expect(world.complete(link, id, 1)).rejects.toEqual(failure('state_conflict'));
    expect(await world.complete(link, id, 2)).toEqual({ recording_id: id, media_type: 'video/webm' });
  });

  it('returns the same when it is repeated, before and after the parts are joined', async () => {
    const { link, turn } = await world.start();
    const id = await world.upload(link, turn);
    const reply = { recording_id: id, media_type: 'video/webm' };
    expect(await world.complete(link, id, 1)).toEqual(reply);
    await expect(world.put(link, id, 2, webm())).rejects.toEqual(failure('state_conflict'));
    await world.work();
    expect(await world.complete(link, id, 1)).toEqual(reply);
    expect(await world.row(id)).toMatchObject({
      state: 'stored',
      duration_ms: 5_000,
      verified_type: 'video/webm',
    });
  });

  it.each([
    ['a text file', Buffer.from('To whom it may concern: this is my answer.'), 'a text file'],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'a text file'],
    ['another container', Buffer.from('RIFF\u0024\0\0\0WAVEfmt '), 'a wav file'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'a file of an unknown type'],
    ['one byte', Buffer.from([0]), 'a file of an unknown type'],
  ])('discards %s that calls itself video/webm', async (_, bytes, named) => {
    const { link, turn } = await world.start();
    const { recording_id: id } = await world.createFor(link, turn);
    await world.put(link, id, 1, bytes);
    await expect(world.complete(link, id, 1)).rejects.toMatchObject({
      code: 'invalid_value',
      message: `The recording is ${named}, not video/webm. Record the answer again, or type it.`,
    });
    await expect(world.complete(link, id, 1)).rejects.toEqual(failure('state_conflict'));
    await world.work();
    expect(await world.row(id)).toMatchObject({ state: 'discarded', work_at: null });
    expect((await world.createFor(link, turn)).recording_id).not.toBe(id);
  });

  it('reads the type across parts', async () => {
    const { link, turn } = await world.start();
    const { recording_id: id } = await world.createFor(link, turn);
    for (const [index, bytes] of split(webm(''), 3).entries()) await world.put(link, id, index + 1, bytes);
    expect(await world.complete(link, id, split(webm(''), 3).length)).toMatchObject({
      media_type: 'video/webm',
    });
  });
});

const answerWith = (link: Link, turn: string, recordingId: string) =>
  world.answer(link, turn, { kind: 'recording', text: null, recordingId, durationMs: 5_000 });
const close = () => world.close();
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

const session = { kind: 'session' as const };
const conflict = { code: 'state_conflict' };

describe('a result with several recordings of its session', () => {
  it('shows the one that was recorded for the longest time before the end', async () => {
    const { link, result } = await world.start();
    const upload = async () => {
      const { recording_id: id } = await world.create(link, { kind: 'session' });
      await world.put(link, id, 1, webm());
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
