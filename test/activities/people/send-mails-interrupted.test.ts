import { randomUUID } from 'node:crypto';
import { recordMailEvents, recordMailOutcomes } from '../../../db/people/mails';
import type { MailEvent } from '../../../db/people/mails';
import { openDatabase } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { errorFacts } from '../../../db/platform/error-facts';
import { openPool } from '../../../db/platform/pool';
import { startMailWorker } from '../../harness/people/mail-worker';
import type { MailWorker } from '../../harness/people/mail-worker';
import { everyOnce, newEmails, openSending, states } from '../../harness/people/sending';
import { createDoor } from '../../harness/platform/door';
import { infrastructure } from '../../harness/platform/infrastructure';
import { waitFor } from '../../harness/wait-for';

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
  behind = openDatabase(
    openPool({ url: url.href, size: 2, applicationName: 'test', onIdleError: () => undefined }),
  );
});
afterAll(async () => {
  await door.close();
  await Promise.all([behind.close(), mailing.stop()]);
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
    for (let round = 0; round < 20; round++) {
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
