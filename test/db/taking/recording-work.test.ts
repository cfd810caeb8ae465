import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createObjectStore } from '../../../db/platform/object-store';
import type { ObjectStore } from '../../../db/platform/object-store';
import { generateSigningKeys } from '../../../db/platform/tokens';
import { reopenResult } from '../../../db/results/result-decisions';
import { askFallbackTurn } from '../../../db/taking/attempts';
import { platformTemplateIds } from '../../../local/seed/templates';
import { startMemoryBucket } from '../../harness/platform/memory-bucket';
import { mediaFile } from '../../harness/taking/media-file';
import { createRecordingWorld, split, webm } from './recording-world';
import type { RecordingWorld } from './recording-world';
import type { Link } from './taking-world';

/*
 * Tests how the worker joins parts of recordings and deletes discarded files, how readers get files, and when an attempt fails
 * because it cannot go on.
 */

let world: RecordingWorld;
beforeAll(async () => {
  world = await createRecordingWorld();
  await world.insertEndpoint();
});
beforeEach(() => {
  world.warned.length = 0;
});

const bytes = webm();
const makeDue = (id: string) => world.change('update recording set work_at = now() where id = $1', id);
const answerWith = (link: Link, turn: string, recordingId: string) =>
  world.answer(link, turn, { kind: 'recording', text: null, recordingId, durationMs: 5_000 });
const filesOf = async (id: string) => {
  const folder = path.join(world.folder, path.dirname(String((await world.row(id))?.['path'])));
  return readdirSync(folder).filter((name) => name.startsWith(id));
};
const shown = async (result: string) => {
  const row = await world.show(result);
  const interactions = row['interactions'] as Record<string, unknown>[];
  return {
    session: [row['recording_local_path'], row['recording_is_video']],
    introduction: row['video_introduction_local_path'],
    answers: interactions
      .filter((each) => each['recording_id'] !== null)
      .map((each) => [each['recording_local_path'], each['recording_is_video']]),
  };
};

/** Uploads a recording in three parts and completes it. */
async function uploadParts(link: Link, turn: string) {
  const { recording_id: id } = await world.createFor(link, turn);
  const parts = split(bytes, Math.ceil(bytes.length / 3));
  for (const [index, part] of parts.entries()) await world.put(link, id, index + 1, part);
  await world.complete(link, id, parts.length);
  return id;
}

describe('a completed recording', () => {
  it('becomes one file, and its parts are deleted', async () => {
    const { link, turn } = await world.start();
    const id = await uploadParts(link, turn);
    await world.work();
    const row = await world.row(id);
    expect(row).toMatchObject({ state: 'stored', work_at: null });
    expect((await world.read(String(row?.['path'])))?.equals(bytes)).toBe(true);
    expect(await filesOf(id)).toEqual([`${id}.webm`]);
    expect(await world.change('select from recording_part where recording_id = $1', id)).toEqual([]);
    expect(world.warned).toEqual([]);
  });

  it('is joined in a bucket', async () => {
    const saved = { ...process.env };
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIATEST', AWS_SECRET_ACCESS_KEY: 'hush' });
    const bucket = await startMemoryBucket('recordings');
    const store = await createObjectStore(
      { kind: 's3', bucket: 'recordings', region: 'eu-central-1', endpoint: bucket.endpoint },
      await generateSigningKeys(),
      'https://api.example.com',
    );
    const { link, turn } = await world.start();
    const id = await uploadParts(link, turn);
    // The parts were uploaded to the folder, but the worker uses the bucket in this test, so the parts are copied to
    // the bucket.
    const folder = path.dirname(String((await world.row(id))?.['path']));
    for (const name of await filesOf(id)) {
      const opened = await world.objects.get(`${folder}/${name}`);
      if (opened) await store.put(`${folder}/${name}`, await buffer(opened.stream));
    }
    await world.work(store);
    expect([...bucket.files.keys()]).toEqual([`${folder}/${id}.webm`]);
    expect(bucket.files.get(`${folder}/${id}.webm`)?.equals(bytes)).toBe(true);
    await bucket.stop();
    process.env = saved;
  });

  it.each([
    ['before the file is stored', { put: () => Promise.reject(new Error('killed')) }],
    [
      'after the file is stored',
      {
        put: async (...sent: Parameters<ObjectStore['put']>) => {
          await world.objects.put(...sent);
          throw new Error('killed');
        },
      },
    ],
    ['before the parts are deleted', { deletePrefix: () => Promise.reject(new Error('killed')) }],
    [
      'after the parts are deleted',
      {
        deletePrefix: async (prefix: string) => {
          await world.objects.deletePrefix(prefix);
          throw new Error('killed');
        },
      },
    ],
  ])('is joined by the next try if the worker fails %s', async (_, faulty) => {
    const { link, turn } = await world.start();
    const id = await uploadParts(link, turn);
    await world.work({ ...world.objects, ...faulty });
    expect(world.warned).toHaveLength(1);
    expect((await world.row(id))?.['work_at']).not.toBeNull();
    await makeDue(id);
    await world.work();
    const row = await world.row(id);
    expect(row).toMatchObject({ state: 'stored', work_at: null });
    expect((await world.read(String(row?.['path'])))?.equals(bytes)).toBe(true);
    expect(await filesOf(id)).toEqual([`${id}.webm`]);
  });

  it('is joined by one of two workers at the same time', async () => {
    const { link, turn } = await world.start();
    const id = await uploadParts(link, turn);
    let puts = 0;
    const counting = {
      ...world.objects,
      put: (...sent: Parameters<ObjectStore['put']>) => {
        puts += 1;
        return world.objects.put(...sent);
      },
    };
    await Promise.all([world.work(counting), world.work(counting)]);
    expect([puts, (await world.row(id))?.['state']]).toEqual([1, 'stored']);
  });

  it('stays and is reported if a part is missing in the object store', async () => {
    const { link, turn } = await world.start();
    const id = await uploadParts(link, turn);
    const [part] = await filesOf(id);
    const folder = path.dirname(String((await world.row(id))?.['path']));
    await world.objects.delete(`${folder}/${part}`);
    await world.work();
    expect(world.warned).toMatchObject([
      { recording_id: id, tries: 1, err: { message: 'Part 1 is missing in the object store' } },
    ]);
    expect(await world.row(id)).toMatchObject({ state: 'completed' });
    expect(await filesOf(id)).toHaveLength(2);
    await world.change(
      `update recording set state = 'discarded', verified_type = null, work_at = now() where id = $1`,
      id,
    );
    await world.work();
  });
});

