import { interviewId } from '../../../local/seed/fixed-id';
import { startMailWorker } from '../../harness/people/mail-worker';
import type { MailWorker } from '../../harness/people/mail-worker';
import { everyOnce, newEmails, openSending, states } from '../../harness/people/sending';

let mailing: MailWorker;
beforeAll(async () => {
  mailing = await startMailWorker();
});
afterAll(() => mailing.stop());
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
    ['answers 500', { status: 500 }, 'the mail provider responded with 500', 60_000],
    ['resets the connection', { reset: true }, 'the mail provider cannot be reached', 60_000],
    // The provider delays one response, and the client gives up after 10 s. Within that time, even a slow machine
    // gets the other 99 responses.
    ['does not respond in time', { delay_ms: 600_000 }, 'the mail provider did not respond in time', 10_000],
    ['responds with 429 without a time', { status: 429 }, 'the mail provider responded with 429', 60_000],
  ])(
    'sends one mail of 100 with the next chunk when the provider %s for it',
    async (_what, fault, error, timeoutMs) => {
      const batch = await mailing.queue(newEmails(100));
      await mailing.fault(fault);
      const report = await sending.send(batch, mailing.activitiesWith({ timeoutMs }));
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

  it.each([{ status: 500 }, { reset: true }])(
    'records a mail as sent when the provider reports it after a call that ended in %j, and does not resend it',
    async (fault) => {
      const batch = await mailing.queue(newEmails(1));
      await mailing.fault({ ...fault, accept: true });
      expect(await sending.send(batch)).toMatchObject({ sent: 0, failed: 1, unsent: 1 });
      const [mail] = await mailing.mails(batch);
      await mailing.tell([mail?.id ?? '']);
      expect(await sending.send(batch)).toMatchObject({ sent: 0, failed: 0, unsent: 0 });
      expect(await mailing.mails(batch)).toMatchObject([
        { state: 'sent', attempts: 1, sent_at: expect.any(Date) },
      ]);
      expect(await sending.arrived(batch)).toEqual([1]);
    },
  );

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
