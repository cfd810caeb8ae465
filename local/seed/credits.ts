import type { Client } from 'pg';
import { merchants, seededOn } from './accounts';

const accounts = [
  { owner: merchants.main, plan: 'Growth', monthly: 120, single: 12, extra: 30.5 },
  { owner: merchants.other, plan: 'Starter', monthly: 40, single: 0, extra: 5 },
  // A merchant can send four invitations per credit and period, so these 2.5 credits allow exactly ten.
  { owner: merchants.sub, plan: 'Starter', monthly: 1, single: 1, extra: 0.5 },
];

/** Seeds subscriptions that began when the accounts were created, and credits in each bucket. */
export async function seedCredits(client: Client): Promise<void> {
  for (const { owner, plan, monthly, single, extra } of accounts) {
    const { rowCount } = await client.query(
      `update credit_account set plan = $2, subscription_status = 'active', monthly_limit = $3, period_anchor = $4,
         period_ends_at = $4
       where merchant_id = $1 and plan = 'Free'`,
      [owner.id, plan, monthly, seededOn],
    );
    if (rowCount === 0) continue;
    // The current period is started by the function that also renews periods.
    await client.query('select app.lock_credit_account($1)', [owner.id]);
    for (const [bucket, amount] of [
      ['single', single],
      ['extra', extra],
    ])
      await client.query(`select app.post_credits($1, $2, 'grant', $3, null, null)`, [
        owner.id,
        bucket,
        amount,
      ]);
  }
}
