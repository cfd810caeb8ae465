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
  -- What the search for a candidate reads. One column needs one index, and lower() runs once per change.
  search_text text not null generated always as (
    lower(coalesce(name || e'\n', '') || email || coalesce(e'\n' || external_id, ''))
  ) stored,
  -- How the candidate was first enrolled.
  source text not null default 'registered' check (source in ('registered', 'invited', 'embed', 'public')),
  -- What a person agreed to who applied for a job: the version and language of the text, and when.
  apply_consent_version text,
  apply_consent_language text,
  apply_consented_at timestamptz,
  -- Invitation links contain this number, so raising it invalidates earlier links.
  link_generation integer not null default 1,
  -- Links of earlier generations can no longer read anything, because they were sent to a former address of the
  -- enrolment.
  readable_from integer not null default 1,
  time_factor numeric(3, 2) not null default 1 check (time_factor in (1, 1.25, 1.5, 2)),
  -- True: the candidate may type answers that have to be videos (job-interview-set-time-factor).
  may_type boolean not null default false,
  invited_at timestamptz,
  -- When a recruiter withdrew the candidate. Null again once the candidate is registered, invited or embedded again.
  withdrawn_at timestamptz,
  -- How far the candidate is at the enrolment's interview. Null until an attempt begins. The triggers of
  -- candidate-status.sql keep it.
  progress text check (progress in ('started', 'submitted', 'decided')),
  status text not null generated always as (
    coalesce(progress, case when invited_at is null then 'registered' else 'invited' end)
  ) stored,
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
create index enrolment__merchant_id_email_key on enrolment (merchant_id, email_key);
-- Lists count and find a page with these indexes (docs/people.md#lists).
create index enrolment__merchant_id_environment_created_at_id
  on enrolment (merchant_id, environment, created_at, id) include (scope_id, interview_id, status);
create index enrolment__merchant_id_environment_status_created_at_id
  on enrolment (merchant_id, environment, status, created_at, id);
create index enrolment__search_text on enrolment using gin (search_text extension.gin_trgm_ops);
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

-- The stages in which a candidate is and was, of an interview or a position (docs/people.md#stages). Candidates without
-- a present row have no stage.
create table enrolment_stage (
  merchant_id uuid not null,
  environment text not null,
  enrolment_id uuid not null,
  stage text not null check (
    stage in ('Interest', 'Application submitted', 'Interview 1st planned', 'Interview 1st completed',
      'Interview 2nd planned', 'Interview 2nd completed', 'Interview 3rd planned', 'Interview 3rd completed',
      'Offer negotiations', 'Hired', 'Rejected', 'Offer declined', 'Other')
  ),
  entered_at timestamptz not null,
  left_at timestamptz, -- null: the present stage
  set_by uuid references profile (id), -- null: a submit by the candidate, or a service key
  primary key (merchant_id, enrolment_id, entered_at),
  check (left_at > entered_at),
  foreign key (merchant_id, enrolment_id) references enrolment (merchant_id, id) on delete cascade
);
create unique index enrolment_stage__merchant_id_enrolment_id on enrolment_stage (merchant_id, enrolment_id)
  where left_at is null;
alter table enrolment_stage enable row level security, force row level security;

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
-- registers people. Rows have no name and no foreign keys: they stay when the person or interview is deleted.
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
  code text, -- why the row failed
  -- Only a failed row has its address, because no other table has it. It is deleted after 30 days.
  email text check (email is null or result = 'error'),
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
create index invitation__merchant_id_environment_invited_at_id on invitation (merchant_id, environment, invited_at, id)
  where channel = 'email' and result in ('activated', 'skipped', 'error');
create index invitation__merchant_id_profile_id_invited_at on invitation (merchant_id, profile_id, invited_at);
create index invitation__invited_at on invitation (invited_at) where email is not null;
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
      'candidate_invitation', 'next_step_invitation', 'retry_invitation', 'reminder', 'final_reminder', 'submit_reminder',
      'team_invitation', 'coaching_invitation'
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
  -- What became of the mail, as callers see it.
  status text not null generated always as (
    case when state in ('queued', 'sending') then 'queued' when state = 'rejected' then 'rejected'
      when state in ('gave_up', 'withdrawn') then 'failed' when bounced_at is not null then 'bounced'
      when delivered_at is not null then 'delivered' else 'sent' end
  ) stored,
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
-- Lists count and find a page with these indexes (docs/people.md#lists).
create index mail__merchant_id_environment_created_at_id
  on mail (merchant_id, environment, created_at, id) include (status, enrolment_id, profile_id);
create index mail__merchant_id_environment_status_created_at_id
  on mail (merchant_id, environment, status, created_at, id);
alter table mail enable row level security, force row level security;

-- The SMS or WhatsApp message that goes out in addition to a mail (docs/people.md#messages). The state `sending` is
-- committed before the provider is called. A message that has it after a crash may have been sent, and is not sent again.
create table message (
  mail_id uuid primary key references mail (id),
  merchant_id uuid not null references merchant (id),
  environment text not null check (environment in ('production', 'uat', 'development', 'demo')),
  enrolment_id uuid not null,
  -- What the link leads to. If the generation of the enrolment's links is another one when the message is due, the
  -- message is not sent.
  interview_id uuid not null,
  link_generation integer not null,
  channel text not null check (channel in ('sms', 'whatsapp')),
  number text, -- to which it was sent, in the form +491701234567
  state text not null default 'queued' check (
    state in ('queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed')
  ),
  error text, -- why it did not arrive: a word of ours, or the number of an error of the provider
  sid text, -- the provider's id
  code_hash bytea unique, -- the SHA-256 of the code in the short link
  price numeric,
  price_unit text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  checked_at timestamptz, -- when the provider was last asked for the price
  foreign key (merchant_id, enrolment_id) references enrolment (merchant_id, id)
);
create index message__merchant_id_number_sent_at on message (merchant_id, number, sent_at);
create index message__sent_at on message (sent_at) where sid is not null and price is null;
alter table message enable row level security, force row level security;

-- Numbers that answered STOP. They belong to no merchant, because all merchants send from the same number.
create table message_opt_out (
  number text primary key,
  created_at timestamptz not null default now()
);
alter table message_opt_out enable row level security, force row level security;

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
