import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { remindOfSubmit } from '../../../activities/people/submit-reminders';
import { recordMailEvents, recordMailOutcomes } from '../../../db/people/mails';
import type { MailEvent } from '../../../db/people/mails';
import { openDatabase } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { errorFacts } from '../../../db/platform/error-facts';
import { openPool } from '../../../db/platform/pool';
import { merchants } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { startMailWorker } from '../../harness/people/mail-worker';
import type { MailWorker } from '../../harness/people/mail-worker';
import { everyOnce, newEmails, openSending, states } from '../../harness/people/sending';
import { openTestDatabase } from '../../harness/platform/database';
import { createDoor } from '../../harness/platform/door';
import { infrastructure } from '../../harness/platform/infrastructure';
import { waitFor } from '../../harness/wait-for';

describe('send-mails', () => {
  let mailing: MailWorker;
  beforeAll(async () => {
    mailing = await startMailWorker();
  });
  const sending = openSending(() => mailing);

  describe('sendMails', () => {
    it('sends chunks of 100 until no mail is left, each mail once with our ids', async () => {
      const batch = await mailing.queue(newEmails(201));
      const nothing = { rejected: 0, failed: 0, retry_after_ms: 0, last_error: null };
      expect(await sending.send(batch)).toEqual({ ...nothing, sent: 100, unsent: 101 });
      expect(await sending.send(batch)).toEqual({ ...nothing, sent: 100, unsent: 1 });
      expect(await sending.send(batch)).toEqual({ ...nothing, sent: 1, unsent: 0 });
      expect(await sending.send(batch)).toEqual({ ...nothing, sent: 0, unsent: 0 });
      expect(await sending.arrived(batch)).toEqual(everyOnce(201));
      const mails = await mailing.mails(batch);
      expect(states(mails)).toEqual(['sent']);
      for (const { attempts, message_id, sent_at, last_error } of mails)
        expect([attempts, typeof message_id, sent_at instanceof Date, last_error]).toEqual([
          1,
          'string',
          true,
          null,
        ]);
      expect(sending.told).toEqual([]);
    });

    it.each([
      ['resets the connection', { reset: true }, 'the mail provider cannot be reached'],
      ['responds with 429 without a time', { status: 429 }, 'the mail provider responded with 429'],
    ])(
      'sends one mail of 100 with the next chunk when the provider %s for it',
      async (_what, fault, error) => {
        const batch = await mailing.queue(newEmails(100));
        await mailing.fault(fault);
        const report = await sending.send(batch);
        expect(report).toEqual({
          sent: 99,
          rejected: 0,
          failed: 1,
          unsent: 1,
          retry_after_ms: 0,
          last_error: error,
        });
        const failed = (await mailing.mails(batch)).filter(({ state }) => state !== 'sent');
        expect(failed).toMatchObject([{ state: 'queued', attempts: 1, last_error: error, sent_at: null }]);
        await sending.sendAll(batch);
        expect((await mailing.mails(batch)).filter(({ attempts }) => attempts > 1)).toMatchObject([
          { id: failed[0]?.id, state: 'sent', attempts: 2 },
        ]);
        expect(await sending.arrived(batch)).toEqual(everyOnce(100));
      },
    );

    it('sends no new mail after a 429 with Retry-After and returns the wait', async () => {
      const batch = await mailing.queue(newEmails(100));
      await mailing.fault({ status: 429, headers: { 'retry-after': '7' } });
      const report = await sending.send(batch);
      expect(report.retry_after_ms).toBe(7_000);
      expect(report.last_error).toBe('the mail provider responded with 429');
      const mails = await mailing.mails(batch);
      const tried = mails.filter(({ attempts }) => attempts > 0);
      expect(report.unsent).toBe(mails.filter(({ state }) => state === 'queued').length);
      expect(tried.filter(({ state }) => state === 'queued')).toHaveLength(1);
      // Mails are sent 20 at a time. Before the failure of one mail is known, each of the other 19 lanes may begin one
      // more mail.
      expect(tried.length).toBeLessThanOrEqual(39);
      await sending.sendAll(batch);
      expect(await sending.arrived(batch)).toEqual(everyOnce(100));
    });

    it('fails one address of 100 for good when the provider rejects it', async () => {
      const batch = await mailing.queue(newEmails(100, ['rejected.secret']));
      expect(await sending.send(batch)).toMatchObject({
        sent: 99,
        rejected: 1,
        failed: 0,
        unsent: 0,
        last_error: null,
      });
      const refused = (await mailing.mails(batch)).filter(({ state }) => state === 'rejected');
      expect(refused).toMatchObject([
        { attempts: 1, last_error: 'the mail provider rejected the address', sent_at: null },
      ]);
      expect(refused[0]?.email).toMatch(/^rejected/);
      await sending.send(batch);
      const counts = await sending.arrived(batch);
      expect(new Map((await mailing.mails(batch)).map(({ state }, index) => [state, counts[index]]))).toEqual(
        new Map([
          ['sent', 1],
          ['rejected', 0],
        ]),
      );
    });

    it('tries few mails while the provider is unavailable and releases the others unchanged', async () => {
      const batch = await mailing.queue(newEmails(100));
      await mailing.fault({ status: 503, times: 1_000 });
      const report = await sending.send(batch);
      expect(report).toMatchObject({
        sent: 0,
        failed: 100,
        unsent: 100,
        last_error: 'the mail provider responded with 503',
      });
      const mails = await mailing.mails(batch);
      const [tried, untried] = [
        mails.filter(({ attempts }) => attempts === 1),
        mails.filter(({ attempts }) => attempts === 0),
      ];
      expect(tried.length + untried.length).toBe(100);
      expect(tried.length).toBeLessThanOrEqual(22);
      expect(states(mails)).toEqual(['queued']);
      expect([...new Set(untried.map(({ last_error }) => last_error))]).toEqual([null]);
      await mailing.clear();
      const more = await mailing.mails(batch);
      await sending.sendAll(batch);
      expect(await sending.arrived(batch)).toEqual(everyOnce(100));
      expect((await mailing.mails(batch)).map(({ attempts }) => attempts)).toEqual(
        more.map(({ attempts }) => attempts + 1),
      );
    });

    it('records a mail as sent when the provider reports it after a lost reply, and does not resend it', async () => {
      const batch = await mailing.queue(newEmails(1));
      await mailing.fault({ reset: true, accept: true });
      expect(await sending.send(batch)).toMatchObject({ sent: 0, failed: 1, unsent: 1 });
      const [mail] = await mailing.mails(batch);
      await mailing.tell([mail?.id ?? '']);
      expect(await sending.send(batch)).toMatchObject({ sent: 0, failed: 0, unsent: 0 });
      expect(await mailing.mails(batch)).toMatchObject([
        { state: 'sent', attempts: 1, sent_at: expect.any(Date) },
      ]);
      expect(await sending.arrived(batch)).toEqual([1]);
    });

    it('retries a mail whose text cannot be written, and sends the others once', async () => {
      const batch = await mailing.queue(newEmails(10));
      const [bad] = await mailing.mails(batch);
      await mailing.database.rows(`update interview set interview_available_till = 'secret' where id = $1`, [
        interviewId('second'),
      ]);
      await mailing.database.rows(
        'update enrolment set interview_id = $2 where id = (select enrolment_id from mail where id = $1)',
        [bad?.id, interviewId('second')],
      );
      const error = 'the mail could not be written';
      expect(await sending.send(batch)).toMatchObject({ sent: 9, failed: 1, unsent: 1, last_error: error });
      expect(await sending.send(batch)).toMatchObject({ sent: 0, failed: 1, unsent: 1, last_error: error });
      expect(await mailing.mails(batch)).toEqual([
        expect.objectContaining({ id: bad?.id, state: 'queued', attempts: 2, last_error: error }),
        ...Array.from({ length: 9 }, () => expect.objectContaining({ state: 'sent', attempts: 1 })),
      ]);
      expect(JSON.stringify(sending.told)).toContain(bad?.id);
      await mailing.database.rows('update interview set interview_available_till = null where id = $1', [
        interviewId('second'),
      ]);
      await sending.sendAll(batch);
      expect(await sending.arrived(batch)).toEqual(everyOnce(10));
    });
  });

  describe('giveUpMails', () => {
    it('gives up unsent mails, and still records one as sent when the provider reports it', async () => {
      const batch = await mailing.queue(newEmails(3));
      await mailing.fault({ status: 500, accept: true, times: 2 });
      expect(await sending.send(batch)).toMatchObject({ sent: 1, failed: 2 });
      await sending.environment().run(mailing.activities.giveUpMails, { batch_id: batch });
      const mails = await mailing.mails(batch);
      expect(mails.map(({ state }) => state).sort()).toEqual(['gave_up', 'gave_up', 'sent']);
      const given = mails.find(({ state }) => state === 'gave_up');
      await mailing.tell([given?.id ?? '']);
      expect((await mailing.mails(batch)).find(({ id }) => id === given?.id)?.state).toBe('sent');
      expect(await sending.send(batch)).toMatchObject({ sent: 0, unsent: 0 });
      sending.told.length = 0;
    });
  });
});

