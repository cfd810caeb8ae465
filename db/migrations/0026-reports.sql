-- Reports that people and agents build (docs/reports.md). A report belongs to the account, not to an environment.

alter table merchant add column custom_reports boolean not null default true;
grant select (custom_reports) on merchant to app_user, app_service;

create table report (
  id uuid not null default uuidv7(),
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  title text not null, -- of the published definition
  creator_id uuid references profile (id) default app.profile_id(), -- null: a service key created it
  is_shared boolean not null default false,
  -- Every update of the report raises the version, including an update of the draft.
  version integer not null default 1,
  published_version integer not null default 1,
  draft_version integer,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, id)
);
create index report__merchant_id_updated_at on report (merchant_id, updated_at) where archived_at is null;
create trigger report_touch before update on report for each row execute function app.touch_updated_at();

create table report_version (
  merchant_id uuid not null default app.merchant_id(),
  report_id uuid not null,
  version integer not null,
  definition jsonb not null,
  created_by uuid references profile (id) default app.profile_id(),
  created_at timestamptz not null default now(),
  primary key (merchant_id, report_id, version),
  foreign key (merchant_id, report_id) references report (merchant_id, id)
);

-- The filters that a person has saved for a report or a template. Templates have no row in `report`, so there is no
-- foreign key.
create table report_filters (
  merchant_id uuid not null references merchant (id) default app.merchant_id(),
  report_id uuid not null,
  profile_id uuid not null references profile (id) default app.profile_id(),
  filters jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (merchant_id, report_id, profile_id)
);

alter table report enable row level security, force row level security;
alter table report_version enable row level security, force row level security;
alter table report_filters enable row level security, force row level security;

-- Owners, platform admins and service keys edit every report of the merchant. Recruiters edit the reports they created.
create function app.may_edit_report(p_creator_id uuid) returns boolean language sql stable parallel safe
  as $$
    select app.caller_role() in ('merchant_owner', 'admin', 'service')
      or (app.caller_role() = 'merchant' and p_creator_id = app.profile_id())
  $$;
revoke execute on function app.may_edit_report(uuid) from public;
grant execute on function app.may_edit_report(uuid) to app_user, app_service;

create policy report_caller_select on report for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and ((is_shared and archived_at is null) or (
      (select app.caller_role()) in ('merchant_owner', 'admin', 'service')
      or ((select app.caller_role()) = 'merchant' and creator_id = (select app.profile_id()))
    ))
  );
create policy report_caller_insert on report for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and creator_id is not distinct from (select app.profile_id())
    and (select app.caller_role()) in ('merchant_owner', 'admin', 'service', 'merchant')
  );
create policy report_caller_update on report for update to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and (
      (select app.caller_role()) in ('merchant_owner', 'admin', 'service')
      or ((select app.caller_role()) = 'merchant' and creator_id = (select app.profile_id()))
    )
  );
grant select, insert on report to app_user, app_service;
grant update (title, is_shared, version, published_version, draft_version, archived_at) on report
  to app_user, app_service;

-- Readers see the published definition, editors every version.
create policy report_version_caller_select on report_version for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and exists (
      select from report r where r.merchant_id = report_version.merchant_id and r.id = report_version.report_id
        and (r.published_version = report_version.version or (
          (select app.caller_role()) in ('merchant_owner', 'admin', 'service')
          or ((select app.caller_role()) = 'merchant' and r.creator_id = (select app.profile_id()))
        ))
    )
  );
create policy report_version_caller_insert on report_version for insert to app_user, app_service
  with check (
    merchant_id = (select app.merchant_id()) and created_by is not distinct from (select app.profile_id()) and exists (
      select from report r where r.merchant_id = report_version.merchant_id and r.id = report_version.report_id
        and (
          (select app.caller_role()) in ('merchant_owner', 'admin', 'service')
          or ((select app.caller_role()) = 'merchant' and r.creator_id = (select app.profile_id()))
        )
    )
  );
grant select, insert on report_version to app_user, app_service;

create policy report_filters_caller_select on report_filters for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
create policy report_filters_user_insert on report_filters for insert to app_user
  with check (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
create policy report_filters_user_update on report_filters for update to app_user
  using (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
create policy report_filters_user_delete on report_filters for delete to app_user
  using (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
grant select on report_filters to app_user, app_service;
grant insert, update (filters, updated_at), delete on report_filters to app_user;
