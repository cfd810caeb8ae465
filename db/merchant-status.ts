import type { Statement } from './scope';

/** Everything that merchant-status tells of an account, in one row. Histories: today first, in the account's days. */
export type MerchantStatusRow = {
  merchant_id: string;
  plan: string;
  subscription_status: string | null;
  monthly: number;
  monthly_limit: number;
  extra: number;
  single: number;
  invitations_sent: number;
  invitations_limit: number | null;
  definitions_active: number;
  counts: Partial<Record<'candidates' | 'results' | 'undecided' | 'ongoing' | 'without_credits', number>>;
  candidates_history: number[];
  results_history: number[];
};

/** Sums what the statements that wrote have left (db/counts.ts), so that it costs the same for any number of rows. */
export const readMerchantStatus: Statement = {
  name: 'read_merchant_status',
  text: `
    with day as (
      select back, ((now() at time zone m.time_zone)::date - back)::timestamp at time zone m.time_zone as starts_at,
        ((now() at time zone m.time_zone)::date - back + 1)::timestamp at time zone m.time_zone as ends_at
      from merchant m, generate_series(0, 13) as back
    ),
    came as (
      select day.back, c.metric, sum(c.value) as value from day
      join account_count c on c.metric in ('candidates_added', 'results_added')
        and c.quarter >= day.starts_at and c.quarter < day.ends_at
      group by 1, 2
    ),
    retired as (
      select id from interview where status in ('archived', 'deleted')
      union all
      select id from position where status in ('archived', 'deleted')
    )
    select a.merchant_id, a.plan, a.subscription_status, a.monthly, a.monthly_limit, a.extra, a.single, a.invitations_sent,
      app.invitations_limit(a) as invitations_limit,
      (select count(*) from interview where status = 'active') + (select count(*) from position where status = 'active')
        as definitions_active,
      coalesce((
        select jsonb_object_agg(metric, value) from (
          select metric, sum(value) as value from account_count
          where metric in ('candidates', 'results', 'undecided', 'ongoing', 'without_credits')
            and scope_id not in (select id from retired)
          group by metric
        ) standing
      ), '{}') as counts,
      (
        select array_agg(coalesce(came.value, 0)::int order by day.back)
        from day left join came on came.back = day.back and came.metric = 'candidates_added'
      ) as candidates_history,
      (
        select array_agg(coalesce(came.value, 0)::int order by day.back)
        from day left join came on came.back = day.back and came.metric = 'results_added'
      ) as results_history
    from credit_account a`,
};
