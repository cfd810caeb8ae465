-- A recruiter lets a candidate begin one more attempt after one that ended without a result. The candidate's link stays
-- the same. Returns false for any other result, and if the candidate has an attempt left.
create function app.grant_attempt(p_result_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
begin
  select * into r from public.interview_result u
    where u.id = p_result_id and u.merchant_id = app.merchant_id() and u.environment = app.environment()
      and app.caller_role() <> 'merchant_selection' and u.status = 'draft' and u.enrolment_id is not null
      and u.interview_status in ('failed', 'abandoned', 'terminated, no speech detected')
    for update;
  if not found or app.next_attempt(r) <> 'none_left' then
    return false;
  end if;
  update public.interview_result u set extra_attempts = u.attempt + 1 - coalesce((
      select (i.result_scoring ->> 'max_retries')::integer from public.interview i
      where i.merchant_id = u.merchant_id and i.id = u.interview_id
    ), 1)
    where u.id = r.id;
  return true;
end
$$;
grant execute on function app.grant_attempt(uuid) to app_user;
alter function app.grant_attempt(uuid) owner to app_definer;
