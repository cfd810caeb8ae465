-- Lists of candidates and of invitations (docs/people.md#lists).

-- How far the candidate is at the enrolment's interview. Null until an attempt begins. The triggers of
-- candidate-status.sql keep it.
alter table enrolment add column progress text check (progress in ('started', 'submitted', 'decided'));
alter table enrolment add column status text not null generated always as (
  coalesce(progress, case when invited_at is null then 'registered' else 'invited' end)
) stored;

alter table enrolment no force row level security;
alter table interview_result no force row level security;
alter table enrolment disable trigger user;
update enrolment e set progress = case
    when r.recruiter_go_next_round is not null then 'decided' when r.status = 'active' then 'submitted' else 'started'
  end
  from interview_result r
  where r.merchant_id = e.merchant_id and r.enrolment_id = e.id and r.interview_id = e.interview_id and not r.is_test
    and (r.recruiter_go_next_round is not null or r.status = 'active' or r.interview_status is not null);
alter table enrolment enable trigger user;
alter table interview_result force row level security;
alter table enrolment force row level security;

-- Lists read only this index to count and to find a page. Texts are in the table.
create index enrolment__merchant_id_environment_created_at_id
  on enrolment (merchant_id, environment, created_at, id) include (scope_id, interview_id, status);
create index mail__merchant_id_environment_created_at_id
  on mail (merchant_id, environment, created_at, id) include (state, bounced_at, delivered_at, kind, enrolment_id, profile_id);

-- Why a row failed. Only a failed row has its address, because no other table has it. It is deleted after 30 days.
alter table invitation add column code text;
alter table invitation add column email text check (email is null or result = 'error');
create index invitation__merchant_id_profile_id_invited_at on invitation (merchant_id, profile_id, invited_at);
create index invitation__merchant_id_environment_invited_at_id on invitation (merchant_id, environment, invited_at, id)
  where channel = 'email' and result in ('activated', 'skipped', 'error');
create index invitation__invited_at on invitation (invited_at) where email is not null;
