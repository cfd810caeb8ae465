import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let calls: ReturnType<typeof candidateCalls>;
/** An interview that records every answer and the session as video. */
let interviewId: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  calls = candidateCalls(platform);
  interviewId = await calls.makeInterview([{ question: 'First?' }, { question: 'Second?' }], {
    recording: 'video_all',
    recording_full_session: 'video_all',
  });
});

/**
 * The beginning of a file of Chromium's MediaRecorder, followed by zeros. With other bytes, the parser that measures
 * recordings would search until its time limit.
 */
const webm = Buffer.concat([
  Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701', 'hex'),
  Buffer.alloc(2_000),
]);
const create = (token: string, body: Record<string, unknown>) =>
  calls.call('recording-create', { token, body: { media_type: 'video/webm', ...body } });
const put = (token: string, recordingId: string, part: number, rawBody: Buffer) =>
  calls.call('recording-part', {
    token,
    method: 'PUT',
    rawBody,
    query: `?recording_id=${recordingId}&part=${part}`,
  });
const complete = (token: string, recording_id: string, parts: number) =>
  calls.call('recording-complete', { token, body: { recording_id, parts, duration_ms: 4_000 } });
describe('an upload', () => {
  it('becomes a file that readers of the result can play', async () => {
    const { token, turnId } = await calls.beginAt(interviewId);
    const created = await create(token, { turn_id: turnId });
    expect(created).toMatchObject({
      status: 200,
      body: { part_bytes: 1_048_576, remaining_bytes: 209_715_200, stored_parts: [] },
    });
    const recordingId = String(created.body['recording_id']);
    const parts = [webm.subarray(0, 700), webm.subarray(700, 1_400), webm.subarray(1_400)];
    for (const part of [2, 3, 1])
      expect((await put(token, recordingId, part, parts[part - 1] ?? Buffer.alloc(0))).status).toBe(200);
    expect(await complete(token, recordingId, 3)).toMatchObject({
      status: 200,
      body: { recording_id: recordingId, media_type: 'video/webm' },
    });
    const { attempt } = await calls.answer(token, turnId, { recording_id: recordingId, duration_ms: 4_000 });
    const answered = await waitFor('the recording of the answer', async () => {
      const { body } = await platform.call('job-interview-details', {
        query: { interview_result_id: attempt.result_id, get_signed_recordings: 'true' },
      });
      const transcript = body['transcript'] as { id: string; recording_url: string | null }[];
      return transcript.find(({ id, recording_url: url }) => id === turnId && url !== null);
    });
    const file = await fetch(String(answered?.recording_url));
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/webm']);
    expect(Buffer.from(await file.arrayBuffer()).equals(webm)).toBe(true);
    expect(await complete(token, recordingId, 3)).toMatchObject({ status: 200 });
  });
});

describe('a required video', () => {
  it('is a 422 with a sentence for text, until a recruiter lets the candidate type', async () => {
    const { token, turnId, enrolmentId } = await calls.beginAt(interviewId);
    const type = () => calls.answer(token, turnId, { text: 'I have no camera.' });
    expect(await type()).toMatchObject({ status: 422, body: { name: 'text', code: 'not_applicable' } });
    const body = { profile_interview_id: enrolmentId, may_type: true };
    for (const _ of [1, 2])
      expect((await platform.call('job-interview-set-time-factor', { body })).body).toMatchObject({
        time_factor: 1,
        may_type: true,
        request: null,
      });
    expect((await type()).status).toBe(200);
    expect(
      await platform.database.rows('select details from audit_entry where subject_id = $1', [enrolmentId]),
    ).toEqual([{ details: { may_type: true, request: null } }]);
    const nothing = { body: { profile_interview_id: enrolmentId } };
    expect((await platform.call('job-interview-set-time-factor', nothing)).status).toBe(422);
  });
});
