import { openDatabases, takeInterview } from '../../../local/demo/candidate';
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

const update = (interview_result_id: unknown, fields: Record<string, unknown>, options: CallOptions = {}) =>
  platform.call('job-interview-result-update', { body: { interview_result_id, ...fields }, ...options });
const read = async (interview_result_id: string) =>
  (await platform.call('job-interview-details', { query: { interview_result_id } })).body;
const acts = (id: string) =>
  platform.database.rows<{ act: string; details: Record<string, unknown>; actor_role: string }>(
    'select act, details, actor_role from audit_entry where subject_id = $1 order by id',
    [id],
  );
const take = async (until: 'collected' | 'scored' = 'scored') => {
  const interview_id = await cloneWithSteps(platform.database);
  await peopleCalls(platform).register([{ email: 'ann@example.com' }], { interview_id });
  const [enrolment] = await enrolmentsOf(platform.database, interview_id);
  return (await takeInterview(databases, { enrolment: enrolment?.id ?? '', until })).result_id;
};

const all = {
  recruiter_go_next_round: true,
  user_feedback_recruiter: 'Call back.',
  recruiter_risks: [
    { key: 'notice', severity: 'warning', confidence: 0.25, note: 'Three months.' },
    { key: 'gap', severity: 'issue' },
  ],
  recruiter_shortlist: true,
};

describe('job-interview-result-update', () => {
  it('stores and announces all four fields, records who did it, and changes nothing the second time', async () => {
    const id = await take();
    const reply = await update(id, all);
    expect([reply.status, reply.body]).toEqual([
      200,
      { interview_result_id: id, updated_fields: Object.keys(all).toSorted() },
    ]);
    expect(await read(id)).toMatchObject(all);
    const { updated_at: before } = await rowOf(id);
    expect((await update(id, all)).body).toEqual({ interview_result_id: id, updated_fields: [] });
    expect((await rowOf(id)).updated_at).toEqual(before);
    expect(await acts(id)).toEqual([
      {
        act: 'job-interview-result-update',
        actor_role: 'merchant_owner',
        details: {
          updated_fields: Object.keys(all).toSorted(),
          recruiter_go_next_round: true,
          recruiter_shortlist: true,
        },
      },
    ]);
  });

  it.each([
    ['recruiter_go_next_round', false],
    ['recruiter_go_next_round', null],
    ['user_feedback_recruiter', ''],
    ['user_feedback_recruiter', null],
    ['recruiter_risks', []],
    ['recruiter_risks', null],
    ['recruiter_shortlist', false],
  ])('changes only %s to %j', async (field, value) => {
    const id = await take();
    await update(id, all);
    expect((await update(id, { [field]: value })).body['updated_fields']).toEqual([field]);
    expect(await read(id)).toMatchObject({ ...all, [field]: value });
  });

  it('returns 422 for a decision before the candidate has submitted, and stores other fields', async () => {
    const id = await take('collected');
    const refused = await update(id, {
      recruiter_go_next_round: true,
      recruiter_shortlist: true,
    });
    expect([refused.status, refused.body.name]).toEqual([422, 'recruiter_go_next_round']);
    expect(await read(id)).toMatchObject({ recruiter_go_next_round: null, recruiter_shortlist: false });
    const { recruiter_go_next_round: _, ...rest } = all;
    expect((await update(id, rest)).status).toBe(200);
    expect((await update(id, { recruiter_go_next_round: null })).body['updated_fields']).toEqual([]);
  });
});

async function rowOf(id: string) {
  const [row] = await platform.database.rows<{ updated_at: Date }>(
    'select updated_at from interview_result where id = $1',
    [id],
  );
  return row ?? { updated_at: null };
}