describe('an upload that was given up', () => {
  it('is deleted 24 hours after its last part', async () => {
    const { link, turn } = await world.start();
    const { recording_id: id } = await world.createFor(link, turn);
    await world.put(link, id, 1, webm());
    await world.work();
    expect(await filesOf(id)).toHaveLength(1);
    const [{ hours } = { hours: 0 }] = (await world.change(
      `select round(extract(epoch from work_at - now()) / 3600)::int as hours from recording where id = $1`,
      id,
    )) as { hours: number }[];
    expect(hours).toBe(24);
    await makeDue(id);
    const objectPath = String((await world.row(id))?.['path']);
    await world.work();
    expect(await world.row(id)).toMatchObject({ state: 'discarded', work_at: null });
    expect(readdirSync(path.join(world.folder, path.dirname(objectPath)))).toEqual([]);
  });
});

describe('readers of the result', () => {
  it('find the recording of an answer once it is joined, whichever comes first', async () => {
    const { link, turn, result } = await world.start();
    const first = await world.upload(link, turn);
    await answerWith(link, turn, first);
    expect((await shown(result)).answers).toEqual([[null, null]]);
    await world.work();
    expect((await shown(result)).answers).toEqual([[(await world.row(first))?.['path'], true]]);

    const early = await world.start();
    const second = await world.upload(early.link, early.turn);
    await world.work();
    await answerWith(early.link, early.turn, second);
    expect((await shown(early.result)).answers).toEqual([[(await world.row(second))?.['path'], true]]);
  });

  it('find the take that was answered with, not another one of the same turn', async () => {
    const { link, turn, result } = await world.start();
    const [first, second] = [await world.upload(link, turn), await world.upload(link, turn)];
    await answerWith(link, turn, first);
    await world.work();
    expect((await world.row(second))?.['state']).toBe('discarded');
    expect((await shown(result)).answers).toEqual([[(await world.row(first))?.['path'], true]]);
  });

  it.each([
    ['before', true],
    ['after', false],
  ])('find the measured duration of an answer that was given %s the file was joined', async (_, isEarly) => {
    const { link, turn } = await world.start();
    const id = await world.upload(link, turn, await mediaFile('webm', 12_300, { hasPicture: false }));
    if (isEarly) await answerWith(link, turn, id);
    await world.work();
    if (!isEarly) await answerWith(link, turn, id);
    expect(await world.row(id)).toMatchObject({ duration_ms: 5_000, measured_ms: 12_200 });
    // WebM stores no duration for the last packet, so the measured duration lacks the 100 ms of that packet.
    const [answer] = await world.change('select duration from result_question where id = $1', turn);
    expect(answer).toEqual({ duration: 122 });
  });

  it('find an answer before it is measured, if that takes longer than others can wait', async () => {
    const { link, turn, result } = await world.start();
    const id = await world.upload(link, turn, await mediaFile('webm', 12_300, { hasPicture: false }));
    await answerWith(link, turn, id);
    await world.join(0);
    expect(await world.row(id)).toMatchObject({ state: 'stored', measured_ms: null });
    expect((await shown(result)).answers).toEqual([[(await world.row(id))?.['path'], true]]);
    await world.work();
    expect(await world.row(id)).toMatchObject({ measured_ms: 12_200, work_at: null });
    expect(await world.change('select duration from result_question where id = $1', turn)).toEqual([
      { duration: 122 },
    ]);
    expect(await filesOf(id)).toEqual([`${id}.webm`]);
  });

  it('never get an answer with a recording that is open, or is one of another turn', async () => {
    const [one, other] = [await world.start(), await world.start()];
    const { recording_id: open } = await world.createFor(one.link, one.turn);
    const foreign = await world.upload(other.link, other.turn);
    for (const recordingId of [open, foreign])
      expect(await answerWith(one.link, one.turn, recordingId)).toMatchObject({
        outcome: 'unknown_recording',
        attempt: { turn: { turn_id: one.turn } },
      });
  });

  it('find the introduction video', async () => {
    const { link, turn, result } = await world.start({ candidate_video_introduction: 'optional' });
    await expect(
      world.create(link, { kind: 'introduction' }, { mediaType: 'audio/webm' }),
    ).rejects.toMatchObject({ code: 'not_applicable' });
    const { recording_id: id } = await world.create(link, { kind: 'introduction' });
    expect((await world.createFor(link, turn)).recording_id).toBe(id);
    await world.put(link, id, 1, webm());
    await world.complete(link, id, 1);
    await answerWith(link, turn, id);
    await world.work();
    const { path: stored } = (await world.row(id)) ?? {};
    expect(await shown(result)).toMatchObject({ introduction: stored, answers: [[stored, true]] });
  });

  it('find the recording of a reopened attempt in its history', async () => {
    const { link, result } = await world.start();
    const { recording_id: session } = await world.create(link, { kind: 'session' });
    await world.put(link, session, 1, webm());
    await world.complete(link, session, 1);
    await world.answerOpen(link);
    await world.answerOpen(link);
    await world.change(
      `update interview_result set status = 'active', processing_status = 'completed', submitted_at = now() where id = $1`,
      result,
    );
    expect(await world.asRecruiter((trx) => reopenResult(trx, result))).toBe(true);
    await world.work();
    const [history] = (await world.change(
      `select fields ->> 'recording_local_path' as path from interview_result_attempt where result_id = $1`,
      result,
    )) as { path: string }[];
    expect(history?.path).toBe((await world.row(session))?.['path']);
    expect((await shown(result)).session).toEqual([null, null]);
  });

  it('find the recording of an attempt that was begun after a submit, before and after its own submit', async () => {
    const { link, result } = await world.start({ result_scoring: { max_retries: 2 }, recording: null });
    const take = async () => {
      await world.begin(link);
      const { recording_id: session } = await world.create(link, { kind: 'session' });
      await world.put(link, session, 1, webm());
      await world.complete(link, session, 1);
      await world.work();
      for (;;) {
        const { attempt } = await world.get(link);
        if (attempt?.state !== 'running') return [(await world.row(session))?.['path'], true];
        await world.answerOpen(link);
      }
    };
    const first = await take();
    await world.submit(link);
    await world.change(`update interview_result set processing_status = 'completed' where id = $1`, result);
    const second = await take();
    expect((await shown(result)).session).toEqual(first);
    await world.submit(link);
    expect((await shown(result)).session).toEqual(second);
  });
});

