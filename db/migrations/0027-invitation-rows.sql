-- The invitations that reports count (docs/reports.md#datasets): one row for each person in a call that invites or
-- registers people.

-- Rows have no address, no name and no foreign keys: they stay when the person or interview is deleted.
create table invitation (
  merchant_id uuid not null default app.merchant_id(),
  id uuid not null default uuidv7(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  invited_at timestamptz not null default now(),
  inviter_id uuid default app.profile_id(), -- null: a service key
  type text check (type in ('merchant_owner', 'merchant', 'merchant_selection', 'user', 'mentor', 'candidate')),
  result text not null check (
    result in ('invited', 'activated', 'sub_merchant_added', 'coaching_access_added', 'skipped', 'error')
  ),
  channel text not null check (channel in ('email', 'sms', 'whatsapp', 'link')),
  interview_id uuid,
  position_id uuid,
  enrolment_id uuid,
  profile_id uuid,
  language text,
  is_test boolean not null,
  expires_at timestamptz,
  primary key (merchant_id, id)
);
create index invitation__merchant_id_environment_invited_at on invitation (merchant_id, environment, invited_at);

alter table invitation enable row level security, force row level security;
create policy invitation_caller_select on invitation for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy invitation_caller_insert on invitation for insert to app_user, app_service
  with check (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
grant select, insert on invitation to app_user, app_service;

-- Reports read mails to find out whether a candidate was reminded.
create policy mail_caller_select on mail for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
grant select (id, merchant_id, environment, enrolment_id, kind, state, created_at) on mail to app_user, app_service;
