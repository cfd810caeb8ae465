-- Candidates, invitations and mail (docs/people.md).

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
  -- How the candidate was first enrolled.
  source text not null default 'registered' check (source in ('registered', 'invited', 'embed', 'public')),
  time_factor numeric(3, 2) not null default 1 check (time_factor in (1, 1.25, 1.5, 2)),
  -- Links of earlier generations can no longer read anything, because they were sent to a former address of the
  -- enrolment.
  readable_from integer not null default 1,
  unique (merchant_id, id),
  -- Deferrable constraints are checked after the statement, so one statement can swap the values of two candidates.
  unique (merchant_id, scope_id, email_key) deferrable initially immediate,
  unique (merchant_id, scope_id, external_id) deferrable initially immediate,
  foreign key (merchant_id, interview_id) references interview (merchant_id, id),
  foreign key (merchant_id, position_id) references position (merchant_id, id),
  foreign key (merchant_id, profile_id) references profile (merchant_id, id)
);
create index enrolment__merchant_id_interview_id on enrolment (merchant_id, interview_id);
create index enrolment__merchant_id_email_key on enrolment (merchant_id, email_key);
alter table enrolment enable row level security, force row level security;

-- One row for each step of a position that a candidate has reached. A candidate reaches a step when the enrolment names
-- the interview of the step or has a result for that interview, and leaves the step when the recruiter decides.
-- The table has no foreign keys and few checks, because only the functions in enrolment-steps.sql write rows.
create table enrolment_step (
  merchant_id uuid not null,
  environment text not null,
  enrolment_id uuid not null,
  interview_id uuid not null,
  position_id uuid not null,
  entered_at timestamptz not null,
  left_at timestamptz,
  outcome text, -- advanced, rejected, or moved without a decision; null while the candidate is at the step
  primary key (merchant_id, enrolment_id, interview_id),
  check ((left_at is null) = (outcome is null))
);
alter table enrolment_step enable row level security, force row level security;

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
create index invitation_batch__merchant_id_environment_created_at
  on invitation_batch (merchant_id, environment, created_at);
alter table invitation_batch enable row level security, force row level security;

-- The invitations that reports count (docs/reports.md#datasets): one row for each person in a call that invites or
-- registers people. Rows have no address, no name and no foreign keys: they stay when the person or interview is deleted.
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

-- One mail to one person. The state `sending` is committed before the provider is called, so a mail that has this state
-- after a crash may have been sent. If `attempts` is above 1, the provider was called more than once.
create table mail (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  batch_id uuid not null,
  kind text not null check (
    kind in (
      'candidate_invitation', 'reminder', 'final_reminder', 'submit_reminder', 'team_invitation', 'coaching_invitation'
    )
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
create index mail__merchant_id_created_at on mail (merchant_id, created_at) where enrolment_id is null;
-- The index does not begin with merchant_id, because the planner would then use it to read all mails of a merchant.
create index mail__profile_id_created_at on mail (profile_id, created_at) where kind not in ('reminder', 'final_reminder');
alter table mail enable row level security, force row level security;

-- The number of invitations that a merchant has sent on `day` (UTC) in one environment. Production has no rows, because
-- the budget of the credit account applies there.
create table test_invitation_budget (
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  day date not null default (now() at time zone 'UTC')::date,
  sent integer not null default 0 check (sent >= 0),
  primary key (merchant_id, environment)
);
alter table test_invitation_budget enable row level security, force row level security;
