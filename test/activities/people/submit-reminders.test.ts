import { MockActivityEnvironment } from '@temporalio/testing';
import { remindOfSubmit } from '../../../activities/people/submit-reminders';
import { merchants } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { startMailWorker } from '../../harness/people/mail-worker';
import type { MailWorker } from '../../harness/people/mail-worker';

let workflow: MailWorker;
beforeAll(async () => {
  workflow = await startMailWorker();
});
afterAll(() => workflow.stop());

const active = interviewId('active');
const remind = () => remindOfSubmit(workflow.worker);
const sendMails = (batch_id: string) =>
  new MockActivityEnvironment().run(workflow.activities.sendMails, { batch_id });
let count = 0;
/** Creates a candidate whose attempt ended this many hours ago and is not submitted. Returns the enrolment's id. */
async function collected({ hours = 25, isTest = false, environment = 'production' } = {}): Promise<string> {
  const [row] = await workflow.database.rows<{ id: string }>(
    `with person as (
       insert into profile (merchant_id, role, name, email, email_key)
       values ($1, 'candidate', 'Ann Secret', $2, $2) returning id, name, email, email_key
     ), candidate as (
       insert into enrolment (merchant_id, environment, interview_id, profile_id, name, email, email_key)
       select $1, $3, $4, id, name, email, email_key from person returning *
     )
     insert into interview_result (merchant_id, environment, interview_id, enrolment_id, is_test, interview_status, ended_at)
     select merchant_id, environment, interview_id, id, $5, 'completed', now() - make_interval(hours => $6)
     from candidate returning enrolment_id as id`,
    [merchants.main.id, `candidate${++count}@submits.example`, environment, active, isTest, hours],
  );
  return row?.id ?? '';
}
const mailsOf = (enrolment: string) =>
  workflow.database.rows<{ batch_id: string; state: string }>(
    `select batch_id, state from mail where enrolment_id = $1 and kind = 'submit_reminder'`,
    [enrolment],
  );
const change = (assignment: string) => (enrolment: string) =>
  workflow.database.rows(`update interview_result set ${assignment} where enrolment_id = $1`, [enrolment]);
const setInterview = (assignment: string) => () =>
  workflow.database.rows(`update interview set ${assignment} where id = $1`, [active]);
const openInterview = setInterview(`status = 'active', interview_available_till = null`);
const bounce = (enrolment: string) =>
  workflow.database.rows(
    `with batch as (
       insert into invitation_batch (merchant_id, environment, platform_language_code)
       select merchant_id, environment, 'en' from enrolment where id = $1 returning id
     )
     insert into mail (merchant_id, environment, batch_id, kind, profile_id, enrolment_id, state, bounced_at)
     select e.merchant_id, e.environment, batch.id, 'candidate_invitation', e.profile_id, e.id, 'sent', now()
     from enrolment e, batch where e.id = $1`,
    [enrolment],
  );
const nothing = () => Promise.resolve([]);
const submit = change(`status = 'active', submitted_at = now(), processing_status = 'queued'`);
const decide = change('recruiter_go_next_round = false');

describe('remindOfSubmit', () => {
  it('mails a candidate the link once, also if workers look at the same time and again', async () => {
    const enrolment = await collected();
    await Promise.all([remind(), remind(), remind()]);
    await remind();
    const mails = await mailsOf(enrolment);
    expect(mails).toHaveLength(1);
    const batch = mails[0]?.batch_id ?? '';
    const starts = await workflow.database.rows(
      'select workflow_type from workflow_start where workflow_id = $1',
      [`invitation-batch/${batch}`],
    );
    expect(starts).toEqual([{ workflow_type: 'invitationBatch' }]);
    expect(await sendMails(batch)).toMatchObject({ sent: 1, unsent: 0 });
    const sent = (await workflow.mailbox()).filter(({ custom_args: args }) => args['batch_id'] === batch);
    expect(sent).toHaveLength(1);
    const link = /https:\/\/portal\.example\S+/.exec(sent[0]?.text ?? '')?.[0] ?? '';
    const token = new URL(link).searchParams.get('interview_token') ?? '';
    expect(await workflow.links.openInterviewLink(token)).toMatchObject({ enrolmentId: enrolment });
    await remind();
    expect(await mailsOf(enrolment)).toHaveLength(1);
  });

  it.each<[string, number, Parameters<typeof collected>[0], (enrolment: string) => Promise<unknown>]>([
    ['nothing has happened', 1, {}, nothing],
    ['a day is not over', 0, { hours: 23 }, nothing],
    ['two days are over', 0, { hours: 49 }, nothing],
    ['the answers are submitted', 0, {}, submit],
    ['the attempt still runs', 0, {}, change(`interview_status = 'started'`)],
    ['the attempt ended without a result', 0, {}, change(`interview_status = 'abandoned'`)],
    ['a recruiter has decided', 0, {}, decide],
    ['it is a test', 0, { isTest: true }, nothing],
    ['the interview is archived', 0, {}, setInterview(`status = 'archived'`)],
    ['the interview is deleted', 0, {}, setInterview(`status = 'deleted'`)],
    ['its time is over', 0, {}, setInterview(`interview_available_till = '2001-01-01'`)],
    ['an earlier mail bounced', 0, {}, bounce],
    ['the person is no test recipient', 0, { environment: 'uat' }, nothing],
  ])('queues, when %s, this number of mails: %d', async (_what, expected, options, happen) => {
    const enrolment = await collected(options);
    await happen(enrolment);
    await remind();
    await openInterview();
    expect(await mailsOf(enrolment)).toHaveLength(expected);
    await change(`interview_status = 'abandoned'`)(enrolment);
  });

  it.each<[string, string, (enrolment: string) => Promise<unknown>]>([
    ['nothing happens', 'sent', nothing],
    ['the candidate submits', 'withdrawn', submit],
    ['a recruiter decides', 'withdrawn', decide],
    ['the interview is archived', 'withdrawn', setInterview(`status = 'archived'`)],
    ['its time is over', 'withdrawn', setInterview(`interview_available_till = '2001-01-01'`)],
  ])(
    'queues a mail that is checked again before it is sent: when %s, it is %s',
    async (_what, state, happen) => {
      const enrolment = await collected();
      await remind();
      await happen(enrolment);
      await sendMails((await mailsOf(enrolment))[0]?.batch_id ?? '');
      await openInterview();
      expect(await mailsOf(enrolment)).toMatchObject([{ state }]);
    },
  );
});
