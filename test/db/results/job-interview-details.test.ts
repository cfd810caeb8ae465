import { openDatabases, takeInterview } from '../../../local/demo/candidate';
import { recordedResultId, recordingPaths } from '../../../local/seed/recordings';
import { resultId } from '../../../local/seed/results';
import { cloneWithSteps, enrolmentsOf, peopleCalls } from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import type { CallOptions } from '../../harness/platform/platform';

let platform: Operations;
let databases: ReturnType<typeof openDatabases>;
beforeAll(async () => {
  platform = await openOperations();
  databases = openDatabases(platform.database);
});
afterAll(async () => {
  await databases.close();
});

type Details = Record<string, unknown> & { transcript: Record<string, unknown>[] };
const ask = (query: Record<string, string>, options: CallOptions = {}) =>
  platform.call('job-interview-details', { query, ...options });
const read = async (interview_result_id: string, more: Record<string, string> = {}): Promise<Details> => {
  const reply = await ask({ interview_result_id, ...more });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as Details;
};

/** The fields in the documented order. */
const fields = [
  'score', 'score_simulation', 'score_text', 'score_sentiment', 'score_words_per_minute', 'score_pronunciation',
  'score_answer', 'status', 'start', 'end', 'duration', 'ai_interview_coverage_percentage', 'ai_completion_reason', 'stopped_because',
  'ai_analysis', 'ai_analysis_recruiter', 'user_feedback_recruiter', 'recruiter_risks', 'ai_analysis_recruiter_why_hire',
  'ai_analysis_recruiter_why_not_hire', 'ai_analysis_other', 'recording_local_path', 'video_introduction_local_path',
  'recording_is_video', 'transcript',
]; // prettier-ignore

/** Registers a candidate at a new interview. */
async function candidate(): Promise<string> {
  const interview_id = await cloneWithSteps(platform.database);
  await peopleCalls(platform).register(
    [{ email: 'ann@example.com', name: 'Ann', external_id: 'crm-ann', phone: '+31 6 1' }],
    { interview_id },
  );
  const [enrolment] = await enrolmentsOf(platform.database, interview_id);
  if (!enrolment) throw new Error('not enrolled');
  return enrolment.id;
}

