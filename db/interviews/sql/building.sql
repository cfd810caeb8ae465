-- The creation of an interview.

set local role app_definer;

-- Deletes the unbuilt interview of a request that timed out. Returns false if the workflow has built the interview
-- meanwhile. It is a definer function because callers do not see unbuilt rows.
create or replace function app.discard_unbuilt_interview(p_interview_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.interview i
    where i.id = p_interview_id and i.built_at is null
      and i.merchant_id = app.merchant_id() and i.environment = app.environment()
      and app.caller_role() <> 'merchant_selection';
  return found;
end
$$;
grant execute on function app.discard_unbuilt_interview(uuid) to app_user, app_service;

reset role;