/** Moves all times of an attempt back by this many minutes. */
async function pass(resultId: string, minutes: number): Promise<void> {
  await world.shift(resultId, minutes);
  for (const [table, column] of [
    ['result_question', 'answered_at'],
    ['recording', 'refused_at'],
    ['recording', 'first_part_at'],
  ])
    await world.change(
      `update ${table} set ${column} = ${column} - make_interval(mins => $2) where result_id = $1`,
      resultId,
      minutes,
    );
}
const mailsOf = (link: Link) =>
  world.change(`select m.kind, s.workflow_type from mail m
    join workflow_start s on s.workflow_id = 'invitation-batch/' || m.batch_id where m.enrolment_id = $1`, link.enrolmentId); // prettier-ignore

/** Uploads a part while a file lies in the place of the folder of the object store. */
async function putWithoutStore(link: Link, recordingId: string): Promise<void> {
  renameSync(world.folder, `${world.folder}-away`);
  writeFileSync(world.folder, '');
  await expect(world.put(link, recordingId, 1, webm())).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  rmSync(world.folder);
  renameSync(`${world.folder}-away`, world.folder);
}

describe('an attempt whose recording the object store rejects', () => {
  it('fails after 30 minutes, is free and announced, and its candidate is mailed and begins again', async () => {
    const { link, turn, result } = await world.start();
    const { recording_id } = await world.createFor(link, turn);
    await putWithoutStore(link, recording_id);
    await pass(result, 29);
    await putWithoutStore(link, recording_id);
    await world.close();
    expect(await world.show(result)).toMatchObject({ interview_status: 'started' });
    await pass(result, 2);
    await world.close();
    expect(await world.show(result)).toMatchObject({
      status: 'draft',
      interview_status: 'failed',
      ai_completion_reason: 'technical_error',
      charge: 'free',
    });
    expect(await world.events(result)).toEqual(['interview_failed']);
    expect(await mailsOf(link)).toEqual([{ kind: 'retry_invitation', workflow_type: 'invitationBatch' }]);
    expect(await world.begin(link)).toMatchObject({ outcome: 'begun', attempt: { attempt: 2 } });
  });

  it('goes on when a part is stored again, also after the deadline', async () => {
    const { link, turn, result } = await world.start();
    const { recording_id } = await world.createFor(link, turn);
    await putWithoutStore(link, recording_id);
    await pass(result, 22);
    await world.close();
    expect(await world.show(result)).toMatchObject({ interview_status: 'started' });
    await world.put(link, recording_id, 1, webm());
    await world.complete(link, recording_id, 1);
    await pass(result, 15);
    await world.close();
    expect(await world.show(result)).toMatchObject({
      interview_status: 'terminated, no speech detected',
      ai_completion_reason: 'time_over',
    });
  });

  it('is not failed if its answer was typed meanwhile', async () => {
    const { link, turn, result } = await world.start({ max_duration: 7_200 });
    const { recording_id } = await world.createFor(link, turn);
    await putWithoutStore(link, recording_id);
    await world.answerOpen(link);
    await pass(result, 31);
    await world.close();
    expect(await world.show(result)).toMatchObject({ interview_status: 'started' });
  });
});

