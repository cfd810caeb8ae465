-- Technical issues and feature requests: stored first, then sent to the support desk and the feature board
-- (docs/support.md).

create table issue_report (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  profile_id uuid not null references profile (id) default app.profile_id(),
  description text not null check (char_length(description) between 10 and 4000),
  interview_id uuid,
  position_id uuid, -- set instead of interview_id if the caller sent the id of a position
  result_id uuid,
  status text not null default 'queued' check (status in ('queued', 'sent')),
  reference text,
  attempts integer not null default 0,
  -- The reason for the latest failure: a timeout, the network or the HTTP status. It never contains the text of a
  -- response.
  last_failure text check (char_length(last_failure) <= 100),
  gave_up_at timestamptz, -- when the attempts ended without success; the status stays queued
  -- The time at which a cleanup job restarts the workflow. Every attempt moves it to 20 minutes later. A running
  -- workflow makes an attempt at least every ten minutes, unless the support desk asks for a longer wait.
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
  post_id text, -- the id of the post on the feature board
  -- The time of the insert, not of the start of the transaction (now()), because a call may have waited in
  -- app.lock_next_report since then. The order of requests decides which one keeps a post: if two have the same title,
  -- a post that exists on the feature board belongs to the older one.
  created_at timestamptz not null default clock_timestamp(),
  deadline_at timestamptz not null default now() + interval '19 seconds', -- until then the request can become posted
  posted_at timestamptz,
  check ((status = 'posted') = (post_id is not null) and (status = 'posted') = (posted_at is not null))
);
create index feature_request__merchant_id_id on feature_request (merchant_id, id);
create index feature_request__profile_id_created_at on feature_request (profile_id, created_at);
-- Each post of the board belongs to one request.
create unique index feature_request__profile_id_post_id on feature_request (profile_id, post_id);
create index feature_request__deadline_at on feature_request (deadline_at) where status = 'pending';

alter table issue_report enable row level security, force row level security;
alter table feature_request enable row level security, force row level security;

-- People create issues and requests in their own name, and the merchant's console lists them. Service keys cannot
-- create any.
create policy issue_report_user_select on issue_report for select to app_user
  using (merchant_id = (select app.merchant_id()));
create policy issue_report_user_insert on issue_report for insert to app_user
  with check (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
create policy feature_request_user_select on feature_request for select to app_user
  using (merchant_id = (select app.merchant_id()));
create policy feature_request_user_insert on feature_request for insert to app_user
  with check (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
-- A call that times out deletes its feature request, unless the request was posted.
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
-- A cleanup job restarts the workflow of an issue if the workflow was terminated.
create policy workflow_start_worker_insert on workflow_start for insert to app_worker with check (true);
grant insert on workflow_start to app_worker;
grant update (status, post_id, posted_at) on feature_request to app_worker;
grant delete on feature_request to app_worker;

-- Returns when the caller can create the next issue or feature request, or null if the caller can do so now. The limit
-- for one person is five of each in 24 hours, at all merchants together. Calls of one person wait for each other until
-- the transaction ends.
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

-- Returns the names of the caller's home merchant and of the merchant of the call. A feature request must not contain
-- them, because it is public.
create function app.list_own_companies() returns setof text
language sql stable security definer set search_path = ''
as $$
  select m.name from public.merchant m
  where m.id in (app.merchant_id(), (select p.merchant_id from public.profile p where p.id = app.profile_id()))
$$;
grant execute on function app.list_own_companies() to app_user;
alter function app.list_own_companies() owner to app_definer;
