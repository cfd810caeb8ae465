import type { Statement } from '../platform/statement';

/**
 * Everything that merchant-status reports about an account, in one row. Lists of daily numbers begin with today and
 * go back in time; days begin in the account's time zone.
 */
export type MerchantStatusRow = {
  merchant_id: string;
  plan: string;
  subscription_status: string | null;
  monthly: number;
  monthly_limit: number;
  extra: number;
  single: number;
  coaching: number;
  coaching_limit: number;
  invitations_sent: number;
  invitations_limit: number | null;
  definitions_active: number;
  counts: Partial<Record<'candidates' | 'results' | 'undecided' | 'ongoing', number>>;
  without_credits: number;
  candidates_history: number[];
  results_history: number[];
};

/** Returns SQL for fourteen daily values of a metric, beginning with today and going back in time. */
const history = (metric: string) => `(
  select array_agg(coalesce(came.value, 0)::int order by day.back)
  from generate_series(0, 13) as day (back) left join came on came.back = day.back and came.metric = '${metric}'
)`;

/**
 * Sums the stored counts (db/platform/counts.ts), so the cost does not depend on the number of results. Merged count
 * rows (`folded`) and new ones are queried separately, because each kind has its own index. Hiring managers who may
 * see only some positions cannot read the stored counts, so `app.count_positions` counts for them.
 */
export const readMerchantStatus: Statement<MerchantStatusRow> = {
  name: 'read_merchant_status',
  text: `
    with counted as materialized (
      select metric, scope_id, quarter, value from account_count where folded
      union all
      select metric, scope_id, quarter, value from account_count where not folded
      union all
      select metric, scope_id, quarter, value from app.count_positions()
    ),
    came as (
      select metric, (now() at time zone m.time_zone)::date - (quarter at time zone m.time_zone)::date as back,
        sum(value) as value
      from counted cross join merchant m where quarter > now() - interval '15 days'
      group by 1, 2
    ),
    standing as (
      select metric, sum(value) as value from counted
      where scope_id is not null and metric <> 'step_results' and scope_id not in (
        select id from interview where status in ('archived', 'deleted')
        union all
        select id from position where status in ('archived', 'deleted')
      )
      group by 1
    )
    select a.merchant_id, a.plan, a.subscription_status, a.monthly, a.monthly_limit, a.extra, a.single,
      a.coaching, a.coaching_limit,
      case when app.environment() = 'production' then a.invitations_sent else coalesce((
        select b.sent from test_invitation_budget b where b.day = (now() at time zone 'UTC')::date
      ), 0) end as invitations_sent,
      case when app.environment() = 'production' then app.invitations_limit(a) else app.test_invitations_limit() end
        as invitations_limit,
      (select count(*) from interview where status = 'active') + (select count(*) from position where status = 'active')
        as definitions_active,
      (select count(*) from unpaid_attempt) as without_credits,
      coalesce((select jsonb_object_agg(metric, value) from standing), '{}') as counts,
      ${history('candidates')} as candidates_history,
      ${history('results')} as results_history
    from credit_account a`,
};
