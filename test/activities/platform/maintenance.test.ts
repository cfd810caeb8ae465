import { maintenanceJobs, runMaintenance } from '../../../activities/maintenance';
import { merchants, people } from '../../../local/seed/accounts';
import { startInterviewWorker } from '../../harness/interviews/interview-worker';
import type { InterviewWorker } from '../../harness/interviews/interview-worker';
import { maintain } from '../../harness/platform/maintenance';
import { deliveriesOf, putDelivery, putEndpoint } from '../../harness/webhooks/webhook-rows';

let workflow: InterviewWorker;
beforeAll(async () => {
  workflow = await startInterviewWorker();
});

describe('runMaintenance', () => {
  it('removes unbuilt interviews two minutes after their deadline, and never built ones', async () => {
    const ids: Record<string, string> = {};
    for (const [name, seconds] of Object.entries({ waiting: 600, late: -30, abandoned: -150, built: -150 })) {
      const id = await workflow.insertUnbuilt();
      await workflow.setDeadline(id, seconds);
      ids[name] = id;
    }
    await workflow.database.rows('update interview set built_at = now() where id = $1', [ids['built']]);
    const [before] = await workflow.database.rows<{ count: number }>('select count(*)::int from interview');
    await maintain(workflow.worker);
    await maintain(workflow.worker);
    const left: Record<string, boolean> = {};
    for (const [name, id] of Object.entries(ids)) left[name] = Boolean(await workflow.find(id));
    expect(left).toEqual({ waiting: true, late: true, abandoned: false, built: true });
    const [after] = await workflow.database.rows<{ count: number }>('select count(*)::int from interview');
    expect(after?.count).toBe((before?.count ?? 0) - 1);
  });

  it('runs the other jobs if one always fails, and reports that one', async () => {
    const id = await workflow.insertUnbuilt();
    await workflow.setDeadline(id, -150);
    const failures: unknown[] = [];
    await runMaintenance(workflow.worker, (job, error) => failures.push([job, error]), {
      divide: { text: 'select 1 / 0' },
      ...maintenanceJobs,
    });
    expect(failures).toEqual([['divide', expect.objectContaining({ code: '22012' })]]);
    expect(await workflow.find(id)).toBeUndefined();
  });

  it('removes idempotency keys after a day', async () => {
    const insert = (key: string, age: string) =>
      workflow.database.rows(
        `insert into idempotency_key (merchant_id, environment, caller_id, key, operation, body_hash, created_at)
         values ($1, 'production', $2, $3, 'job-interview-create', '\\x00', now() - $4::interval)`,
        [merchants.main.id, people.merchant.id, key, age],
      );
    await insert('young', '23 hours 30 minutes');
    await insert('old', '24 hours 30 minutes');
    await maintain(workflow.worker);
    expect(await workflow.database.rows('select key from idempotency_key')).toEqual([{ key: 'young' }]);
  });

  it('forgets used tokens of embedded interviews ten minutes after they expired', async () => {
    const [key] = await workflow.database.rows<{ id: string }>(
      `insert into embed_key (merchant_id, environment, interview_id, signing_key_sealed)
       select merchant_id, environment, id, '\\x00' from interview where merchant_id = $1 limit 1 returning id`,
      [merchants.main.id],
    );
    for (const minutes of [11, 9])
      await workflow.database.rows(
        `insert into embed_token_use (merchant_id, environment, embed_key_id, token_hash, expires_at)
         select merchant_id, environment, id, convert_to($2, 'utf8'), now() - $2::int * interval '1 minute'
         from embed_key where id = $1`,
        [key?.id, String(minutes)],
      );
    await maintain(workflow.worker);
    const left = await workflow.database.rows(
      `select convert_from(token_hash, 'utf8') as minutes from embed_token_use`,
    );
    expect(left).toEqual([{ minutes: '9' }]);
  });

  it('removes used and unused refresh tokens 30 days after they expired', async () => {
    const session = '0190a000-0000-7000-8000-0000000000aa';
    await workflow.database.rows(
      `insert into session (id, profile_id, environment, expires_at) values ($1, $2, 'production', now())`,
      [session, people.merchant.id],
    );
    await workflow.database.rows(
      `insert into refresh_token (hash, session_id, expires_at, used_at)
       select convert_to(t.name, 'utf8'), $1, now() - t.days * interval '1 day', t.used_at
       from (values ('spent', 31, now()), ('unused', 31, null), ('late', 29, now()), ('valid', -1, null)) t (name, days, used_at)`,
      [session],
    );
    await maintain(workflow.worker);
    const left = await workflow.database.rows<{ name: string }>(
      `select convert_from(hash, 'utf8') as name from refresh_token where session_id = $1 order by expires_at`,
      [session],
    );
    expect(left.map(({ name }) => name)).toEqual(['late', 'valid']);
  });

  it('cancels open deliveries of deleted webhook endpoints and keeps finished ones', async () => {
    const { database } = workflow;
    const statesOf = async (endpoint: string) =>
      (await deliveriesOf(database, endpoint)).map(({ state }) => state);
    const rows = [
      {},
      { state: 'retried' },
      { state: 'retried', is_released: true },
      { state: 'acknowledged' },
    ];
    const living = await putEndpoint(database);
    const deleted = await putEndpoint(database, { deleted_at: new Date() });
    for (const endpoint of [living, deleted])
      for (const row of rows) await putDelivery(database, endpoint, row);
    const before = await statesOf(living);
    await maintain(workflow.worker);
    expect(await statesOf(living)).toEqual(before);
    expect(await statesOf(deleted)).toEqual(['cancelled', 'cancelled', 'cancelled', 'acknowledged']);
  });

  it('removes sign-in links after a day', async () => {
    const insert = (age: string) =>
      workflow.database.rows(
        `insert into sign_in_link (profile_id, environment, created_at) values ($1, 'production', now() - $2::interval)`,
        [people.merchant.id, age],
      );
    await insert('23 hours 30 minutes');
    await insert('24 hours 30 minutes');
    await maintain(workflow.worker);
    expect(
      await workflow.database.rows(
        `select extract(hour from now() - created_at)::int as hours from sign_in_link where profile_id = $1`,
        [people.merchant.id],
      ),
    ).toEqual([{ hours: 23 }]);
  });
});
