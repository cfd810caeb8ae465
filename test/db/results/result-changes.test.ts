import { openDatabases, takeInterview } from '../../../local/demo/candidate';
import { cloneWithSteps, enrolmentsOf, peopleCalls } from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import type { CallOptions } from '../../harness/platform/platform';
import { meetAtRow } from '../../harness/platform/row-lock';

let platform: Operations;
let databases: ReturnType<typeof openDatabases>;
beforeAll(async () => {
  platform = await openOperations();
  databases = openDatabases(platform.database);
});
afterAll(async () => {
  await databases.close();
});

const update = (interview_result_id: unknown, fields: Record<string, unknown>, options: CallOptions = {}) =>
  platform.call('job-interview-result-update', { body: { interview_result_id, ...fields }, ...options });
const read = async (interview_result_id: string, more: Record<string, string> = {}) =>
  (await platform.call('job-interview-details', { query: { interview_result_id, ...more } })).body;
const acts = (id: string) =>
  platform.database.rows<{ act: string; details: Record<string, unknown>; actor_role: string }>(
    'select act, details, actor_role from audit_entry where subject_id = $1 order by id',
    [id],
  );
const take = async (
  until: 'collected' | 'submitted' | 'scored' = 'scored',
  changes: Record<string, unknown> = {},
) => {
  const interview_id = await cloneWithSteps(platform.database, changes);
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
  stage: 'Offer negotiations',
};

describe('job-interview-result-update', () => {
  it('stores all fields, records who did it, and changes nothing the second time', async () => {
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
          stage: 'Offer negotiations',
        },
      },
    ]);
  });

  it('changes only the field that is sent, also to null, false and an empty value', async () => {
    const id = await take();
    await update(id, all);
    let stored: Record<string, unknown> = all;
    for (const [field, value, stage = stored['stage']] of [
      ['recruiter_go_next_round', false, 'Rejected'],
      ['recruiter_go_next_round', null, 'Interview 1st completed'],
      ['recruiter_go_next_round', true, 'Interview 2nd planned'],
      ['stage', 'Hired', 'Hired'],
      ['user_feedback_recruiter', ''],
      ['user_feedback_recruiter', null],
      ['recruiter_risks', []],
      ['recruiter_risks', null],
      ['recruiter_shortlist', false],
      ['stage', null, null],
    ] as const) {
      stored = { ...stored, [field]: value, stage };
      expect((await update(id, { [field]: value })).body['updated_fields']).toEqual([field]);
      expect(await read(id)).toMatchObject(stored);
    }
  });

  it.each([
    ['a learner', { type: 'coaching' }, 'type'],
    ['a test', {}, 'is_test'],
  ])('returns 422 for the stage of %s, and stores nothing', async (_, changes, cause) => {
    const id = await take('submitted', changes);
    if (cause === 'is_test')
      await platform.database.rows('update interview_result set is_test = true where id = $1', [id]);
    const refused = await update(id, { stage: 'Hired', recruiter_shortlist: true });
    expect([refused.status, refused.body.name]).toEqual([422, 'stage']);
    expect(await read(id)).toMatchObject({ stage: null, recruiter_shortlist: false });
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

const reopen = (interview_result_id: unknown, options: CallOptions = {}) =>
  platform.call('job-interview-result-request-another-attempt', {
    body: { interview_result_id },
    ...options,
  });

describe('job-interview-result-request-another-attempt', () => {
  it('makes a submitted result an undecided draft again, and keeps its attempt', async () => {
    const result_id = await take();
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
      attempt_count: 2,
      result_status: 'active',
      recruiter_go_next_round: true,
      recruiter_shortlist: true,
      stage: 'Interview 1st planned',
    });
  });

  it('mails the candidate a new link only if the setting is on', async () => {
    const { rows } = platform.database;
    for (const isOn of [false, true]) {
      const result_id = await take();
      await rows('update merchant set mail_reopened = $2 where id = $1', [platform.stack.merchant_id, isOn]);
      const sent = () => rows('select invitations_sent from credit_account order by 1');
      const sentBefore = await sent();
      expect((await reopen(result_id)).status).toBe(200);
      const [enrolment] = await rows(
        `select e.invited_at is not null as is_invited, (
           select count(*)::int from mail m join workflow_start w on w.argument ->> 'batch_id' = m.batch_id::text
           where m.enrolment_id = e.id and m.kind = 'retry_invitation'
         ) as mails
         from enrolment e join interview_result r on r.enrolment_id = e.id where r.id = $1`,
        [result_id],
      );
      expect(enrolment).toEqual({ is_invited: isOn, mails: isOn ? 1 : 0 });
      expect(await sent()).toEqual(sentBefore);
    }
    await rows('update merchant set mail_reopened = false where id = $1', [platform.stack.merchant_id]);
  });

  it('returns 422 the second time, also at the same time, and records one act', async () => {
    const result_id = await take();
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
});

const rescore = (interview_result_id: string) =>
  platform.call('job-interview-result-rescore', { body: { interview_result_id } });
/** Deletes the outbox rows of workflows that have not started yet, as the worker does after it has started them. */
const emptyOutbox = (id: string) =>
  platform.database.rows(`delete from workflow_start where argument ->> 'result_id' = $1`, [id]);

describe('job-interview-result-rescore', () => {
  it('accepts one of several calls, and no other one before its workflow starts', async () => {
    const id = await take('submitted');
    await platform.database.rows(`update score_record set state = 'failed' where result_id = $1`, [id]);
    const replies = await Promise.all([rescore(id), rescore(id), rescore(id)]);
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409,
    ]);
    expect((await rescore(id)).status).toBe(409);
  });

  it('accepts a call for a run whose workflow was started and has ended', async () => {
    const id = await take('submitted');
    await emptyOutbox(id);
    const replies = await Promise.all([rescore(id), rescore(id)]);
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(replies.find(({ status }) => status === 200)?.body).toMatchObject({ run: 2 });
  });
});

describe('job-interview-result-override-score', () => {
  it('queues a PDF of its own for each change, because a PDF in progress may show the scores before it', async () => {
    const result_id = await take('scored', { pdf_export_auto_config: '{}' });
    const [question] = await platform.database.rows<{ id: string }>(
      'select id from result_question where result_id = $1 and is_answer limit 1',
      [result_id],
    );
    for (const body of [{ score: 3 }, { score: 4 }, { score: 4.5, result_question_id: question?.id }])
      expect(
        await platform.call('job-interview-result-override-score', {
          body: { interview_result_id: result_id, reason: 'Heard the recording.', ...body },
        }),
      ).toMatchObject({ status: 200 });
    const queued = await platform.database.rows<{ workflow_id: string }>(
      `select distinct workflow_id from workflow_start where workflow_type = 'resultPdf'
         and argument ->> 'result_id' = $1`,
      [result_id],
    );
    expect(queued).toHaveLength(3);
  });
});
