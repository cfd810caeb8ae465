import { sweep } from '../../activities/sweep';
import { startInterviewFlow } from '../harness/interview-flow';
import type { InterviewFlow } from '../harness/interview-flow';
import { merchants, people } from '../../local/seed/accounts';

let flow: InterviewFlow;
beforeAll(async () => {
  flow = await startInterviewFlow();
});
afterAll(() => flow.stop());

describe('sweep', () => {
  it('unbuilt interviews: removed two minutes past their deadline, built ones never', async () => {
    const ids: Record<string, string> = {};
    for (const [name, seconds] of Object.entries({ waiting: 30, late: -110, abandoned: -130, built: -130 })) {
      const id = await flow.insertUnbuilt();
      await flow.setDeadline(id, seconds);
      ids[name] = id;
    }
    await flow.database.rows('update interview set built_at = now() where id = $1', [ids['built']]);
    const [before] = await flow.database.rows<{ count: number }>('select count(*)::int from interview');
    await sweep(flow.worker);
    await sweep(flow.worker);
    const left: Record<string, boolean> = {};
    for (const [name, id] of Object.entries(ids)) left[name] = Boolean(await flow.find(id));
    expect(left).toEqual({ waiting: true, late: true, abandoned: false, built: true });
    const [after] = await flow.database.rows<{ count: number }>('select count(*)::int from interview');
    expect(after?.count).toBe((before?.count ?? 0) - 1);
  });

  it('idempotency keys: removed a day after they were made', async () => {
    const insert = (key: string, age: string) =>
      flow.database.rows(
        `insert into idempotency_key (merchant_id, environment, caller_id, key, operation, body_hash, created_at)
         values ($1, 'production', $2, $3, 'job-interview-create', '\\x00', now() - $4::interval)`,
        [merchants.main.id, people.merchant.id, key, age],
      );
    await insert('young', '23 hours 59 minutes');
    await insert('old', '24 hours 1 minute');
    await sweep(flow.worker);
    expect(await flow.database.rows('select key from idempotency_key')).toEqual([{ key: 'young' }]);
  });

  it('sign-in links: removed a day after they were asked for', async () => {
    const insert = (age: string) =>
      flow.database.rows(
        `insert into sign_in_link (profile_id, environment, created_at) values ($1, 'production', now() - $2::interval)`,
        [people.merchant.id, age],
      );
    await insert('23 hours 59 minutes');
    await insert('24 hours 1 minute');
    await sweep(flow.worker);
    expect(
      await flow.database.rows(
        `select extract(hour from now() - created_at)::int as hours from sign_in_link where profile_id = $1`,
        [people.merchant.id],
      ),
    ).toEqual([{ hours: 23 }]);
  });
});
