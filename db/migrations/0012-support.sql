-- Technical issues and feature requests: stored first, then sent to the support desk and the feature board
-- (docs/support.md).

create table issue_report (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  profile_id uuid not null references profile (id) default app.profile_id(),
  description text not null check (char_length(description) between 10 and 4000),
  interview_id uuid,
  position_id uuid, -- in place of an interview, which the caller named by the same field
  result_id uuid,
  status text not null default 'queued' check (status in ('queued', 'sent')),
  reference text,
  attempts integer not null default 0,
  -- Of the latest attempt, in a word and never the answer's text: timeout, network, or the status.
  last_failure text check (char_length(last_failure) <= 100),
  gave_up_at timestamptz, -- nobody goes on by itself; still queued
  -- By then its flow has tried it again, or is started anew: the pauses of a flow that runs are ten minutes at most, or as
  -- long as support asked for.
  restart_at timestamptz not null default now() + interval '20 minutes',
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  check ((status = 'sent') = (reference is not null) and (status = 'sent') = (sent_at is not null)),
  foreign key (merchant_id, interview_id) references interview (merchant_id, id),
  foreign key (merchant_id, position_id) references position (merchant_id, id),
  foreign key (merchant_id, result_id) references interview_result (merchant_id, id)
);
create index issue_report__merchant_id_id on issue_report (merchant_id, id);
create index issue_report__profile_id_created_at on issue_report (profile_id, created_at);
create index issue_report__created_at on issue_report (created_at) where status = 'queued';

create table feature_request (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  profile_id uuid not null references profile (id) default app.profile_id(),
  title text not null check (char_length(title) between 5 and 120),
  description text not null check (char_length(description) between 10 and 4000),
  status text not null default 'pending' check (status in ('pending', 'posted')),
  post_id text, -- the board's
  -- A person's, in the order of their insertion: app.lock_next_report lets in one at a time, and this is behind it.
  created_at timestamptz not null default clock_timestamp(),
  deadline_at timestamptz not null default now() + interval '19 seconds', -- until then it may become posted
  posted_at timestamptz,
  check ((status = 'posted') = (post_id is not null) and (status = 'posted') = (posted_at is not null))
);
create index feature_request__merchant_id_id on feature_request (merchant_id, id);
create index feature_request__profile_id_created_at on feature_request (profile_id, created_at);
-- A post is one request's.
create unique index feature_request__profile_id_post_id on feature_request (profile_id, post_id);
create index feature_request__deadline_at on feature_request (deadline_at) where status = 'pending';

alter table issue_report enable row level security, force row level security;
alter table feature_request enable row level security, force row level security;

-- People write them, in their own name, and their merchant's console lists them. No service key does.
create policy issue_report_user_select on issue_report for select to app_user
  using (merchant_id = (select app.merchant_id()));
create policy issue_report_user_insert on issue_report for insert to app_user
  with check (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
create policy feature_request_user_select on feature_request for select to app_user
  using (merchant_id = (select app.merchant_id()));
create policy feature_request_user_insert on feature_request for insert to app_user
  with check (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
-- A request that ran out of time takes back what is not posted.
create policy feature_request_user_delete on feature_request for delete to app_user
  using (
    merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()) and status = 'pending'
  );
grant select, insert on issue_report, feature_request to app_user;
grant delete on feature_request to app_user;

create policy issue_report_worker_select on issue_report for select to app_worker using (true);
create policy issue_report_worker_update on issue_report for update to app_worker using (status = 'queued') with check (true);
create policy feature_request_worker_select on feature_request for select to app_worker using (true);
create policy feature_request_worker_update on feature_request for update to app_worker
  using (status = 'pending') with check (true);
create policy feature_request_worker_delete on feature_request for delete to app_worker using (status = 'pending');
grant select on issue_report, feature_request to app_worker;
grant update (status, reference, attempts, last_failure, gave_up_at, restart_at, sent_at) on issue_report to app_worker;
-- A report whose flow was terminated gets another one.
create policy workflow_start_worker_insert on workflow_start for insert to app_worker with check (true);
grant insert on workflow_start to app_worker;
grant update (status, post_id, posted_at) on feature_request to app_worker;
grant delete on feature_request to app_worker;

-- When the caller may write the next one: null for now, else the time at which the oldest of its latest five leaves the
-- last 24 hours. Whoever asks has, until its transaction ends, the next one to itself. At any merchant: a person may reach several.
create function app.lock_next_report(p_kind text) returns timestamptz
language plpgsql volatile security definer set search_path = ''
as $$
declare
  fifth timestamptz;
begin
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended(p_kind || '/' || app.profile_id()::text, 0)
  );
  if p_kind = 'issue_report' then
    select created_at into fifth from public.issue_report
      where profile_id = app.profile_id() order by created_at desc offset 4 limit 1;
  else
    select created_at into fifth from public.feature_request
      where profile_id = app.profile_id() order by created_at desc offset 4 limit 1;
  end if;
  return case when fifth > pg_catalog.clock_timestamp() - interval '24 hours' then fifth + interval '24 hours' end;
end
$$;
grant execute on function app.lock_next_report(text) to app_user;
create policy issue_report_definer_select on issue_report for select to app_definer using (true);
create policy feature_request_definer_select on feature_request for select to app_definer using (true);
grant select (profile_id, created_at) on issue_report, feature_request to app_definer;
alter function app.lock_next_report(text) owner to app_definer;

-- What the caller's company is called and the one it acts for: neither may be named in public.
create function app.list_own_companies() returns setof text
language sql stable security definer set search_path = ''
as $$
  select m.name from public.merchant m
  where m.id in (app.merchant_id(), (select p.merchant_id from public.profile p where p.id = app.profile_id()))
$$;
grant execute on function app.list_own_companies() to app_user;
alter function app.list_own_companies() owner to app_definer;
