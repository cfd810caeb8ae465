import { seedHistory } from '../../../local/seed/history';
import { seedWebhooks } from '../../../local/seed/webhooks';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  // Before the history is seeded, the database already has the endpoint that an earlier start has created.
  const sealingKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
  await seedWebhooks(database.adminUrl, { sealingKeys, fakesUrl: 'http://127.0.0.1:8081' });
  await seedHistory(database.adminUrl);
});

const count = async (what: string) =>
  (await database.rows<{ count: number }>(`select count(*)::int from ${what}`))[0]?.count;

describe('the history of the demo', () => {
  it('has results in every month of two years, and of every kind', async () => {
    const months = await database.rows<{ results: number }>(
      `select count(*)::int as results from report_attempt a join merchant m on m.id = a.merchant_id
       where m.name = 'Northwind Talent' and environment = 'production' and instant > now() - interval '700 days'
       group by date_trunc('month', instant) order by date_trunc('month', instant)`,
    );
    expect(months.length).toBeGreaterThan(22);
    expect(Math.min(...months.slice(1, -1).map(({ results }) => results))).toBeGreaterThan(30);
    for (const kind of [
      'attempt > 1',
      'is_test',
      'is_undecided',
      'is_shortlisted',
      'has_risk_flags',
      `outcome = 'abandoned'`,
      `outcome = 'failed'`,
      `environment = 'uat'`,
    ])
      expect([kind, await count(`report_attempt where ${kind}`)]).not.toEqual([kind, 0]);
    expect(
      await count('interview_result where created_at > now() or ended_at > now() or decided_at > now()'),
    ).toBe(0);
  });

  it('keeps the balance of credits equal to the ledger', async () => {
    const accounts = await database.rows<{ balance: string; entries: string }>(
      `select a.monthly + a.single + a.extra + a.coaching as balance, sum(e.amount) as entries from credit_account a
       join credit_entry e on e.merchant_id = a.merchant_id group by a.merchant_id`,
    );
    expect(accounts).toHaveLength(3);
    for (const { balance, entries } of accounts) expect(balance).toBe(entries);
    expect(await count(`credit_entry where kind = 'refund'`)).toBeGreaterThan(0);
  });

  it('creates no deliveries, and does not change when it is seeded again', async () => {
    const before = [await count('interview_result'), await count('webhook_delivery')];
    expect(before[1]).toBe(6);
    await seedHistory(database.adminUrl);
    expect([await count('interview_result'), await count('webhook_delivery')]).toEqual(before);
  });
});