describe('send-mails-interrupted', () => {
  let mailing: MailWorker;
  /** `behind` is a database that is reached through the proxy `door`. A test can close the proxy. */
  let door: Awaited<ReturnType<typeof createDoor>>;
  let behind: Database;
  beforeAll(async () => {
    mailing = await startMailWorker();
    door = await createDoor(`127.0.0.1:${infrastructure().postgresPort}`);
    await door.open();
    const url = new URL(mailing.database.workerUrl);
    url.port = String(door.port);
    behind = openTestDatabase(url.href, 2);
  });
  const sending = openSending(() => mailing);

  describe('sendMails, interrupted', () => {
    it('records a mail as sent when the event arrives before the failed response', async () => {
      const batch = await mailing.queue(newEmails(1));
      await mailing.fault({ accept: true, status: 500 });
      const gate = await sending.openGate();
      const call = sending.send(batch, mailing.activitiesWith({ providerUrl: gate.url }));
      await waitFor('the mail', async () => (await sending.arrived(batch))[0] === 1);
      const [mail] = await mailing.mails(batch);
      expect(mail?.state).toBe('sending');
      await mailing.tell([mail?.id ?? ''], 'delivered');
      gate.letGo();
      expect(await call).toMatchObject({ unsent: 0 });
      expect(await mailing.mails(batch)).toMatchObject([{ state: 'sent', attempts: 1 }]);
    });

    it('skips the mails of a dead worker that events report as sent, and resends the others', async () => {
      const batch = await mailing.queue(newEmails(4));
      const before = await mailing.mails(batch);
      await mailing.database.rows(`update mail set state = 'sending', attempts = 1 where batch_id = $1`, [
        batch,
      ]);
      await mailing.tell(before.slice(0, 3).map(({ id }) => id));
      expect(await sending.send(batch)).toMatchObject({ sent: 1, unsent: 0 });
      expect(await sending.arrived(batch)).toEqual([0, 0, 0, 1]);
      expect((await mailing.mails(batch)).map(({ state, attempts }) => [state, attempts])).toEqual([
        ...[1, 1, 1].map((attempts) => ['sent', attempts]),
        ['sent', 2],
      ]);
      // The activity logs that it sends one mail again, which the provider may already have sent.
      expect(sending.told).toMatchObject([{ message: 'retrying mails', meta: { mails: 1 } }]);
      sending.told.length = 0;
    });

    it.each(['CANCELLED', 'WORKER_SHUTDOWN'] as const)(
      'tries no more mails when it is ended by %s, while those in flight may be sent',
      async (reason) => {
        const batch = await mailing.queue(newEmails(100));
        await mailing.fault({ delay_ms: 600_000, times: 1_000 });
        const at = sending.environment();
        const call = sending.send(batch, mailing.activities, at);
        await waitFor('20 to be under way', async () => (await mailing.faultsLeft()) === 980);
        at.cancel(reason);
        expect(await call).toEqual({
          sent: 0,
          rejected: 0,
          failed: 100,
          unsent: 100,
          retry_after_ms: 0,
          last_error: 'the call was cancelled',
        });
        const mails = await mailing.mails(batch);
        expect(states(mails)).toEqual(['queued']);
        expect(mails.filter(({ attempts }) => attempts === 1)).toHaveLength(20);
        expect(mails.filter(({ attempts }) => attempts === 0)).toHaveLength(80);
      },
    );

    it('tries nothing when it is ended before it has claimed mails', async () => {
      const batch = await mailing.queue(newEmails(3));
      const at = sending.environment();
      at.cancel('CANCELLED');
      expect(await sending.send(batch, mailing.activities, at)).toMatchObject({
        sent: 0,
        failed: 3,
        last_error: null,
      });
      expect((await mailing.mails(batch)).map(({ state, attempts }) => [state, attempts])).toEqual(
        [1, 2, 3].map(() => ['queued', 0]),
      );
      expect(await sending.arrived(batch)).toEqual([0, 0, 0]);
    });

    it('records the outcomes after an outage of Postgres and sends nothing twice', async () => {
      const batch = await mailing.queue(newEmails(5));
      const gate = await sending.openGate();
      let failures = 0;
      const counting: Pick<Database, 'writeAsWorker'> = {
        writeAsWorker: (work) =>
          behind.writeAsWorker(work).catch((error: unknown) => {
            failures += 1;
            throw error;
          }),
      };
      const call = sending.send(batch, mailing.activitiesWith({ door: counting, providerUrl: gate.url }));
      call.catch(() => undefined);
      await waitFor('the mails', async () => (await sending.arrived(batch)).every((count) => count === 1));
      await door.close();
      gate.letGo();
      await waitFor('an outcome that cannot be recorded', async () => failures > 0);
      expect(states(await mailing.mails(batch))).toEqual(['sending']);
      await door.open();
      expect(await call).toMatchObject({ sent: 5, unsent: 0 });
      expect((await mailing.mails(batch)).map(({ state, attempts }) => [state, attempts])).toEqual(
        [1, 2, 3, 4, 5].map(() => ['sent', 1]),
      );
      expect(await sending.arrived(batch)).toEqual(everyOnce(5));
    });

    it('ignores the outcome of a claim that another worker has taken over', async () => {
      const batch = await mailing.queue(newEmails(1));
      await mailing.fault({ status: 500 });
      const [early, late] = [await sending.openGate(), await sending.openGate()];
      const first = sending.send(batch, mailing.activitiesWith({ providerUrl: early.url }));
      await waitFor('the first call', async () => (await mailing.faultsLeft()) === 0);
      const second = sending.send(batch, mailing.activitiesWith({ providerUrl: late.url }));
      await waitFor('the second call', async () => (await sending.arrived(batch))[0] === 1);
      // Now the first call gets its failure, while the second call, which has taken over the claim, is still running.
      early.letGo();
      await first;
      expect(await mailing.mails(batch)).toMatchObject([{ state: 'sending', attempts: 2, last_error: null }]);
      late.letGo();
      expect(await second).toMatchObject({ sent: 1, unsent: 0 });
      expect(await mailing.mails(batch)).toMatchObject([{ state: 'sent', attempts: 2, last_error: null }]);
      sending.told.length = 0;
    });

    it('fails with an error without personal data when Postgres is unavailable from the start', async () => {
      const away = openDatabase(
        openPool({
          url: 'postgres://nobody:secret@127.0.0.1:1/none',
          size: 1,
          applicationName: 'test',
          onIdleError: () => undefined,
        }),
      );
      const error: unknown = await sending
        .send(randomUUID(), mailing.activitiesWith({ door: away }))
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'ECONNREFUSED' });
      sending.told.push(errorFacts(error), JSON.stringify(error));
      await away.close();
    });
  });

  describe('events and outcomes of the same mails', () => {
    it('lock their rows in one order, so that they cannot deadlock', async () => {
      const { database } = mailing;
      // With these kinds of plans disabled, Postgres locks the rows in the order of the list in the statement, as it
      // does in a table of millions of rows.
      for (const plan of ['hashjoin', 'mergejoin', 'seqscan', 'bitmapscan', 'material'])
        await database.rows(
          `do $$ begin execute format('alter database %I set enable_${plan} = off', current_database()); end $$`,
        );
      const open = (url: string) =>
        openDatabase(openPool({ url, size: 4, applicationName: 'test', onIdleError: () => undefined }));
      const [worker, api] = [open(database.workerUrl), open(database.apiUrl)];
      const batch = await mailing.queue(Array.from({ length: 300 }, (_, index) => `p${index}@locks.example`));
      const ids = (await mailing.mails(batch)).map(({ id }) => id);
      const at = new Date().toISOString();
      const tell = (event: MailEvent['event']) => {
        const events = ids.map((mail_id) => ({ mail_id, event, at, reason: null }));
        return api.write({ kind: 'mail_hook' }, (trx) => trx.count(recordMailEvents(events)));
      };
      // Outcomes are recorded in the order in which the provider responded, which is reversed here.
      const outcomes = ids
        .toReversed()
        .map((id) => ({ id, attempts: 1, state: 'sent' as const, error: null, message_id: null }));
      for (let round = 0; round < 8; round++) {
        await database.rows(`update mail set state = 'sending', attempts = 1 where batch_id = $1`, [batch]);
        await Promise.all([
          tell('opened'),
          worker.writeAsWorker((trx) => trx.count(recordMailOutcomes(outcomes))),
        ]);
      }
      const [row] = await database.rows<{ deadlocks: number }>(
        'select deadlocks::int from pg_stat_database where datname = current_database()',
      );
      expect(row?.deadlocks).toBe(0);
      await Promise.all([worker.close(), api.close()]);
    });
  });
});

describe('remindOfSubmit', () => {
  let workflow: MailWorker;
  beforeAll(async () => {
    workflow = await startMailWorker();
  });

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

  it.each([
    ['interview', false],
    ['coaching', true],
  ])('names the privacy notice for the type: %s', async (type, isPractice) => {
    await setInterview(`type = '${type}'`)();
    const enrolment = await collected();
    await remind();
    const batch = (await mailsOf(enrolment))[0]?.batch_id ?? '';
    await sendMails(batch);
    const sent = (await workflow.mailbox()).find(({ custom_args: args }) => args['batch_id'] === batch);
    await setInterview(`type = 'interview'`)();
    expect(/privacy\S+/.exec(sent?.text ?? '')?.[0].includes('practice=true')).toBe(isPractice);
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
