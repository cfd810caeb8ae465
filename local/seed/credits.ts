import type { Client } from 'pg';
import { merchants, seededOn } from './accounts';
import { interviewId, positionIds } from './fixed-id';

const accounts = [
  {
    owner: merchants.main,
    plan: 'Growth',
    monthly: 120,
    coaching: 100,
    extra: 30.5,
    single: 12,
    pays: positionIds.main,
  },
  {
    owner: merchants.other,
    plan: 'Starter',
    monthly: 40,
    coaching: 40,
    extra: 5,
    single: 0,
    pays: positionIds.other,
  },
  // A merchant can send four invitations per credit and period, so these 2.5 credits allow exactly ten.
  {
    owner: merchants.sub,
    plan: 'Starter',
    monthly: 1,
    coaching: 20,
    extra: 0.5,
    single: 1,
    pays: interviewId('sub'),
  },
];

/** Seeds subscriptions that began when the accounts were created, and credits in each bucket. */
export async function seedCredits(client: Client): Promise<void> {
  for (const { owner, plan, monthly, coaching, extra, single, pays } of accounts) {
    const { rowCount } = await client.query(
      `update credit_account set plan = $2, subscription_status = 'active', monthly_limit = $3, period_anchor = $4,
         period_ends_at = $4, coaching_limit = $5
       where merchant_id = $1 and plan = 'Free'`,
      [owner.id, plan, monthly, seededOn, coaching],
    );
    if (rowCount === 0) continue;
    // The current period is started by the function that also renews periods.
    await client.query('select app.lock_credit_account($1)', [owner.id]);
    for (const [bucket, amount, positionId] of [
      ['single', single, pays],
      ['extra', extra, null],
    ])
      await client.query(`select app.post_credits($1, $2, 'grant', $3, null, null, $4)`, [
        owner.id,
        bucket,
        amount,
        positionId,
      ]);
  }
}
