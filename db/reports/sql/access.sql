-- Who may read and write which rows and columns (docs/architecture.md#rules-of-the-database).

call pg_temp.reset_access('report');
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
create policy report_report_select on report for select to app_report using (merchant_id = (select app.merchant_id()));
create policy report_definer_select on report for select to app_definer using (true);
grant select, insert, update (title, is_shared, version, published_version, draft_version, archived_at) on report
  to app_user, app_service;
grant select on report to app_report, app_definer;

call pg_temp.reset_access('report_version');
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
create policy report_version_report_select on report_version for select to app_report
  using (merchant_id = (select app.merchant_id()));
create policy report_version_definer_select on report_version for select to app_definer using (true);
grant select, insert on report_version to app_user, app_service;
grant select on report_version to app_report, app_definer;

call pg_temp.reset_access('report_filters');
create policy report_filters_caller_select on report_filters for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
create policy report_filters_user_insert on report_filters for insert to app_user
  with check (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
create policy report_filters_user_update on report_filters for update to app_user
  using (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
create policy report_filters_user_delete on report_filters for delete to app_user
  using (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
create policy report_filters_report_select on report_filters for select to app_report
  using (merchant_id = (select app.merchant_id()) and profile_id = (select app.profile_id()));
grant select, insert, update (filters, updated_at), delete on report_filters to app_user;
grant select on report_filters to app_service, app_report;

call pg_temp.reset_access('report_attempt');
create policy report_attempt_caller_select on report_attempt for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy report_attempt_restricted_select on report_attempt as restrictive for select to app_restricted
  using (coalesce(position_id, interview_id) = any ((select app.position_ids())::uuid[]));
create policy report_attempt_worker_select on report_attempt for select to app_worker using (true);
create policy report_attempt_report_select on report_attempt for select to app_report
  using (merchant_id = (select app.merchant_id()) and environment = (select app.environment()));
create policy report_attempt_definer_select on report_attempt for select to app_definer using (true);
create policy report_attempt_definer_insert on report_attempt for insert to app_definer with check (true);
create policy report_attempt_definer_update on report_attempt for update to app_definer using (true);
create policy report_attempt_definer_delete on report_attempt for delete to app_definer using (true);
grant select on report_attempt to app_user, app_service, app_worker, app_report;
grant select, insert, update (position_id, profile_id, source, is_test, instant, started_at, ended_at, submitted_at,
  decided_at, status, interview_status, processing_status, decision, is_shortlisted, has_risk_flags, score,
  recruiter_score, pronunciation, words_per_minute, coverage, duration, evidence_verified, steps_given, steps_fixed),
  delete on report_attempt to app_definer;

call pg_temp.reset_access('report_schedule');
-- People who can edit a report see and change its schedules. A schedule runs with the rights of the person who last
-- changed it.
create policy report_schedule_caller_select on report_schedule for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment()) and exists (
      select from report r where r.merchant_id = report_schedule.merchant_id and r.id = report_schedule.report_id
        and (
          (select app.caller_role()) in ('merchant_owner', 'admin', 'service')
          or ((select app.caller_role()) = 'merchant' and r.creator_id = (select app.profile_id()))
        )
    )
  );
create policy report_schedule_user_insert on report_schedule for insert to app_user
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and creator_id = (select app.profile_id()) and exists (
      select from report r where r.merchant_id = report_schedule.merchant_id and r.id = report_schedule.report_id
        and (
          (select app.caller_role()) in ('merchant_owner', 'admin')
          or ((select app.caller_role()) = 'merchant' and r.creator_id = (select app.profile_id()))
        )
    )
  );
create policy report_schedule_user_update on report_schedule for update to app_user
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment()) and exists (
      select from report r where r.merchant_id = report_schedule.merchant_id and r.id = report_schedule.report_id
        and (
          (select app.caller_role()) in ('merchant_owner', 'admin')
          or ((select app.caller_role()) = 'merchant' and r.creator_id = (select app.profile_id()))
        )
    )
  )
  with check (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (creator_id = (select app.profile_id()) or stopped_at is not null)
  );
