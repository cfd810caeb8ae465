import type { Client } from 'pg';

/**
 * Seeds the ledger of credits for all charged attempts: a renewal and an expiry for each past month, packs of extra
 * credits when the credits of a month are used up, and refunds. Practice is paid with coaching credits, which suffice.
 * The balances must equal the sums of the ledger.
 */
export async function seedLedger(client: Client): Promise<void> {
  await client.query(`
    create temporary table spent on commit drop as
    select a.merchant_id, a.result_id, a.attempt, coalesce(a.ended_at, a.instant) as at, p.started_at as period, p.ends_at,
      p.ends_at <= c.period_started_at as is_over, practice.is_practice,
      case when is_practice then c.coaching_limit else c.monthly_limit end as monthly_limit, price.credits,
      not is_practice and hashtext(a.result_id::text) % 150 = 0 as is_refunded,
      sum(price.credits) over (partition by a.merchant_id, is_practice, p.started_at order by coalesce(a.ended_at, a.instant), a.result_id, a.attempt) as used
    from report_attempt a
    join interview_result r on r.merchant_id = a.merchant_id and r.id = a.result_id
    join interview i on i.merchant_id = a.merchant_id and i.id = a.interview_id
    join credit_account c on c.merchant_id = a.merchant_id
    cross join lateral app.credit_period(c.period_anchor, coalesce(a.ended_at, a.instant)) p
    cross join lateral (select app.attempt_price(i.merchant_id, i.id, a.interview_status = 'completed, stopped early') as credits) price
    cross join lateral (select i.type in ('coaching', 'persona') as is_practice) practice
    where a.outcome = 'completed' and not a.is_test and a.environment = 'production'`);
  await client.query(`
    insert into credit_entry (merchant_id, bucket, kind, amount, balance_after, result_id, attempt, period_started_at, created_at)
    select merchant_id, case when is_practice then 'coaching' when is_over and used <= monthly_limit then 'monthly' else 'extra' end,
      'charge', -credits, 0, result_id, attempt, period, at
    from spent`);
  // Refunds are booked in a later month, because otherwise the renewal and expiry of the charged month would have to
  // include them.
  await client.query(`
    insert into credit_entry (merchant_id, bucket, kind, amount, balance_after, result_id, attempt, period_started_at, created_at)
    select merchant_id, 'extra', 'refund', credits, 0, result_id, attempt, ends_at, ends_at + interval '2 days'
    from spent where is_refunded and ends_at + interval '2 days' < now()`);
  await client.query(`
    insert into credit_entry (merchant_id, bucket, kind, amount, balance_after, period_started_at, created_at)
    select m.merchant_id, case when m.is_practice then 'coaching' else 'monthly' end, e.kind, e.amount, 0, m.period, e.at
    from (
      select merchant_id, is_practice, period, max(ends_at) as ends_at, max(monthly_limit) as monthly_limit,
        coalesce(sum(credits) filter (where used <= monthly_limit), 0) as used
      from spent where is_over group by 1, 2, 3
    ) m
    cross join lateral (
      values ('renewal', m.monthly_limit, m.period), ('expiry', m.used - m.monthly_limit, m.ends_at)
    ) e (kind, amount, at)
    where e.amount <> 0`);
  // The coaching credits of the current period were granted only now.
  await client.query(
    `update credit_entry set created_at = period_started_at where bucket = 'coaching' and created_at > period_started_at
       and kind = 'renewal'`,
  );
  // Grants packs of 100 credits. Each month gets as many packs as are missing to cover the charges of all months so
  // far.
  await client.query(`
    insert into credit_entry (merchant_id, bucket, kind, amount, balance_after, period_started_at, created_at)
    select merchant_id, 'extra', 'grant', amount, 0, period, period
    from (
      select merchant_id, period, packs - lag(packs, 1, 0) over (partition by merchant_id order by period) as amount
      from (
        select merchant_id, period,
          100 * ceil(sum(coalesce(sum(credits) filter (where not is_over or used > monthly_limit), 0))
            over (partition by merchant_id order by period) / 100) as packs
        from spent where not is_practice group by 1, 2
      ) needed
    ) granted
    where amount > 0`);
  await client.query(`
    update credit_account c set extra = sums.extra, coaching = sums.coaching
    from (
      select merchant_id, coalesce(sum(amount) filter (where bucket = 'extra'), 0) as extra,
        coalesce(sum(amount) filter (where bucket = 'coaching'), 0) as coaching
      from credit_entry group by 1
    ) sums
    where sums.merchant_id = c.merchant_id`);
  // The entries are complete only now, so the balances after them are summed here.
  await client.query(`
    update credit_entry e set balance_after = s.balance
    from (
      select id, sum(amount) over (partition by merchant_id, bucket order by created_at, id) as balance from credit_entry
    ) s
    where s.id = e.id`);
}
