import { MockActivityEnvironment } from '@temporalio/testing';
import type { MailChunkReport } from '../../../activities/people/invitations';
import type { ReminderKind, ReminderPlan } from '../../../db/people/reminders';
import { merchants } from '../../../local/seed/accounts';
import { interviewId, positionIds } from '../../../local/seed/fixed-id';
import { startMailWorker } from '../../harness/people/mail-worker';
import type { MailWorker } from '../../harness/people/mail-worker';
import { waitFor } from '../../harness/wait-for';

let workflow: MailWorker;
beforeAll(async () => {
  workflow = await startMailWorker();
});
beforeEach(() => setReminders('3 days', '7 days'));

const setReminders = (reminder: string | null, final: string | null) =>
  workflow.database.rows('update merchant set reminder_after = $2, final_reminder_after = $3 where id = $1', [
    merchants.main.id,
    reminder,
    final,
  ]);
const run = () => new MockActivityEnvironment();
const sendMails = (batch_id: string): Promise<MailChunkReport> =>
  run().run(workflow.activities.sendMails, { batch_id });
const plan = (batch_id: string): Promise<ReminderPlan> =>
  run().run(workflow.activities.planReminders, { batch_id });
const queueReminders = (batch_id: string, kind: ReminderKind = 'reminder'): Promise<{ queued: number }> =>
  run().run(workflow.activities.queueReminders, { batch_id, kind });

let count = 0;
/** Creates a batch with one sent mail. */
async function invited(changes: Parameters<MailWorker['queue']>[1] = {}): Promise<string> {
  const batch = await workflow.queue([`candidate${++count}@reminders.example`], changes);
  await run().run(workflow.activities.sendMails, { batch_id: batch });
  return batch;
}
const remindersOf = async (batch: string) =>
  (await workflow.mails(batch)).filter(({ kind }) => kind !== 'candidate_invitation').map(({ kind }) => kind);
const dayMs = 86_400_000;
const active = interviewId('active');
const setInterview = (column: string, value: unknown) =>
  workflow.database.rows(`update interview set ${column} = $2 where id = $1`, [active, value]);
/** Inserts a result, which means that the candidate of the batch has begun the interview. */
const result = (isTest: boolean) => (batch: string) =>
  workflow.database.rows(
    `insert into interview_result (merchant_id, environment, interview_id, enrolment_id, is_test, interview_status)
     select merchant_id, environment, interview_id, id, $2, 'started' from enrolment
     where id = (select enrolment_id from mail where batch_id = $1 limit 1)`,
    [batch, isTest],
  );
const withdraw = (batch: string) =>
  workflow.database.rows(
    'update enrolment set invited_at = null where id = (select enrolment_id from mail where batch_id = $1)',
    [batch],
  );
const nothing = () => Promise.resolve();
/** Gives the candidate of the batch another email address, as a new registration does. */
const changeAddress = (batch: string) =>
  workflow.database.rows(
    `with person as (
       insert into profile (merchant_id, role, email, email_key)
       select merchant_id, 'candidate', 'new.' || email, 'new.' || email_key from profile
       where id = (select profile_id from mail where batch_id = $1 limit 1)
       returning id, email, email_key
     )
     update enrolment e set profile_id = person.id, email = person.email, email_key = person.email_key from person
     where e.id = (select enrolment_id from mail where batch_id = $1 limit 1)`,
    [batch],
  );

