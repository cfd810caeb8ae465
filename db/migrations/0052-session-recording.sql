-- Returns the `recording_full_session` of the link's interview, for the page of the link (docs/taking.md#the-app).
create function app.session_recording() returns text
language sql stable security definer set search_path = ''
as $$
  select i.recording_full_session from public.interview i
  where i.merchant_id = app.merchant_id() and i.id = app.link_interview_id()
$$;
grant execute on function app.session_recording() to app_link;
alter function app.session_recording() owner to app_definer;
