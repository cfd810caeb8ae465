import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { uuid } from '../platform/world';
import { createRecordingWorld, split, webm } from './recording-world';
import type { RecordingWorld } from './recording-world';

/* Tests uploads of recordings into a real folder. The tests call the same functions as the portal's operations. */

let world: RecordingWorld;
beforeAll(async () => {
  world = await createRecordingWorld();
});

const failure = (code: string) => expect.objectContaining({ code }) as unknown;

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

  it('takes no picture where only sound is recorded, and nothing where nothing is', async () => {
    const sound = await world.start({ recording: 'audio_all', recording_full_session: null });
    await expect(world.createFor(sound.link, sound.turn)).rejects.toEqual(failure('not_applicable'));
    expect(await world.createFor(sound.link, sound.turn, { mediaType: 'audio/webm' })).toBeTruthy();
    await expect(world.create(sound.link, { kind: 'session' }, { mediaType: 'audio/webm' })).rejects.toEqual(
      failure('not_applicable'),
    );
    const typedOnly = await world.start({
      recording: null,
      interview_template_id: (
        (await world.change(`select id from interview_template where type like 'offline%' limit 1`)) as {
          id: string;
        }[]
      )[0]?.id,
    });
    await expect(
      world.createFor(typedOnly.link, typedOnly.turn, { mediaType: 'audio/webm' }),
    ).rejects.toEqual(failure('not_applicable'));
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
    for (const [index, bytes] of split(webm(), 3).entries()) await world.put(link, id, index + 1, bytes);
    expect(await world.complete(link, id, split(webm(), 3).length)).toMatchObject({
      media_type: 'video/webm',
    });
  });
});
