-- Candidates, invitations and mail (docs/people.md).

-- Settings of the merchant. The time zone determines when a day begins. If an interval is null, that reminder is off.
alter table merchant
  add column time_zone text not null default 'UTC',
  add column reminder_after interval default '3 days',
  add column final_reminder_after interval default '7 days',
  add check (final_reminder_after > reminder_after);

-- `email_key` is the normalized address for comparisons (db/people/email-key.ts). Team members and learners have one
-- account on the whole platform; each merchant has its own candidates.
alter table profile
  alter column name drop not null,
  add column email_key text,
  add column platform_language_code text not null default 'en',
  add column activated_at timestamptz; -- null: invited, not yet accepted
alter table profile no force row level security;
update profile set email_key = lower(email), activated_at = created_at;
alter table profile force row level security;
alter table profile alter column email_key set not null;
create unique index profile__email_key on profile (email_key) where role <> 'candidate';
create unique index profile__merchant_id_email_key on profile (merchant_id, email_key) where role = 'candidate';

-- A candidate of one interview or position. In the API, the id is `profile_interview_id`. For a candidate of a
-- position, `interview_id` is the candidate's current step, which is at first the position's first step. Within an
-- interview or position (`scope_id`), each email address and each external_id occurs once.
create table enrolment (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  interview_id uuid not null,
  position_id uuid,
  scope_id uuid not null generated always as (coalesce(position_id, interview_id)) stored,
  profile_id uuid not null,
  name text,
  email text not null,
  email_key text not null,
  external_id text,
  phone text,
  -- Invitation links contain this number, so raising it invalidates earlier links.
  link_generation integer not null default 1,
  invited_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (merchant_id, id),
  -- Deferrable constraints are checked after the statement, so one statement can swap the values of two candidates.
  unique (merchant_id, scope_id, email_key) deferrable initially immediate,
  unique (merchant_id, scope_id, external_id) deferrable initially immediate,
  foreign key (merchant_id, interview_id) references interview (merchant_id, id),
  foreign key (merchant_id, position_id) references position (merchant_id, id),
  foreign key (merchant_id, profile_id) references profile (merchant_id, id)
);
create index enrolment__merchant_id_interview_id on enrolment (merchant_id, interview_id);
create trigger enrolment_touch before update on enrolment
  for each row execute function app.touch_updated_at();

-- This migration adds only the columns that enrolments and credits need. Migration 0008 adds the others.
create table interview_result (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  interview_id uuid not null,
  enrolment_id uuid,
  attempt integer not null default 1 check (attempt > 0),
  is_test boolean not null default false,
  status text not null default 'draft' check (status in ('draft', 'active')),
  interview_status text check (
    interview_status in ('started', 'completed', 'completed, stopped early', 'failed', 'abandoned',
      'terminated, no speech detected')
  ),
  processing_status text check (processing_status in ('queued', 'processing', 'completed', 'failed')),
  recruiter_go_next_round boolean,
  duration integer, -- deciseconds
  -- Whether credits were charged for the current attempt. Null until the price is due.
  charge text check (charge in ('charged', 'unpaid', 'free', 'refunded')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (merchant_id, id),
  foreign key (merchant_id, interview_id) references interview (merchant_id, id),
  foreign key (merchant_id, enrolment_id) references enrolment (merchant_id, id)
);
create index interview_result__merchant_id_enrolment_id on interview_result (merchant_id, enrolment_id);
create index interview_result__merchant_id_interview_id on interview_result (merchant_id, interview_id);
create trigger interview_result_touch before update on interview_result
  for each row execute function app.touch_updated_at();

-- One request that sends invitations, with the settings that its mails share.
create table invitation_batch (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  platform_language_code text not null,
  message_from_recruiter text,
  hide_menu boolean not null default false,
  hide_iframe boolean not null default false,
  is_test boolean not null default false,
  created_at timestamptz not null default now(),
  unique (merchant_id, id)
);

-- One mail to one person. The state `sending` is committed before the provider is called, so a mail that has this state
-- after a crash may have been sent. If `attempts` is above 1, the provider was called more than once.
create table mail (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  batch_id uuid not null,
  kind text not null check (
    kind in ('candidate_invitation', 'reminder', 'final_reminder', 'team_invitation', 'coaching_invitation')
  ),
  profile_id uuid not null references profile (id),
  enrolment_id uuid,
  state text not null default 'queued' check (
    state in ('queued', 'sending', 'sent', 'rejected', 'gave_up', 'withdrawn')
  ),
  attempts integer not null default 0,
  last_error text,
  message_id text,
  sent_at timestamptz,
  delivered_at timestamptz,
  opened_at timestamptz,
  bounced_at timestamptz,
  bounce_reason text,
  created_at timestamptz not null default now(),
  check ((enrolment_id is null) = (kind in ('team_invitation', 'coaching_invitation'))),
  foreign key (merchant_id, batch_id) references invitation_batch (merchant_id, id),
  foreign key (merchant_id, enrolment_id) references enrolment (merchant_id, id)
);
-- A batch sends a person at most one mail of each kind, and a candidate at most one of each kind per enrolment.
create unique index mail__batch_id_kind_profile_id_enrolment_id
  on mail (batch_id, kind, profile_id, enrolment_id) nulls not distinct;
create index mail__batch_id on mail (batch_id) where state in ('queued', 'sending');
create index mail__merchant_id_enrolment_id_created_at on mail (merchant_id, enrolment_id, created_at);

alter table enrolment enable row level security, force row level security;
alter table interview_result enable row level security, force row level security;
alter table invitation_batch enable row level security, force row level security;
alter table mail enable row level security, force row level security;

create policy merchant_caller_select on merchant for select to app_user, app_service
  using (id = (select app.merchant_id()));
grant select (id, name, time_zone) on merchant to app_user, app_service;

create policy profile_caller_insert on profile for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and role <> 'admin' and activated_at is null);
grant select (email_key, activated_at) on profile to app_user, app_service;
grant insert on profile to app_user, app_service;
alter table profile alter column merchant_id set default app.merchant_id();

