-- Keeps `enrolment.progress`, from which the status of a candidate follows (docs/people.md#lists).

-- Returns how far a candidate with this result is. Null until an attempt begins, and after a result was reopened.
create or replace function app.candidate_progress(p_status text, p_interview_status text, p_go_next_round boolean)
returns text language sql immutable parallel safe
as $$
  select case when p_go_next_round is not null then 'decided' when p_status = 'active' then 'submitted'
    when p_interview_status is not null then 'started' end
$$;
-- Triggers call it with the rights of whoever changes a result.
grant execute on function app.candidate_progress(text, text, boolean) to app_user, app_service, app_worker, app_definer;

set local role app_definer;

-- Follows a change of the result at the candidate's interview.
create or replace function app.follow_candidate_progress() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.enrolment e
    set progress = app.candidate_progress(new.status, new.interview_status, new.recruiter_go_next_round)
    where e.merchant_id = new.merchant_id and e.id = new.enrolment_id and e.interview_id = new.interview_id;
  return null;
end
$$;

-- Follows a change of the candidate's interview, which is the next step of a position.
create or replace function app.set_candidate_progress() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.progress := (
    select app.candidate_progress(r.status, r.interview_status, r.recruiter_go_next_round)
    from public.interview_result r
    where r.merchant_id = new.merchant_id and r.enrolment_id = new.id and r.interview_id = new.interview_id
      and not r.is_test
  );
  return new;
end
$$;

reset role;

create or replace trigger interview_result_progress_added after insert on interview_result
  for each row when (
    not new.is_test and app.candidate_progress(new.status, new.interview_status, new.recruiter_go_next_round) is not null
  ) execute function app.follow_candidate_progress();
create or replace trigger interview_result_progress_changed
  after update of status, interview_status, recruiter_go_next_round on interview_result
  for each row when (
    not new.is_test and app.candidate_progress(new.status, new.interview_status, new.recruiter_go_next_round)
      is distinct from app.candidate_progress(old.status, old.interview_status, old.recruiter_go_next_round)
  ) execute function app.follow_candidate_progress();
create or replace trigger enrolment_progress before update of interview_id on enrolment
  for each row when (old.interview_id is distinct from new.interview_id) execute function app.set_candidate_progress();