describe('an attempt whose next turn is not decided', () => {
  /** Begins an interview whose follow-ups a model decides, and answers its first question. */
  async function waiting(questions: string[]) {
    const steps = questions.map((question) => ({ question }));
    const link = await world.open(steps, {
      max_followups: 1,
      interview_template_id: platformTemplateIds.offline_avatar_3,
    });
    const { attempt } = await world.begin(link);
    await world.answerOpen(link);
    expect(await world.answerOpen(link)).toMatchObject({ needs_decision: true });
    return { link, result: attempt?.result_id ?? '' };
  }

  it('fails after 30 minutes, also if its time was over before', async () => {
    const { result } = await waiting(['One?', 'Two?']);
    await pass(result, 21);
    await world.close();
    expect(await world.show(result)).toMatchObject({ interview_status: 'started' });
    await pass(result, 10);
    await world.close();
    const row = await world.show(result);
    expect(row).toMatchObject({ interview_status: 'failed' });
    // It ends when its wait began.
    expect(row['ended_at']).toBe(row['last_active_at']);
  });

  it('gets the time back that it waited, if it goes on after its deadline', async () => {
    const { link, result } = await waiting(['One?', 'Two?']);
    await pass(result, 29);
    await world.write(link, askFallbackTurn((await world.get(link)).undecided_turn ?? ''));
    await world.close();
    const { attempt } = await world.get(link);
    expect(attempt).toMatchObject({ state: 'running', turn: { text: 'Two?' } });
    expect(attempt?.remaining_ms).toBeGreaterThan(0);
    expect(await world.answerOpen(link)).toMatchObject({ outcome: 'stored' });
  });

  it('is complete when its time is over if no question is left', async () => {
    const { result } = await waiting(['One?']);
    await pass(result, 31);
    await world.close();
    expect(await world.show(result)).toMatchObject({ interview_status: 'completed' });
  });
});