create policy report_schedule_worker_select on report_schedule for select to app_worker using (true);
create policy report_schedule_worker_update on report_schedule for update to app_worker using (true);
create policy report_schedule_definer_select on report_schedule for select to app_definer using (true);
grant select, insert, update (creator_id, every, format, block_id, recipients, stopped_at) on report_schedule
  to app_user;
grant select on report_schedule to app_service, app_definer;
grant select, update (synced) on report_schedule to app_worker;

call pg_temp.reset_access('report_delivery');
create policy report_delivery_caller_select on report_delivery for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and schedule_id in (select s.id from report_schedule s where s.merchant_id = report_delivery.merchant_id)
  );
create policy report_delivery_worker_select on report_delivery for select to app_worker using (true);
create policy report_delivery_worker_insert on report_delivery for insert to app_worker with check (true);
create policy report_delivery_worker_update on report_delivery for update to app_worker using (true);
-- The worker deletes runs, and the mails of a run are deleted with it.
create policy report_delivery_worker_delete on report_delivery for delete to app_worker using (true);
grant select (id, merchant_id, environment, schedule_id, workflow_id, state, error, title, created_at, ended_at)
  on report_delivery to app_user, app_service;
grant select, insert, update (state, error, title, file_name, file, ended_at), delete on report_delivery to app_worker;

call pg_temp.reset_access('report_mail');
create policy report_mail_caller_select on report_mail for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and delivery_id in (select d.id from report_delivery d where d.merchant_id = report_mail.merchant_id)
  );
create policy report_mail_mail_hook_select on report_mail for select to app_mail_hook using (true);
create policy report_mail_mail_hook_update on report_mail for update to app_mail_hook using (true);
create policy report_mail_worker_select on report_mail for select to app_worker using (true);
create policy report_mail_worker_insert on report_mail for insert to app_worker with check (true);
create policy report_mail_worker_update on report_mail for update to app_worker using (true);
grant select (id, merchant_id, environment, delivery_id, profile_id, state, attempts, last_error, sent_at, delivered_at,
  bounced_at, bounce_reason) on report_mail to app_user, app_service;
grant select (id, state, sent_at, delivered_at, bounced_at, bounce_reason), update (state, sent_at, delivered_at,
  bounced_at, bounce_reason) on report_mail to app_mail_hook;
grant select, insert, update (state, attempts, last_error, message_id, sent_at) on report_mail to app_worker;

call pg_temp.reset_access('report_change');
create policy report_change_caller_select on report_change for select to app_user, app_service
  using (merchant_id = (select app.merchant_id()));
create policy report_change_worker_select on report_change for select to app_worker using (true);
create policy report_change_worker_delete on report_change for delete to app_worker using (true);
create policy report_change_report_select on report_change for select to app_report
  using (merchant_id = (select app.merchant_id()));
create policy report_change_definer_insert on report_change for insert to app_definer with check (true);
grant select on report_change to app_user, app_service, app_report;
grant select, delete on report_change to app_worker;
grant insert (merchant_id, attempt_environment, attempt_instant) on report_change to app_definer;

call pg_temp.reset_access('report_day');
-- The sums are over all positions, so hiring managers, who may see only some of them, cannot read them.
create policy report_day_caller_select on report_day for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
create policy report_day_worker_select on report_day for select to app_worker using (true);
create policy report_day_worker_insert on report_day for insert to app_worker with check (true);
create policy report_day_worker_delete on report_day for delete to app_worker using (true);
create policy report_day_report_select on report_day for select to app_report
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
grant select on report_day to app_user, app_service, app_report;
grant select, insert, delete on report_day to app_worker;

call pg_temp.reset_access('report_rollup');
create policy report_rollup_caller_select on report_rollup for select to app_user, app_service
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
create policy report_rollup_worker_select on report_rollup for select to app_worker using (true);
create policy report_rollup_worker_insert on report_rollup for insert to app_worker with check (true);
create policy report_rollup_worker_update on report_rollup for update to app_worker using (true);
create policy report_rollup_report_select on report_rollup for select to app_report
  using (
    merchant_id = (select app.merchant_id()) and environment = (select app.environment())
    and (select app.caller_role()) <> 'merchant_selection'
  );
grant select on report_rollup to app_user, app_service, app_report;
grant select, insert, update (time_zone, until) on report_rollup to app_worker;
