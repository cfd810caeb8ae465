import { createLagMeter } from '../../../activities/sync-lag';
import { createDatabase, openTestDatabase } from '../../harness/platform/database';
import { waitFor } from '../../harness/wait-for';

it('measures how long changes have waited for a transaction that is still running, and 0 when it has ended', async () => {
  const database = await createDatabase();
  const worker = openTestDatabase(database.workerUrl);
  let now = 0;
  const measure = createLagMeter(worker, () => (now += 60_000));
  await database.rows('begin');
  await database.rows('select pg_current_xact_id()');
  await worker.writeAsWorker((trx) => trx.rows({ text: 'select pg_current_xact_id()' }));
  const first = await measure();
  const second = await measure();
  expect([first, second]).toEqual([0, 60]);
  await database.rows('commit');
  // Transactions of other tests in the same Postgres count, too.
  await waitFor('no lag', async () => (await measure()) === 0);
});
