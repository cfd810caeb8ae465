-- What attempts cost, and which credits pay for them (docs/account.md#credits).

-- The single credits that are left for each interview or position. Their sum is `credit_account.single`.
create table single_credit (
  merchant_id uuid not null references credit_account (merchant_id),
  position_id uuid not null, -- an interview or a position
  balance numeric(12, 2) not null check (balance >= 0),
  primary key (merchant_id, position_id)
);
alter table single_credit enable row level security, force row level security;

-- Attempts that wait for credits. A row is changed only while the credit account is locked.
create table unpaid_attempt (
  merchant_id uuid not null references credit_account (merchant_id),
  result_id uuid not null,
  attempt integer not null,
  interview_id uuid not null,
  position_id uuid,
  is_practice boolean not null, -- paid with coaching credits
  price numeric(12, 2) not null check (price > 0),
  due_at timestamptz not null,
  primary key (merchant_id, result_id, attempt)
);
create index unpaid_attempt__merchant_id_is_practice_due_at on unpaid_attempt (merchant_id, is_practice, due_at);
alter table unpaid_attempt enable row level security, force row level security;

-- Credits pay for attempts without a lock on their results, because the transaction of a candidate locks the result
-- first and then the account. The foreign key would take that lock.
alter table credit_entry drop constraint credit_entry_merchant_id_result_id_fkey;
-- An attempt has at most one charge and one refund from each balance.
drop index credit_entry__merchant_id_result_id_attempt_kind_bucket, credit_entry__merchant_id_position_id;
create unique index credit_entry__result_id_attempt_kind_bucket_position_id
  on credit_entry (result_id, attempt, kind, bucket, position_id) nulls not distinct where result_id is not null;

-- The owner of the tables reads and changes all rows while row-level security is not forced on them.
alter table credit_account no force row level security;
alter table credit_entry no force row level security;
alter table unpaid_attempt no force row level security;
alter table interview_result no force row level security;
alter table interview_result_attempt no force row level security;
alter table interview no force row level security;
alter table interview_template no force row level security;
alter table enrolment no force row level security;
alter table account_count no force row level security;

-- Single credits could be spent on any interview until now, so what is left becomes extra credits.
with left_over as (select * from credit_account where single > 0)
insert into credit_entry (merchant_id, bucket, kind, amount, balance_after, reason, period_started_at)
  select a.merchant_id, moved.bucket, 'grant', moved.amount, moved.balance,
    'Single credits from before they were kept for each position', a.period_started_at
  from left_over a
  cross join lateral (values ('single', -a.single, 0), ('extra', a.single, a.extra + a.single)) moved (bucket, amount, balance);
update credit_account set extra = extra + single, single = 0 where single > 0;

-- Unpaid attempts of production wait for credits. The price is that of app.interview_price.
insert into unpaid_attempt (merchant_id, result_id, attempt, interview_id, position_id, is_practice, price, due_at)
  select r.merchant_id, r.id, r.attempt, r.interview_id, e.position_id, i.type in ('coaching', 'persona'),
    (
      case t.type when 'interactive_voice' then 1
        when 'interactive_avatar_1' then case when r.interview_status = 'completed, stopped early' then 1.5 else 2.5 end
        when 'interactive_avatar_2' then 1.25 else 0.35 end
      + case when i.recording like 'audio%' then 0.1 when i.recording like 'video%' then 0.25 else 0 end
      + case when i.recording_full_session like 'audio%' then 0.2 when i.recording_full_session like 'video%' then 0.4 else 0 end
    ) * case when coalesce(i.max_duration, 0) <= 1200 then 1 when i.max_duration <= 1800 then 2
      when i.max_duration <= 2700 then 3 when i.max_duration <= 3600 then 4 else 5 end,
    coalesce(r.ended_at, r.created_at)
  from (
    select u.* from interview_result u where u.charge = 'unpaid'
    union all
    select h.* from interview_result_attempt a cross join jsonb_populate_record(null::interview_result, a.fields) h
      where a.fields ->> 'charge' = 'unpaid'
  ) r
  join interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
  join interview_template t on t.id = i.interview_template_id
  left join enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
  where r.environment = 'production' and not r.is_test;
delete from account_count where metric = 'without_credits';

-- `charged` now means that the attempt has a price, which it has paid or waits to pay.
alter table interview_result disable trigger user;
alter table interview_result drop constraint interview_result_charge_check;
update interview_result set charge = case when environment = 'production' or charge = 'refunded' then 'charged' else 'free' end
  where charge in ('unpaid', 'refunded');
alter table interview_result add constraint interview_result_charge_check check (charge in ('charged', 'free'));
alter table interview_result enable trigger user;
update interview_result_attempt
  set fields = fields || jsonb_build_object('charge', case when environment = 'production' or fields ->> 'charge' = 'refunded' then 'charged' else 'free' end)
  where fields ->> 'charge' in ('unpaid', 'refunded');

alter table credit_account force row level security;
alter table credit_entry force row level security;
alter table unpaid_attempt force row level security;
alter table interview_result force row level security;
alter table interview_result_attempt force row level security;
alter table interview force row level security;
alter table interview_template force row level security;
alter table enrolment force row level security;
alter table account_count force row level security;

-- Reports read unpaid attempts from their own table.
alter table report_attempt drop column is_unpaid;

-- Replaced by functions with other parameters, and called by functions only.
drop function if exists app.post_credits(uuid, text, text, numeric, uuid, integer);
drop function if exists app.result_metrics(text, text, text, boolean, text);