describe('job-interview-details', () => {
  // prettier-ignore

  it('returns every field of a result that was only begun, with null for what does not exist yet', async () => {
    const key = await takeInterview(databases, {
      enrolment: await candidate(),
      until: 'started',
      answers: [],
    });
    const details = await read(key.result_id);
    expect(details).toMatchObject({ status: 'started', result_status: 'draft' });
    expect(details.transcript.map(({ view, answer }) => [view, answer])).toEqual([
      ['welcome', null],
      [expect.any(String), null],
    ]);
    const filled = fields.filter((field) => details[field] !== null);
    expect(filled.toSorted()).toEqual(['start', 'status', 'transcript']);
    expect(fields.filter((field) => !(field in details))).toEqual([]);
  });

  it('returns URLs of recordings only on request, and they are valid for 15 minutes', async () => {
    const plain = await read(recordedResultId);
    expect(JSON.stringify(plain)).not.toMatch(/recording_url|video_introduction_url/);
    expect(await read(recordedResultId, { get_signed_recordings: 'false' })).toEqual(plain);
    const details = await read(recordedResultId, { get_signed_recordings: 'true' });
    const answer = details.transcript.find(({ recording_local_path: path }) => path !== null);
    expect(answer?.['recording_local_path']).toBe(recordingPaths.firstAnswer);
    for (const spoken of details.transcript)
      expect(spoken['recording_url']).toEqual(spoken === answer ? expect.any(String) : null);
    for (const [url, path] of [
      [details['recording_url'], recordingPaths.session],
      [details['video_introduction_url'], recordingPaths.introduction],
      [answer?.['recording_url'], recordingPaths.firstAnswer],
    ]) {
      expect(String(url)).toContain(`${platform.stack.origin}/files/${String(path)}?`);
      const [, claims = ''] = (new URL(String(url)).searchParams.get('file_token') ?? '').split('.');
      const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number };
      expect(exp * 1_000).toBeLessThanOrEqual(Date.now() + 15 * 60_000);
      expect(exp * 1_000).toBeGreaterThan(Date.now() + 10 * 60_000);
    }
  });

  it('returns an earlier attempt unchanged, the latest by its number too, and 404 for another number', async () => {
    const id = resultId('active', 4);
    const latest = await read(id);
    expect(latest).toMatchObject({
      attempt: 2,
      latest_attempt: 2,
      score: null,
      transcript: [],
      status: null,
    });
    expect(await read(id, { attempt: '2' })).toEqual(latest);
    const first = await read(id, { attempt: '1' });
    expect(first).toMatchObject({
      attempt: 1,
      latest_attempt: 2,
      result_status: 'active',
      status: 'completed',
      score: expect.any(Number),
      start: expect.stringMatching(/\.\d{3}Z$/),
      recruiter_go_next_round: false,
      ai_analysis_recruiter_why_hire: expect.arrayContaining([expect.any(String)]),
    });
    expect(first.transcript.length).toBeGreaterThan(3);
    expect(first.transcript.map(({ view }) => view).at(0)).toBe('welcome');
    expect(first.transcript.map(({ view }) => view).at(-1)).toBe('thank you');
    const third = await ask({ interview_result_id: id, attempt: '3' });
    expect([third.status, third.body.name]).toEqual([404, 'attempt']);
    const foreign = await ask(
      { interview_result_id: id, attempt: '3' },
      { token: platform.stack.tokens.other_merchant_owner },
    );
    expect([foreign.status, foreign.body.name]).toEqual([404, 'interview_result_id']);
  });

  // prettier-ignore

  it('returns analyses of an older or an unknown form, and null for what is not a list of texts', async () => {
    const { result_id } = await takeInterview(databases, { enrolment: await candidate() });
    const table: [unknown, object][] = [
      [
        { strengths_concerns: { strengths: 'Calm', concerns: ['Late'] } },
        { ai_analysis_recruiter_why_hire: null, ai_analysis_recruiter_why_not_hire: ['Late'] },
      ],
      [
        { strengths_concerns: { strengths: [{ text: 'Calm' }], concerns: [['Late']] } },
        { ai_analysis_recruiter_why_hire: null, ai_analysis_recruiter_why_not_hire: null },
      ],
      [['Calm'], { ai_analysis_other: null, ai_analysis_recruiter_why_hire: null }],
      ['Calm', { ai_analysis_other: null }],
      [
        { hiring_reasons: { reasons_to_hire: 'Calm', reasons_not_to_hire: ['Late'] } },
        {
          ai_analysis_recruiter_why_hire: null,
          ai_analysis_recruiter_why_not_hire: ['Late'],
          ai_analysis_other: { strengths_concerns: { strengths: [], concerns: ['Late'] } },
        },
      ],
      [
        { strengths_concerns: null, hiring_reasons: { reasons_to_hire: ['Calm'], reasons_not_to_hire: [] } },
        {
          ai_analysis_recruiter_why_hire: ['Calm'],
          ai_analysis_other: {
            strengths_concerns: { strengths: ['Calm'], concerns: [] },
            hiring_reasons: { reasons_to_hire: ['Calm'] },
          },
        },
      ],
      [{ hiring_reasons: { reasons_to_hire: ['Calm'] } }, { ai_analysis_other: { strengths_concerns: { strengths: ['Calm'], concerns: [] } } }],
      [{ hiring_reasons: null }, { ai_analysis_recruiter_why_hire: null, ai_analysis_other: { hiring_reasons: null } }],
      [{ hiring_reasons: {} }, { ai_analysis_recruiter_why_hire: null, ai_analysis_other: { hiring_reasons: {} } }],
    ];
    for (const [stored, expected] of table) {
      await platform.database.rows('update interview_result set ai_analysis_other = $2 where id = $1', [
        result_id,
        JSON.stringify(stored),
      ]);
      expect({ stored, ...(await read(result_id)) }).toMatchObject({ stored, ...expected });
    }
  });
});
