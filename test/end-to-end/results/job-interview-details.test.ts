import { openDatabases, takeInterview } from '../../../local/demo/candidate';
import { recordedResultId, recordingPaths } from '../../../local/seed/recordings';
import { resultId } from '../../../local/seed/results';
import { cloneWithSteps, enrolmentsOf, peopleCalls } from '../../harness/people/people';
import type { CallOptions, Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let databases: ReturnType<typeof openDatabases>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
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
  'score_answer', 'status', 'start', 'end', 'duration', 'ai_interview_coverage_percentage', 'ai_completion_reason',
  'ai_analysis', 'ai_analysis_recruiter', 'user_feedback_recruiter', 'recruiter_risks', 'ai_analysis_recruiter_why_hire',
  'ai_analysis_recruiter_why_not_hire', 'ai_analysis_other', 'recording_local_path', 'video_introduction_local_path',
  'recording_is_video', 'transcript',
]; // prettier-ignore
const interactionFields = [
  'id', 'is_answer', 'view', 'question_original_id', 'question_original', 'question_asked', 'answer', 'ai_analysis',
  'ai_analysis_recruiter', 'score', 'score_simulation', 'score_answer_ai', 'score_answer_ai_simulation', 'duration',
  'platform_language_code', 'answer_assessment_raw_data', 'recording_local_path', 'recording_is_video', 'external_data',
  'external_id',
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
  it('returns every field of a scored result, with the transcript in order', async () => {
    const enrolment = await candidate();
    const key = await takeInterview(databases, { enrolment, answers: ['First.', 'Second.', 'Third.'] });
    const details = await read(key.result_id);
    expect(details).toMatchObject({
      interview_result_id: key.result_id,
      attempt: 1,
      latest_attempt: 1,
      result_status: 'active',
      processing_status: 'completed',
      is_successful: true,
      is_test: false,
      candidate: {
        profile_interview_id: enrolment,
        name: 'Ann',
        email: 'ann@example.com',
        external_id: 'crm-ann',
        phone: '+31 6 1',
      },
      status: 'completed, stopped early',
      start: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      end: expect.stringMatching(/Z$/),
      duration: expect.any(Number),
      score: 7.5,
      max_score: 10,
      score_sentiment: 0.4,
      ai_analysis_recruiter_why_hire: ['Explains decisions with figures'],
      ai_analysis_recruiter_why_not_hire: ['Few examples'],
      ai_analysis_other: {
        strengths_concerns: { strengths: ['Explains decisions with figures'], concerns: ['Few examples'] },
      },
    });
    expect(fields.filter((field) => !(field in details))).toEqual([]);
    const { transcript } = details;
    expect(transcript.filter(({ answer }) => answer !== null).map(({ answer }) => answer)).toEqual(['First.', 'Second.', 'Third.']);
    expect([transcript[0]?.['view'], transcript.at(-1)?.['view']]).toEqual(['welcome', 'thank you']);
    for (const spoken of details.transcript) expect(Object.keys(spoken).toSorted()).toEqual(interactionFields.toSorted());
    expect(transcript[1]).toMatchObject({ score: 4, score_answer_ai_simulation: 3.5, answer_assessment_raw_data: { bracket: 'moderate' } });
  }); // prettier-ignore

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

  it('returns analyses with the older name of a key under both names', async () => {
    const [old] = await platform.database.rows<{ id: string }>(
      `select id from interview_result where ai_analysis_other -> 'hiring_reasons' is not null limit 1`,
    );
    const details = await read(old?.id ?? '');
    const analyses = details['ai_analysis_other'] as Record<string, Record<string, string[]>>;
    const { hiring_reasons: older, strengths_concerns: newer } = analyses;
    expect(newer).toEqual({
      strengths: older?.['reasons_to_hire'],
      concerns: older?.['reasons_not_to_hire'],
    });
    expect(newer?.['strengths']?.length).toBeGreaterThan(0);
    expect(details['ai_analysis_recruiter_why_hire']).toEqual(newer?.['strengths']);
    expect(details['ai_analysis_recruiter_why_not_hire']).toEqual(newer?.['concerns']);
  });

  it('returns an empty list for the missing half of the older key', async () => {
    const key = await takeInterview(databases, {
      enrolment: await candidate(),
      scores: { ai_analysis_other: { hiring_reasons: { reasons_to_hire: ['Calm'] }, score_rationale: { bracket: 'weak' } } },
    });
    expect((await read(key.result_id))['ai_analysis_other']).toEqual({
      hiring_reasons: { reasons_to_hire: ['Calm'] },
      score_rationale: { bracket: 'weak' },
      strengths_concerns: { strengths: ['Calm'], concerns: [] },
    });
  }); // prettier-ignore

  it.each<[string, unknown, object]>([
    [
      'strengths that are a text',
      { strengths_concerns: { strengths: 'Calm', concerns: ['Late'] } },
      { ai_analysis_recruiter_why_hire: null, ai_analysis_recruiter_why_not_hire: ['Late'] },
    ],
    [
      'lists of objects and of lists',
      { strengths_concerns: { strengths: [{ text: 'Calm' }], concerns: [['Late']] } },
      { ai_analysis_recruiter_why_hire: null, ai_analysis_recruiter_why_not_hire: null },
    ],
    ['a list as a whole', ['Calm'], { ai_analysis_other: null, ai_analysis_recruiter_why_hire: null }],
    ['a text as a whole', 'Calm', { ai_analysis_other: null }],
    [
      'a list of the older key that is none, beside one that is',
      { hiring_reasons: { reasons_to_hire: 'Calm', reasons_not_to_hire: ['Late'] } },
      {
        ai_analysis_recruiter_why_hire: null,
        ai_analysis_recruiter_why_not_hire: ['Late'],
        ai_analysis_other: { strengths_concerns: { strengths: [], concerns: ['Late'] } },
      },
    ],
    [
      'the older key beside the later one that is null',
      { strengths_concerns: null, hiring_reasons: { reasons_to_hire: ['Calm'], reasons_not_to_hire: [] } },
      {
        ai_analysis_recruiter_why_hire: ['Calm'],
        ai_analysis_other: {
          strengths_concerns: { strengths: ['Calm'], concerns: [] },
          hiring_reasons: { reasons_to_hire: ['Calm'] },
        },
      },
    ],
    ['the older key that is null', { hiring_reasons: null }, { ai_analysis_recruiter_why_hire: null }],
    ['the older key that is empty', { hiring_reasons: {} }, { ai_analysis_recruiter_why_hire: null }],
  ])('returns %s, and null for what is not a list of texts', async (_, stored, expected) => {
    const { result_id } = await takeInterview(databases, { enrolment: await candidate() });
    await platform.database.rows('update interview_result set ai_analysis_other = $2 where id = $1', [
      result_id,
      JSON.stringify(stored),
    ]);
    const details = await read(result_id);
    expect(details).toMatchObject(expected);
    if (!('ai_analysis_other' in expected)) expect(details['ai_analysis_other']).toEqual(stored);
  });

  it('returns no URL for a path outside the store, and the others as usual', async () => {
    const { result_id } = await takeInterview(databases, { enrolment: await candidate() });
    await platform.database.rows(
      `update interview_result set recording_local_path = '../secret', video_introduction_local_path = $2 where id = $1`,
      [result_id, recordingPaths.session],
    );
    await platform.database.rows(
      `update result_question set recording_local_path = 'a' where result_id = $1`,
      [result_id],
    );
    const details = await read(result_id, { get_signed_recordings: 'true' });
    expect(details).toMatchObject({
      recording_local_path: '../secret',
      recording_url: null,
      video_introduction_url: expect.stringContaining(recordingPaths.session),
    });
    expect(details.transcript.map((spoken) => spoken['recording_url'])).toEqual(
      details.transcript.map(() => null),
    );
  });

  it('returns a result of a deleted interview', async () => {
    const key = await takeInterview(databases, { enrolment: await candidate() });
    await platform.database.rows(
      `update interview set status = 'deleted' where id = (select interview_id from interview_result where id = $1)`,
      [key.result_id],
    );
    expect((await read(key.result_id))['score']).toBe(7.5);
  });
});
