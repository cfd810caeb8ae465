import { randomUUID } from 'node:crypto';
import { createRetryMaintenance } from '../../../activities/webhooks/sender/retry-maintenance';
import { openDatabase } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { openPool } from '../../../db/platform/pool';
import { merchants } from '../../../local/seed/accounts';
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
const startSweep = () => {
  const signalled: string[] = [];
  const scopes = new Set<string>();
  const sweep = createRetryMaintenance({
    database: worker,
    lateMs,
    signal: ({ endpoint_id, merchant_id, environment }) => {
      signalled.push(endpoint_id);
      scopes.add(`${merchant_id} ${environment}`);
    },
  });
  return { signalled, scopes, ...sweep };
};
/**
 * A delivery is late once it has been due for 10 min. One that is due when the test begins does not become late
 * during the test.
 */
const lateMs = 600_000;
const late = { state: 'retried', next_attempt_at: ago(3_600) };
const sorted = (ids: string[]) => ids.toSorted((a, b) => a.localeCompare(b));

describe('startMissedRetries', () => {
  it('sends one signal for an endpoint with overdue deliveries, however many wait', async () => {
    const id = await putEndpoint(database);
    await putDeliveries(database, id, late, 50);
    const { startMissedRetries, signalled, scopes } = startSweep();
    expect(await startMissedRetries()).toBe(1);
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
    ['of an endpoint whose retry run is in progress', { retrying_until: ago(-3_600) }, late],
    ['leased by a retry run in progress', { retrying_until: ago(-3_600) }, { ...late, owner: randomUUID() }],
    ['leased by the sender', {}, { ...late, state: 'queued', owner: randomUUID() }],
  ])('sends no signal for a delivery that is %s', async (_what, endpoint, delivery) => {
    await putDeliveries(database, await putEndpoint(database, endpoint), delivery);
    expect(await startSweep().startMissedRetries()).toBe(0);
  });

  it('sends a signal for deliveries that a dead worker has leased, also while the endpoint is paused', async () => {
    const held = { ...late, owner: randomUUID() };
    const one = await putEndpoint(database, { retrying_until: ago(60) });
    const other = await putEndpoint(database, { paused_reason: 'gone', paused_at: ago(1) });
    for (const id of [one, other]) await putDeliveries(database, id, held, 3);
    const { startMissedRetries, signalled } = startSweep();
    expect(await startMissedRetries()).toBe(2);
    expect(sorted(signalled)).toEqual(sorted([one, other]));
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
    const { startMissedRetries, signalled } = startSweep();
    const counts: number[] = [];
    for (let n = 0; n < 8; n++) counts.push(await startMissedRetries());
    expect(counts).toEqual([100, 100, 100, 100, 100, 100, 20, 100]);
    expect(new Set(signalled).size).toBe(620);
  });
});

describe('mailMissedPauses', () => {
  it('sends a signal for each pause by the platform that was not mailed', async () => {
    const gone = { paused_reason: 'gone', paused_at: ago(60) };
    const [one, two] = [
      await putEndpoint(database, gone),
      await putEndpoint(database, { ...gone, paused_reason: 'failing' }),
    ];
    // The sweep skips recent pauses, because the endpoint's own workflow mails them. A pause in the future counts as
    // recent, however long the test takes.
    await putEndpoint(database, { ...gone, paused_at: ago(-3_600) });
    await putEndpoint(database, { ...gone, paused_mailed_at: ago(30) });
    await putEndpoint(database, { ...gone, deleted_at: ago(30) });
    await putEndpoint(database, { ...gone, paused_reason: 'by_hand' });
    const { mailMissedPauses, signalled } = startSweep();
    expect(await mailMissedPauses()).toBe(2);
    expect(sorted(signalled)).toEqual(sorted([one, two]));
  });
});
