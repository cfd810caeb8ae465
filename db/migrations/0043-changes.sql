-- What GET /sync reads (docs/sync.md): one row for each object that an integrator can mirror, with the transaction that
-- changed it last. Deleted objects keep their row for 90 days.
create table change (
  merchant_id uuid not null,
  environment text check (environment in ('production', 'uat', 'development', 'demo')), -- null: in all environments
  object text not null check (
    object in ('interview', 'position', 'candidate', 'invitation', 'result', 'decision', 'credit_entry', 'audit_entry',
      'team_member', 'report', 'knowledge_base', 'directory')
  ),
  id text collate "C" not null,
  tx xid8 not null default pg_current_xact_id(),
  version bigint not null default 1,
  changed_at timestamptz not null default now(),
  deleted_at timestamptz,
  reason text check (reason in ('deleted', 'erased', 'merged')),
  primary key (merchant_id, object, id),
  check ((deleted_at is null) = (reason is null))
);
create index change__merchant_id_environment_tx_object_id on change (merchant_id, environment, tx, object, id);
create index change__deleted_at on change (deleted_at) where deleted_at is not null;

-- The only row. Cursors of other generations have expired: after a restore, they could be ahead of the database.
create table sync_generation (
  id boolean primary key default true check (id),
  generation uuid not null default gen_random_uuid()
);
insert into sync_generation default values;
alter table sync_generation enable row level security, force row level security;

-- The objects that exist. The owner of the tables reads all rows while row-level security is not forced on it. Writers wait
-- for the locks, so that no change is missed before the triggers exist.
do $$
declare
  source text;
  sources constant text[] := array['interview', 'position', 'enrolment', 'mail', 'invitation', 'interview_result',
    'credit_entry', 'audit_entry', 'profile', 'merchant_access', 'report', 'knowledge_base', 'catalogue_directory'];
begin
  foreach source in array sources loop
    execute format('alter table %I no force row level security', source);
  end loop;
  insert into change (merchant_id, environment, object, id)
    select merchant_id, environment, 'interview', id::text from interview where built_at is not null and status <> 'deleted'
    union all
    select merchant_id, environment, 'position', id::text from position where status <> 'deleted'
    union all
    select merchant_id, environment, 'candidate', id::text from enrolment
    union all
    select merchant_id, environment, 'invitation', id::text from mail
    union all
    select merchant_id, environment, 'invitation', id::text from invitation
      where channel = 'email' and result in ('activated', 'skipped', 'error')
    union all
    select merchant_id, environment, 'result', id::text from interview_result
    union all
    select merchant_id, environment, 'decision', id::text from interview_result
      where recruiter_go_next_round is not null or recruiter_shortlist or user_feedback_recruiter is not null
    union all
    select merchant_id, null, 'credit_entry', id::text from credit_entry
    union all
    select merchant_id, case when not is_of_account then environment end, 'audit_entry', id::text from audit_entry
      where merchant_id is not null
    union all
    select merchant_id, null, 'team_member', id::text from profile
      where merchant_id is not null and role not in ('candidate', 'admin') and home_withdrawn_at is null
    union all
    select a.merchant_id, null, 'team_member', a.profile_id::text from merchant_access a
      join profile p on p.id = a.profile_id and p.role <> 'admin'
    union all
    select merchant_id, null, 'report', id::text from report
    union all
    select merchant_id, null, 'knowledge_base', id::text from knowledge_base
    union all
    select merchant_id, null, 'directory', id from catalogue_directory where merchant_id is not null
    on conflict do nothing;
  foreach source in array sources loop
    execute format('alter table %I force row level security', source);
  end loop;
end
$$;
alter table change enable row level security, force row level security;

-- Finds the directories that nest a directory, or that list the sessions with some tags.
create index catalogue_directory__tags_sub_tags_interview_set_filter on catalogue_directory
  using gin (tags_sub, tags_interview_set_filter) with (fastupdate = off);
