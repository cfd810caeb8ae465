import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { ChunkReport, InvitationActivities } from '../../../activities/people/invitations';
import { errorFacts } from '../../../db/platform/error-facts';
import { openPool } from '../../../db/platform/pool';
import { openDatabase } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { interviewId } from '../../../local/seed/interviews';
import { startAnswerGate } from '../../harness/platform/answer-gate';
import { createDoor } from '../../harness/platform/door';
import { infrastructure } from '../../harness/platform/infrastructure';
import { waitFor } from '../../harness/wait-for';
import { startMailWorker } from '../../harness/people/mail-worker';
import type { MailWorker, MailRow } from '../../harness/people/mail-worker';

let mailing: MailWorker;
/** The connections of `behind` go through the proxy `door`, which a test can close. */
let door: Awaited<ReturnType<typeof createDoor>>;
let behind: Database;
beforeAll(async () => {
  mailing = await startMailWorker();
  door = await createDoor(`127.0.0.1:${infrastructure().postgresPort}`);
  await door.open();
  const url = new URL(mailing.database.workerUrl);
  url.port = String(door.port);
  behind = openDatabase(
    openPool({ url: url.href, size: 2, applicationName: 'test', onIdleError: () => undefined }),
  );
});
afterAll(async () => {
  await door.close();
  await Promise.all([behind.close(), mailing.stop()]);
});
/** The log lines and heartbeats of the activities. They are readable to people who run the platform. */
let [told, beats]: [unknown[], unknown[]] = [[], []];
beforeEach(() => void ([told, beats] = [[], []]));
afterEach(async () => {
  await mailing.clear();
  expect(JSON.stringify([told, beats])).not.toMatch(/secret|portal\.example/i);
});

/** Returns unique addresses. */
const people = (count: number, first: string[] = []): string[] => {
  const domain = `${randomUUID()}.example`;
  return [...first, ...Array.from({ length: count - first.length }, (_, index) => `secret${index}`)].map(
    (name) => `${name}@${domain}`,
  );
};
function environment(): MockActivityEnvironment {
  const logger = new DefaultLogger('INFO', ({ message, meta }) => void told.push({ message, meta }));
  const created = new MockActivityEnvironment({}, { logger });
  created.on('heartbeat', (details: unknown) => beats.push(details));
  return created;
}
const send = (
  batch_id: string,
  activities: InvitationActivities = mailing.activities,
  at = environment(),
): Promise<ChunkReport> => at.run(activities.sendMails, { batch_id });
/** Sends until nothing is left, as the workflow does. */
async function sendAll(batchId: string): Promise<void> {
  while ((await send(batchId)).unsent > 0);
}
const states = (mails: MailRow[]) => [...new Set(mails.map(({ state }) => state))];
/** The proxies of the provider that a test has opened. They are closed after it. */
const gates: Awaited<ReturnType<typeof startAnswerGate>>[] = [];
const openGate = async () => {
  const gate = await startAnswerGate(mailing.providerUrl);
  gates.push(gate);
  return gate;
};
afterEach(() => gates.splice(0).forEach((gate) => gate.close()));
/** Returns how many mails each person of the batch has received. */
async function arrived(batchId: string): Promise<number[]> {
  const mails = await mailing.mails(batchId);
  const box = await mailing.mailbox();
  return mails.map(({ id }) => box.filter(({ custom_args: args }) => args['mail_id'] === id).length);
}
const everyOnce = (count: number) => Array.from({ length: count }, () => 1);