describe('planReminders', () => {
  it('counts from the invitation, not from the sending of its mails', async () => {
    const batch = await invited();
    await workflow.database.rows(
      `update invitation_batch set created_at = created_at - interval '1 day' where id = $1`,
      [batch],
    );
    const { reminder, final_reminder } = await plan(batch);
    for (const [wait, days] of [
      [reminder, 2],
      [final_reminder, 6],
    ] as const) {
      expect(wait).toBeLessThanOrEqual(days * dayMs);
      expect(wait).toBeGreaterThan(days * dayMs - 3_600_000);
      expect(Number.isInteger(wait)).toBe(true);
    }
  });

  it.each([
    [null, '7 days', [null, expect.any(Number)]],
    ['3 days', null, [expect.any(Number), null]],
    [null, null, [null, null]],
  ])(
    'plans only the reminders that the merchant has turned on: first after %s, final after %s',
    async (reminder, final, expected) => {
      await setReminders(reminder, final);
      const planned = await plan(await invited());
      expect([planned.reminder, planned.final_reminder]).toEqual(expected);
    },
  );

  it.each<[string, () => Promise<string>]>([
    ['of a team', () => invited({ kind: 'team_invitation' })],
    ['of coaching', () => invited({ kind: 'coaching_invitation' })],
    ['of a test', () => invited({ isTest: true })],
    ['without mails', () => workflow.queue([])],
    ['that does not exist', () => Promise.resolve('00000000-0000-4000-8000-00000000dead')],
  ])('plans nothing for a batch %s', async (_what, make) => {
    expect(await plan(await make())).toEqual({ reminder: null, final_reminder: null });
  });
});

describe('queueReminders', () => {
  it('queues one reminder of each kind for candidates who have not begun, with the same link generation, however often it runs', async () => {
    const batch = await invited();
    for (const kind of ['reminder', 'reminder', 'final_reminder', 'final_reminder'] as const) {
      await queueReminders(batch, kind);
      await run().run(workflow.activities.sendMails, { batch_id: batch });
      expect(await queueReminders(batch, kind)).toEqual({ queued: 0 });
    }
    expect(await remindersOf(batch)).toEqual(['reminder', 'final_reminder']);
    const texts = (await workflow.mailbox()).filter(({ custom_args: args }) => args['batch_id'] === batch);
    const links = texts.map(({ text }) => /https:\/\/portal\.example\S+/.exec(text)?.[0] ?? '');
    const opened = await Promise.all(
      links.map((link) =>
        workflow.links.openInterviewLink(new URL(link).searchParams.get('interview_token') ?? ''),
      ),
    );
    expect(opened.map((link) => link?.generation)).toEqual([1, 1, 1]);
    expect(new Set(opened.map((link) => link?.enrolmentId)).size).toBe(1);
  });

  it('returns the same result when it runs again after its result was lost', async () => {
    const batch = await invited();
    expect(await queueReminders(batch)).toEqual({ queued: 1 });
    expect(await queueReminders(batch)).toEqual({ queued: 1 });
    expect(await remindersOf(batch)).toEqual(['reminder']);
  });

  /**
   * Invites the candidate of the batch in another batch as well. The second invitation is later than the first one by
   * the interval `later`, or earlier if the interval is negative.
   */
  const inviteAnew = (later: string) => async (batch: string) => {
    const other = await workflow.queue([]);
    await workflow.database.rows(
      `insert into mail (merchant_id, environment, batch_id, kind, profile_id, enrolment_id, created_at)
       select merchant_id, environment, $2, kind, profile_id, enrolment_id, created_at + $3::interval
       from mail where batch_id = $1`,
      [batch, other, later],
    );
  };
  const mail = (changes: string) => (batch: string) =>
    workflow.database.rows(`update mail set ${changes} where batch_id = $1`, [batch]);
  const iso = (fromNowMs: number) => new Date(Date.now() + fromNowMs).toISOString();
  const date = (fromNowMs: number) => iso(fromNowMs).slice(0, 10);

  /**
   * Makes today the interview's last day. In the last minute of a day, first waits for the next day, so that the day
   * does not end during the test.
   */
  const lastDayIsToday = async () => {
    await waitFor('the next day', async () => Date.now() % dayMs < dayMs - 60_000, 65_000);
    await setInterview('interview_available_till', date(0));
  };

  it.each<[string, number, (batch: string) => Promise<unknown>]>([
    ['nothing has happened', 1, nothing],
    ['the candidate has begun', 0, result(false)],
    ['the candidate was withdrawn', 0, withdraw],
    ['the candidate has tried out the interview as a test', 1, result(true)],
    ['the interview is archived', 0, () => setInterview('status', 'archived')],
    ['the interview is a draft again', 0, () => setInterview('status', 'draft')],
    ['its time is over', 0, () => setInterview('interview_available_till', iso(-1_000))],
    ['its time is not over yet', 1, () => setInterview('interview_available_till', iso(3_600_000))],
    ['its last day is today', 1, lastDayIsToday],
    ['its last day was yesterday', 0, () => setInterview('interview_available_till', date(-dayMs))],
    ['the candidate was invited again', 0, inviteAnew('1 hour')],
    ['the candidate had been invited before', 1, inviteAnew('-1 hour')],
    ['the mail bounced', 0, mail('bounced_at = now()')],
    ['the mail was refused', 0, mail(`state = 'rejected'`)],
    ['the mail was given up', 0, mail(`state = 'gave_up'`)],
    ['the mail was opened', 1, mail('opened_at = now()')],
    ['the merchant has turned reminders off', 0, () => setReminders(null, '7 days')],
    ['the merchant has turned final reminders off', 1, () => setReminders('3 days', null)],
  ])('queues, when %s, this number of reminders: %d', async (_what, expected, happen) => {
    const batch = await invited();
    await happen(batch);
    const { queued } = await queueReminders(batch);
    await setInterview('status', 'active');
    await setInterview('interview_available_till', null);
    expect([queued, (await remindersOf(batch)).length]).toEqual([expected, expected]);
  });

  it.each([
    ['active', null, 1],
    ['archived', null, 0],
    ['active', '2001-01-01', 0],
  ])(
    'follows the status and end of the position, here %s until %s, and not those of its first step',
    async (status, till, expected) => {
      const batch = await invited({ interview: 'screening' });
      await workflow.database.rows(
        'update enrolment set position_id = $2 where id = (select enrolment_id from mail where batch_id = $1)',
        [batch, positionIds.main],
      );
      await workflow.database.rows(
        'update position set status = $2, interview_available_till = $3 where id = $1',
        [positionIds.main, status, till],
      );
      await workflow.database.rows(`update interview set status = 'archived' where id = $1`, [
        interviewId('screening'),
      ]);
      expect(await queueReminders(batch)).toEqual({ queued: expected });
      await workflow.database.rows(`update interview set status = 'active' where id = $1`, [
        interviewId('screening'),
      ]);
    },
  );
});

