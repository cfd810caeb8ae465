import { openDatabases, takeInterview } from '../../../local/demo/candidate';
import { cloneWithSteps, enrolmentsOf, peopleCalls } from '../../harness/people/people';
import type { CallOptions, Platform } from '../../harness/platform/platform';
import { meetAtRow } from '../../harness/platform/row-lock';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { openLink } from '../../harness/taking/open-link';

let platform: Platform;
let databases: ReturnType<typeof openDatabases>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  databases = openDatabases(platform.database);
});
afterAll(async () => {
  await databases.close();
});

const reopen = (interview_result_id: unknown, options: CallOptions = {}) =>
  platform.call('job-interview-result-request-another-attempt', {
    body: { interview_result_id },
    ...options,
  });
const read = async (interview_result_id: string, more: Record<string, string> = {}) =>
  (await platform.call('job-interview-details', { query: { interview_result_id, ...more } })).body;

/** Registers a candidate for a new interview, which the candidate then takes until it is in the state `until`. */
async function candidate(until: 'started' | 'collected' | 'submitted' | 'scored' = 'scored') {
  const interview_id = await cloneWithSteps(platform.database);
  const register = async () =>
    (await peopleCalls(platform).register([{ email: 'ann@example.com' }], { interview_id }))[0]?.interview_url ?? '';
  const link = await register();
  const [enrolment] = await enrolmentsOf(platform.database, interview_id);
  const { result_id } = await takeInterview(databases, { enrolment: enrolment?.id ?? '', until });
  return { result_id, link, register, enrolment: enrolment?.id ?? '' };
} // prettier-ignore
const opens = async (link: string) => (await openLink(link)).status;

describe('job-interview-result-request-another-attempt', () => {
  it('makes a submitted result an undecided draft again, and keeps its attempt', async () => {
    const { result_id } = await candidate();
    const { result_status: _, ...finished } = await read(result_id);
    await platform.call('job-interview-result-update', {
      body: { interview_result_id: result_id, recruiter_go_next_round: true, recruiter_shortlist: true },
    });
    const reply = await reopen(result_id);
    expect([reply.status, reply.text]).toEqual([200, '{}']);
    expect(await read(result_id)).toMatchObject({
      attempt: 2,
      result_status: 'draft',
      is_successful: false,
      processing_status: null,
      status: null,
      recruiter_go_next_round: null,
      recruiter_shortlist: true,
      score: null,
      ai_analysis: null,
      ai_analysis_other: null,
      start: null,
      end: null,
      duration: null,
      transcript: [],
    });
    expect(await read(result_id, { attempt: '1' })).toEqual({
      ...finished,
      // These fields belong to the result, so they are the same for every attempt.
      revision: expect.any(Number),
      updated_at: expect.any(String),
      latest_attempt: 2,
      result_status: 'active',
      recruiter_go_next_round: true,
      recruiter_shortlist: true,
    });
  });

  it('returns 422 the second time, also at the same time, and records one act', async () => {
    const { result_id } = await candidate();
    const replies = await meetAtRow(platform.database, 'interview_result', { key: 'id', id: result_id }, [
      () => reopen(result_id),
      () => reopen(result_id),
    ]);
    expect(replies.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 422]);
    const third = await reopen(result_id);
    expect([third.status, third.body.name]).toEqual([422, 'interview_result_id']);
    const acts = await platform.database.rows(
      'select act, actor_role from audit_entry where subject_id = $1',
      [result_id],
    );
    expect(acts).toEqual([
      { act: 'job-interview-result-request-another-attempt', actor_role: 'merchant_owner' },
    ]);
    expect((await read(result_id))['attempt']).toBe(2);
  });

  it('ends existing links, and a new link begins the next attempt of the same result', async () => {
    const { result_id, link, register, enrolment } = await candidate('collected');
    expect(await opens(link)).toBe(200);
    await platform.database.rows(
      `update interview_result set status = 'active', processing_status = 'completed' where id = $1`,
      [result_id],
    );
    expect((await reopen(result_id)).status).toBe(200);
    expect(await opens(link)).toBe(410);
    expect(await opens(await register())).toBe(200);
    expect(await takeInterview(databases, { enrolment })).toEqual({ result_id, attempt: 2 });
    expect(await read(result_id)).toMatchObject({ attempt: 2, result_status: 'active', score: 7.5, is_successful: true });
  }); // prettier-ignore

  it.each(['started', 'collected', 'submitted'] as const)(
    'returns 422 for a result that is only %s',
    async (until) => {
      const { result_id } = await candidate(until);
      const before = await read(result_id);
      const reply = await reopen(result_id);
      expect([reply.status, reply.body.name]).toEqual([422, 'interview_result_id']);
      expect(await read(result_id)).toEqual(before);
    },
  );
});
