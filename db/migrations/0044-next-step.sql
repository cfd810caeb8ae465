-- Moves a candidate to the next step of a position when a recruiter advances the candidate's result of the current step
-- (docs/results.md#decisions).

alter table merchant add column mail_next_step boolean not null default true;
grant select (mail_next_step) on merchant to app_user, app_service, app_definer;
grant update (mail_next_step) on merchant to app_user;
grant update (interview_id, invited_at) on enrolment to app_definer;
grant select (profile_id, email_key) on enrolment to app_definer;

-- Moves the candidate of an advanced result to the next step of the position. Returns the candidate and the new step.
-- Returns no row if the result is a test, if it is not for the candidate's current step, if that is the last step, if
-- the next step has a result, or if the position no longer accepts candidates.
create function app.enter_next_step(p_result_id uuid)
returns table (
  enrolment_id uuid, profile_id uuid, email_key text, interview_id uuid, platform_language_code text, is_mailed boolean
)
language sql security definer set search_path = ''
as $$
  update public.enrolment e set interview_id = n.interview_id, invited_at = case when m.mail_next_step then now() end
  from public.interview_result r
  join public.merchant m on m.id = r.merchant_id
  join public.position_step s on s.merchant_id = r.merchant_id and s.interview_id = r.interview_id
  join public.position p on p.merchant_id = s.merchant_id and p.id = s.position_id and p.status = 'active'
    and coalesce(app.available_until(p.interview_available_till) > now(), true)
  cross join lateral (
    select t.interview_id from public.position_step t
    where t.merchant_id = s.merchant_id and t.position_id = s.position_id and t.step_order > s.step_order
    order by t.step_order limit 1
  ) n
  join public.interview i on i.merchant_id = r.merchant_id and i.id = n.interview_id
  where r.id = p_result_id and r.merchant_id = app.merchant_id() and r.environment = app.environment()
    and not r.is_test and r.recruiter_go_next_round
    and e.merchant_id = r.merchant_id and e.id = r.enrolment_id and e.position_id = p.id and e.interview_id = r.interview_id
    and not exists (
      select from public.interview_result o where o.merchant_id = e.merchant_id and o.enrolment_id = e.id
        and o.interview_id = n.interview_id and not o.is_test
    )
  returning e.id, e.profile_id, e.email_key, e.interview_id, i.platform_language_code, m.mail_next_step
$$;
grant execute on function app.enter_next_step(uuid) to app_user, app_service;
alter function app.enter_next_step(uuid) owner to app_definer;