describe('a reminder that waits for the provider', () => {
  it.each<[string, string, (batch: string) => Promise<unknown>]>([
    ['nothing happens', 'sent', nothing],
    ['the candidate begins', 'withdrawn', result(false)],
    ['the interview is archived', 'withdrawn', () => setInterview('status', 'archived')],
    ['its time is over', 'withdrawn', () => setInterview('interview_available_till', '2001-01-01')],
    ['the candidate gets another address', 'withdrawn', changeAddress],
    ['the merchant turns reminders off', 'withdrawn', () => setReminders(null, null)],
  ])('is checked again before it is sent: when %s, it is %s', async (_what, expected, happen) => {
    for (const kind of ['reminder', 'final_reminder'] as const) {
      const batch = await invited();
      await queueReminders(batch, kind);
      await happen(batch);
      const { unsent } = await sendMails(batch);
      await setInterview('status', 'active');
      await setInterview('interview_available_till', null);
      await setReminders('3 days', '7 days');
      const states = (await workflow.mails(batch)).map((mail) => [mail.kind, mail.state]);
      expect([unsent, states]).toEqual([
        0,
        [
          ['candidate_invitation', 'sent'],
          [kind, expected],
        ],
      ]);
    }
  });
});

describe('an invitation that is not sent yet', () => {
  it('is withdrawn without an attempt when the candidate gets another address', async () => {
    const batch = await workflow.queue([`candidate${++count}@reminders.example`]);
    await changeAddress(batch);
    expect(await sendMails(batch)).toMatchObject({ sent: 0, unsent: 0 });
    expect(await workflow.mails(batch)).toMatchObject([{ state: 'withdrawn', attempts: 0 }]);
  });
});
