import { createMissedSignals } from '../../../activities/webhooks/missed-signals';
import { openDatabase } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { openPool } from '../../../db/platform/pool';
import { merchants } from '../../../local/seed/accounts';
import type { EndpointScope } from '../../../workflows/ids';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';
import { putDeliveries, putEndpoint } from '../../harness/webhooks/webhook-rows';

let database: TestDatabase;
let worker: Database;
beforeAll(async () => {
  database = await createDatabase();
  worker = openDatabase(
    openPool({ url: database.workerUrl, size: 2, applicationName: 'test', onIdleError: () => undefined }),
  );
});
afterAll(async () => {
  await worker.close();
});
afterEach(async () => {
  await database.rows(`delete from webhook_delivery`);
  await database.rows(`delete from webhook_endpoint`);
});

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
const startJob = () => {
  const signalled: string[] = [];
  const scopes = new Set<string>();
  const notify = ({ endpoint_id, merchant_id, environment }: EndpointScope) => {
    signalled.push(endpoint_id);
    scopes.add(`${merchant_id} ${environment}`);
  };
  const job = createMissedSignals(worker, notify, lateMs);
  return { signalled, scopes, ...job };
};
/**
 * A delivery is late once it has been due for 10 min. One that is due when the test begins does not become late
 * during the test.
 */
const lateMs = 600_000;
const late = { state: 'retried', next_attempt_at: ago(3_600) };
const sorted = (ids: string[]) => ids.toSorted((a, b) => a.localeCompare(b));

describe('signalOverdueRetries', () => {
  it('sends one signal for an endpoint with overdue deliveries, however many wait', async () => {
    const id = await putEndpoint(database);
    await putDeliveries(database, id, late, 50);
    const { signalOverdueRetries, signalled, scopes } = startJob();
    expect(await signalOverdueRetries()).toBe(1);
    expect([signalled, [...scopes]]).toEqual([[id], [`${merchants.main.id} production`]]);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['due since a moment, because its workflow is about to start', {}, { ...late, next_attempt_at: ago(1) }],
    ['not due', {}, { ...late, next_attempt_at: ago(-3_600) }],
    ['due for the first attempt, which is made by the sender', {}, { ...late, state: 'queued' }],
    ['given up', {}, { ...late, state: 'gave_up' }],
    ['of an endpoint that is paused', { paused_reason: 'by_hand', paused_at: ago(1) }, late],
    ['of an endpoint that is turned off', { enabled: false }, late],
    ['of an endpoint that is deleted', { deleted_at: ago(1) }, late],
    ['released', {}, { ...late, is_released: true }],
  ])('sends no signal for a delivery that is %s', async (_what, endpoint, delivery) => {
    await putDeliveries(database, await putEndpoint(database, endpoint), delivery);
    expect(await startJob().signalOverdueRetries()).toBe(0);
  });

  it('sends a signal for an overdue retry after released ones of the same endpoint', async () => {
    const id = await putEndpoint(database);
    await putDeliveries(database, id, { ...late, is_released: true, next_attempt_at: ago(7_200) }, 3);
    await putDeliveries(database, id, late);
    expect(await startJob().signalOverdueRetries()).toBe(1);
  });

  it('continues with the next endpoints in the next run when there are too many, and then starts again', async () => {
    await database.rows(
      `with endpoint as (
         insert into webhook_endpoint (merchant_id, environment, url, events)
         select $1, 'production', 'https://a.example', '{interview_result}' from generate_series(1, 620) returning id
       )
       insert into webhook_delivery (merchant_id, environment, endpoint_id, event, result_id, reason, state, next_attempt_at)
       select $1, 'production', id, 'interview_result', uuidv7(), 'score', 'retried', now() - interval '1 hour' from endpoint`,
      [merchants.main.id],
    );
    const { signalOverdueRetries, signalled } = startJob();
    const counts: number[] = [];
    for (let n = 0; n < 8; n++) counts.push(await signalOverdueRetries());
    expect(counts).toEqual([100, 100, 100, 100, 100, 100, 20, 100]);
    expect(new Set(signalled).size).toBe(620);
  });
});

describe('signalUnmailedPauses', () => {
  it('sends a signal for each pause by the platform that was not mailed', async () => {
    const gone = { paused_reason: 'gone', paused_at: ago(60) };
    const [one, two] = [
      await putEndpoint(database, gone),
      await putEndpoint(database, { ...gone, paused_reason: 'failing' }),
    ];
    // The job skips recent pauses, because the endpoint's own workflow mails them. A pause in the future counts as
    // recent, however long the test takes.
    await putEndpoint(database, { ...gone, paused_at: ago(-3_600) });
    await putEndpoint(database, { ...gone, paused_mailed_at: ago(30) });
    await putEndpoint(database, { ...gone, deleted_at: ago(30) });
    await putEndpoint(database, { ...gone, paused_reason: 'by_hand' });
    const { signalUnmailedPauses, signalled } = startJob();
    expect(await signalUnmailedPauses()).toBe(2);
    expect(sorted(signalled)).toEqual(sorted([one, two]));
  });
});