describe('sendMails', () => {
  it('sends chunks of 100 until no mail is left, each mail once with our ids', async () => {
    const batch = await mailing.queue(people(201));
    const nothing = { rejected: 0, failed: 0, retry_after_ms: 0, last_error: null };
    expect(await send(batch)).toEqual({ ...nothing, sent: 100, unsent: 101 });
    expect(await send(batch)).toEqual({ ...nothing, sent: 100, unsent: 1 });
    expect(await send(batch)).toEqual({ ...nothing, sent: 1, unsent: 0 });
    expect(await send(batch)).toEqual({ ...nothing, sent: 0, unsent: 0 });
    expect(await arrived(batch)).toEqual(everyOnce(201));
    const mails = await mailing.mails(batch);
    expect(states(mails)).toEqual(['sent']);
    for (const { attempts, message_id, sent_at, last_error } of mails)
      expect([attempts, typeof message_id, sent_at instanceof Date, last_error]).toEqual([
        1,
        'string',
        true,
        null,
      ]);
    expect(told).toEqual([]);
  });

  it.each([
    ['answers 500', { status: 500 }, 'the mail provider responded with 500', 60_000],
    ['resets the connection', { reset: true }, 'the mail provider cannot be reached', 60_000],
    // The delay is long enough for the other 99 responses on a slow machine.
    ['does not respond in time', { delay_ms: 600_000 }, 'the mail provider did not respond in time', 10_000],
    ['responds with 429 without a time', { status: 429 }, 'the mail provider responded with 429', 60_000],
  ])(
    'sends one mail of 100 with the next chunk when the provider %s for it',
    async (_what, fault, error, timeoutMs) => {
      const batch = await mailing.queue(people(100));
      await mailing.fault(fault);
      const report = await send(batch, mailing.activitiesWith({ timeoutMs }));
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
      await sendAll(batch);
      expect((await mailing.mails(batch)).filter(({ attempts }) => attempts > 1)).toMatchObject([
        { id: failed[0]?.id, state: 'sent', attempts: 2 },
      ]);
      expect(await arrived(batch)).toEqual(everyOnce(100));
    },
  );

  it('sends no new mail after a 429 with Retry-After and returns the wait', async () => {
    const batch = await mailing.queue(people(100));
    await mailing.fault({ status: 429, headers: { 'retry-after': '7' } });
    const report = await send(batch);
    expect(report.retry_after_ms).toBe(7_000);
    expect(report.last_error).toBe('the mail provider responded with 429');
    const mails = await mailing.mails(batch);
    const tried = mails.filter(({ attempts }) => attempts > 0);
    expect(report.unsent).toBe(mails.filter(({ state }) => state === 'queued').length);
    expect(tried.filter(({ state }) => state === 'queued')).toHaveLength(1);
    // At most the mails that were in flight at the same time were tried.
    expect(tried.length).toBeLessThanOrEqual(39);
    await sendAll(batch);
    expect(await arrived(batch)).toEqual(everyOnce(100));
  });

  it('fails one address of 100 for good when the provider rejects it', async () => {
    const batch = await mailing.queue(people(100, ['rejected.secret']));
    expect(await send(batch)).toMatchObject({
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
    await send(batch);
    const counts = await arrived(batch);
    expect(new Map((await mailing.mails(batch)).map(({ state }, index) => [state, counts[index]]))).toEqual(
      new Map([
        ['sent', 1],
        ['rejected', 0],
      ]),
    );
  });

  it('tries few mails while the provider is unavailable and releases the others unchanged', async () => {
    const batch = await mailing.queue(people(100));
    await mailing.fault({ status: 503, times: 1_000 });
    const report = await send(batch);
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
    await sendAll(batch);
    expect(await arrived(batch)).toEqual(everyOnce(100));
    expect((await mailing.mails(batch)).map(({ attempts }) => attempts)).toEqual(
      more.map(({ attempts }) => attempts + 1),
    );
  });

  it.each([{ status: 500 }, { reset: true }])(
    'records a mail as sent when the provider reports it after a call that ended in %j, and does not resend it',
    async (fault) => {
      const batch = await mailing.queue(people(1));
      await mailing.fault({ ...fault, accept: true });
      expect(await send(batch)).toMatchObject({ sent: 0, failed: 1, unsent: 1 });
      const [mail] = await mailing.mails(batch);
      await mailing.tell([mail?.id ?? '']);
      expect(await send(batch)).toMatchObject({ sent: 0, failed: 0, unsent: 0 });
      expect(await mailing.mails(batch)).toMatchObject([
        { state: 'sent', attempts: 1, sent_at: expect.any(Date) },
      ]);
      expect(await arrived(batch)).toEqual([1]);
    },
  );

  it('records a mail as sent when the event arrives before the failed response', async () => {
    const batch = await mailing.queue(people(1));
    await mailing.fault({ accept: true, status: 500 });
    const gate = await openGate();
    const sending = send(batch, mailing.activitiesWith({ providerUrl: gate.url }));
    await waitFor('the mail', async () => (await arrived(batch))[0] === 1);
    const [mail] = await mailing.mails(batch);
    expect(mail?.state).toBe('sending');
    await mailing.tell([mail?.id ?? ''], 'delivered');
    gate.letGo();
    expect(await sending).toMatchObject({ unsent: 0 });
    expect(await mailing.mails(batch)).toMatchObject([{ state: 'sent', attempts: 1 }]);
  });

  it('skips the mails of a dead worker that events report as sent, and resends the others', async () => {
    const batch = await mailing.queue(people(4));
    const before = await mailing.mails(batch);
    await mailing.database.rows(`update mail set state = 'sending', attempts = 1 where batch_id = $1`, [
      batch,
    ]);
    await mailing.tell(before.slice(0, 3).map(({ id }) => id));
    expect(await send(batch)).toMatchObject({ sent: 1, unsent: 0 });
    expect(await arrived(batch)).toEqual([0, 0, 0, 1]);
    expect((await mailing.mails(batch)).map(({ state, attempts }) => [state, attempts])).toEqual([
      ...[1, 1, 1].map((attempts) => ['sent', attempts]),
      ['sent', 2],
    ]);
    // The mail that may have been sent twice is reported.
    expect(told).toMatchObject([{ message: 'retrying mails', meta: { mails: 1 } }]);
    told = [];
  });

  it.each(['CANCELLED', 'WORKER_SHUTDOWN'] as const)(
    'tries no more mails when it is ended by %s, while those in flight may be sent',
    async (reason) => {
      const batch = await mailing.queue(people(100));
      await mailing.fault({ delay_ms: 600_000, times: 1_000 });
      const at = environment();
      const sending = send(batch, mailing.activities, at);
      await waitFor('20 to be under way', async () => (await mailing.faultsLeft()) === 980);
      at.cancel(reason);
      expect(await sending).toEqual({
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
    const batch = await mailing.queue(people(3));
    const at = environment();
    at.cancel('CANCELLED');
    expect(await send(batch, mailing.activities, at)).toMatchObject({
      sent: 0,
      failed: 3,
      last_error: null,
    });
    expect((await mailing.mails(batch)).map(({ state, attempts }) => [state, attempts])).toEqual(
      [1, 2, 3].map(() => ['queued', 0]),
    );
    expect(await arrived(batch)).toEqual([0, 0, 0]);
  });

  it('records the outcomes after an outage of Postgres and sends nothing twice', async () => {
    const batch = await mailing.queue(people(5));
    const gate = await openGate();
    let failures = 0;
    const counting: Pick<Database, 'writeAsWorker'> = {
      writeAsWorker: (work) =>
        behind.writeAsWorker(work).catch((error: unknown) => {
          failures += 1;
          throw error;
        }),
    };
    const sending = send(batch, mailing.activitiesWith({ door: counting, providerUrl: gate.url }));
    sending.catch(() => undefined);
    await waitFor('the mails', async () => (await arrived(batch)).every((count) => count === 1));
    await door.close();
    gate.letGo();
    await waitFor('an outcome that cannot be recorded', async () => failures > 0);
    expect(states(await mailing.mails(batch))).toEqual(['sending']);
    await door.open();
    expect(await sending).toMatchObject({ sent: 5, unsent: 0 });
    expect((await mailing.mails(batch)).map(({ state, attempts }) => [state, attempts])).toEqual(
      [1, 2, 3, 4, 5].map(() => ['sent', 1]),
    );
    expect(await arrived(batch)).toEqual(everyOnce(5));
  });

  it('ignores the outcome of a claim that another worker has taken over', async () => {
    const batch = await mailing.queue(people(1));
    await mailing.fault({ status: 500 });
    const [early, late] = [await openGate(), await openGate()];
    const first = send(batch, mailing.activitiesWith({ providerUrl: early.url }));
    await waitFor('the first call', async () => (await mailing.faultsLeft()) === 0);
    const second = send(batch, mailing.activitiesWith({ providerUrl: late.url }));
    await waitFor('the second call', async () => (await arrived(batch))[0] === 1);
    // The second call is still running when the first one fails.
    early.letGo();
    await first;
    expect(await mailing.mails(batch)).toMatchObject([{ state: 'sending', attempts: 2, last_error: null }]);
    late.letGo();
    expect(await second).toMatchObject({ sent: 1, unsent: 0 });
    expect(await mailing.mails(batch)).toMatchObject([{ state: 'sent', attempts: 2, last_error: null }]);
    told = [];
  });

  it('retries a mail whose text cannot be written, and sends the others once', async () => {
    const batch = await mailing.queue(people(10));
    const [bad] = await mailing.mails(batch);
    await mailing.database.rows(`update interview set interview_available_till = 'secret' where id = $1`, [
      interviewId('second'),
    ]);
    await mailing.database.rows(
      'update enrolment set interview_id = $2 where id = (select enrolment_id from mail where id = $1)',
      [bad?.id, interviewId('second')],
    );
    const error = 'the mail could not be written';
    expect(await send(batch)).toMatchObject({ sent: 9, failed: 1, unsent: 1, last_error: error });
    expect(await send(batch)).toMatchObject({ sent: 0, failed: 1, unsent: 1, last_error: error });
    expect(await mailing.mails(batch)).toEqual([
      expect.objectContaining({ id: bad?.id, state: 'queued', attempts: 2, last_error: error }),
      ...Array.from({ length: 9 }, () => expect.objectContaining({ state: 'sent', attempts: 1 })),
    ]);
    expect(JSON.stringify(told)).toContain(bad?.id);
    await mailing.database.rows('update interview set interview_available_till = null where id = $1', [
      interviewId('second'),
    ]);
    await sendAll(batch);
    expect(await arrived(batch)).toEqual(everyOnce(10));
  });

  it.each([
    ['200 letters', 'Ä'.repeat(200), 'de'],
    ['characters of mail headers and markup', 'Ann, "Secret"; <b>&\r\nBcc: x@y.example\u202E', 'en'],
    ['letters that are written from right to left', 'مريم', 'ar'],
    ['a replacement character and joined emoji', `Ann \uFFFD ${'👩‍👩‍👧'.repeat(20)}`, 'ja'],
  ])('accepts a name with %s', async (_what, name, language) => {
    const batch = await mailing.queue(people(1), { name, language });
    expect(await send(batch)).toMatchObject({ sent: 1, unsent: 0 });
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
    const error: unknown = await send(randomUUID(), mailing.activitiesWith({ door: away })).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    told.push(errorFacts(error), JSON.stringify(error));
    await away.close();
  });
});

describe('giveUpMails', () => {
  it('gives up unsent mails, and still records one as sent when the provider reports it', async () => {
    const batch = await mailing.queue(people(3));
    await mailing.fault({ status: 500, accept: true, times: 2 });
    expect(await send(batch)).toMatchObject({ sent: 1, failed: 2 });
    await environment().run(mailing.activities.giveUpMails, { batch_id: batch });
    const mails = await mailing.mails(batch);
    expect(mails.map(({ state }) => state).sort()).toEqual(['gave_up', 'gave_up', 'sent']);
    const given = mails.find(({ state }) => state === 'gave_up');
    await mailing.tell([given?.id ?? '']);
    expect((await mailing.mails(batch)).find(({ id }) => id === given?.id)?.state).toBe('sent');
    expect(await send(batch)).toMatchObject({ sent: 0, unsent: 0 });
    told = [];
  });
});