alter table merchant_access alter column merchant_id set default app.merchant_id();
create policy merchant_access_caller_select on merchant_access for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()));
create policy merchant_access_caller_insert on merchant_access for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()));
grant select (merchant_id, profile_id), insert on merchant_access to app_user, app_service;

create policy enrolment_caller_select on enrolment for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy enrolment_caller_insert on enrolment for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy enrolment_caller_update on enrolment for update to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
grant select, insert on enrolment to app_user, app_service;
grant update (profile_id, name, email, email_key, external_id, phone, link_generation, invited_at)
  on enrolment to app_user, app_service;

create policy interview_result_caller_select on interview_result for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
grant select on interview_result to app_user, app_service;

create policy invitation_batch_caller_select on invitation_batch for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy invitation_batch_caller_insert on invitation_batch for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
grant select, insert on invitation_batch to app_user, app_service;
create policy mail_caller_insert on mail for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment()) and state = 'queued'
  );
grant insert on mail to app_user, app_service;
create index invitation_batch__merchant_id_environment_created_at
  on invitation_batch (merchant_id, environment, created_at);

-- Finds the accounts with these addresses, including those of other merchants: a person who has an account gets access
-- instead of a second account. The result reveals no more than the response to an invitation does.
create function app.find_accounts(p_email_keys text[])
returns table (
  email_key text, profile_id uuid, is_admin boolean, is_home boolean, role text, is_active boolean, is_disabled boolean
)
language sql stable security definer set search_path = ''
as $$
  select p.email_key, p.id, p.role = 'admin', p.merchant_id is not distinct from app.merchant_id(),
    case when p.merchant_id is not distinct from app.merchant_id() then p.role else a.role end,
    p.activated_at is not null, p.disabled_at is not null
  from public.profile p
  left join public.merchant_access a on a.profile_id = p.id and a.merchant_id = app.merchant_id()
  where p.role <> 'candidate' and p.email_key = any (p_email_keys)
$$;
grant execute on function app.find_accounts(text[]) to app_user, app_service;
alter function app.find_accounts(text[]) owner to app_definer;

