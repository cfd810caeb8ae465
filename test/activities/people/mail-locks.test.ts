import { recordMailEvents, recordMailOutcomes } from '../../../db/people/mails';
import type { MailEvent } from '../../../db/people/mails';
import { openPool } from '../../../db/platform/pool';
import { openDatabase } from '../../../db/platform/database';
import { startMailWorker } from '../../harness/people/mail-worker';
import type { MailWorker } from '../../harness/people/mail-worker';

let workflow: MailWorker;
beforeAll(async () => {
  workflow = await startMailWorker();
});
afterAll(() => workflow.stop());

describe('events and outcomes of the same mails', () => {
  it('lock their rows in one order, so that they cannot deadlock', async () => {
    const { database } = workflow;
    // With these plans off, rows are locked in the order of the statement's list, as in a table of millions of rows.
    for (const plan of ['hashjoin', 'mergejoin', 'seqscan', 'bitmapscan', 'material'])
      await database.rows(
        `do $$ begin execute format('alter database %I set enable_${plan} = off', current_database()); end $$`,
      );
    const open = (url: string) =>
      openDatabase(openPool({ url, size: 4, applicationName: 'test', onIdleError: () => undefined }));
    const [worker, api] = [open(database.workerUrl), open(database.apiUrl)];
    const batch = await workflow.queue(Array.from({ length: 300 }, (_, index) => `p${index}@locks.example`));
    const ids = (await workflow.mails(batch)).map(({ id }) => id);
    const at = new Date().toISOString();
    const tell = (event: MailEvent['event']) => {
      const events = ids.map((mail_id) => ({ mail_id, event, at, reason: null }));
      return api.write({ kind: 'mail_hook' }, (trx) => trx.count(recordMailEvents(events)));
    };
    // The outcomes are in the order in which the provider responded, which is the reverse one here.
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
