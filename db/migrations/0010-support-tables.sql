-- Technical issues and feature requests: stored first, then sent to the support desk and the feature board
-- (docs/support.md).

create table technical_issue (
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
create index technical_issue__merchant_id_id on technical_issue (merchant_id, id);
create index technical_issue__profile_id_created_at on technical_issue (profile_id, created_at);
create index technical_issue__created_at on technical_issue (created_at) where status = 'queued';
alter table technical_issue enable row level security, force row level security;

create table feature_request (
  id uuid primary key default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  profile_id uuid not null references profile (id) default app.profile_id(),
  title text not null check (char_length(title) between 5 and 120),
  description text not null check (char_length(description) between 10 and 4000),
  status text not null default 'pending' check (status in ('pending', 'posted')),
  post_id text, -- the id of the post on the feature board
  -- The time of the insert, not of the start of the transaction (now()), because a call may have waited in
  -- app.lock_daily_limit since then. The order of requests decides which one keeps a post: if two have the same title,
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
alter table feature_request enable row level security, force row level security;