-- Rights of the worker, which sends the mails.
create policy enrolment_worker_select on enrolment for select to app_worker using (true);
create policy interview_result_worker_select on interview_result for select to app_worker using (true);
create policy invitation_batch_worker_select on invitation_batch for select to app_worker using (true);
create policy mail_worker_select on mail for select to app_worker using (true);
create policy mail_worker_insert on mail for insert to app_worker with check (true);
create policy mail_worker_update on mail for update to app_worker using (true);
create policy position_worker_select on position for select to app_worker using (true);
create policy profile_worker_select on profile for select to app_worker using (true);
grant select on enrolment, invitation_batch, mail, position to app_worker;
grant select (id, merchant_id, enrolment_id, is_test) on interview_result to app_worker;
grant select (id, name, email, platform_language_code, disabled_at) on profile to app_worker;
grant select (reminder_after, final_reminder_after) on merchant to app_worker;
grant insert on mail to app_worker;
grant update (state, attempts, last_error, message_id, sent_at) on mail to app_worker;

-- Rights of app_mail_hook, which records what SendGrid's event webhook reports about mails.
create policy mail_mail_hook_select on mail for select to app_mail_hook using (true);
create policy mail_mail_hook_update on mail for update to app_mail_hook using (true);
grant select (id, state, sent_at, delivered_at, opened_at, bounced_at, bounce_reason),
  update (state, sent_at, delivered_at, opened_at, bounced_at, bounce_reason) on mail to app_mail_hook;
grant usage on schema app to app_mail_hook;

-- Rights of app_auth, which accepts invitations to a team or a portal.
create policy merchant_auth_select on merchant for select to app_auth using (true);
create policy profile_auth_update on profile for update to app_auth using (true);
create policy merchant_access_auth_select on merchant_access for select to app_auth using (true);
grant select (id, name) on merchant to app_auth;
grant select (merchant_id, profile_id, role) on merchant_access to app_auth;
grant select (platform_language_code, activated_at), update (activated_at) on profile to app_auth;

-- A transaction for a candidate's link can read only the enrolment of the link and what the page of the link shows. The
-- API has already verified the signature of the link.
create function app.enrolment_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.enrolment_id', true), '')::uuid $$;
revoke execute on function app.enrolment_id() from public;
grant execute on function app.enrolment_id() to app_definer, app_link;

create policy enrolment_definer_select on enrolment for select to app_definer using (true);
grant select (id, merchant_id, environment) on enrolment to app_definer;
create function app.find_link_scope(p_enrolment_id uuid) returns table (merchant_id uuid, environment text)
language sql stable security definer set search_path = ''
as $$ select e.merchant_id, e.environment from public.enrolment e where e.id = p_enrolment_id $$;
grant execute on function app.find_link_scope(uuid) to app_api_login;
alter function app.find_link_scope(uuid) owner to app_definer;

-- Sets the scope of a transaction for a link, as its first statement. If the enrolment no longer exists, the scope is
-- empty and the transaction sees no rows.
create function app.begin_link(p_enrolment_id uuid, p_statement_timeout text) returns void
language plpgsql security invoker
as $$
declare
  scope record;
begin
  select * into scope from app.find_link_scope(p_enrolment_id);
  perform
    pg_catalog.set_config('app.merchant_id', coalesce(scope.merchant_id::text, ''), true),
    pg_catalog.set_config('app.profile_id', '', true),
    pg_catalog.set_config('app.caller_id', '', true),
    pg_catalog.set_config('app.environment', coalesce(scope.environment, ''), true),
    pg_catalog.set_config('app.enrolment_id', p_enrolment_id::text, true),
    pg_catalog.set_config('statement_timeout', p_statement_timeout, true),
    pg_catalog.set_config('role', 'app_link', true);
end
$$;
grant execute on function app.begin_link(uuid, text) to app_api_login;

create policy merchant_link_select on merchant for select to app_link using (id = (select app.merchant_id()));
create policy enrolment_link_select on enrolment for select to app_link
  using (merchant_id = (select app.merchant_id()) and id = (select app.enrolment_id()));
create policy interview_link_select on interview for select to app_link
  using (
    merchant_id = (select app.merchant_id()) and id in (select e.interview_id from enrolment e) and built_at is not null
  );
create policy position_link_select on position for select to app_link
  using (merchant_id = (select app.merchant_id()) and id in (select e.position_id from enrolment e));
grant select (id, name) on merchant to app_link;
grant select (id, interview_id, position_id, name, link_generation) on enrolment to app_link;
grant select (id, name, status, interview_available_till, platform_language_code) on interview, position to app_link;
