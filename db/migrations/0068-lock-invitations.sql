-- Redefines the function of 0067, which counted reminders to submit in the limit of invitations.
set local role app_definer;
create or replace function app.lock_invitations(p_email_keys text[]) returns table (email_key text, mailed integer)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('invitations/' || app.merchant_id()::text || '/' || app.environment(), 0)
  );
  -- Each `limit` makes the planner look the person up by index, even in a table that has just grown.
  return query
  select wanted.key, pg_catalog.sum((
      select count(*) from public.mail m
      where m.merchant_id = app.merchant_id() and m.environment = app.environment() and m.profile_id = person.id
        and m.kind not in ('reminder', 'final_reminder', 'submit_reminder') and m.state <> 'withdrawn'
        and m.created_at > pg_catalog.now() - interval '24 hours'
    ))::integer
  from unnest(p_email_keys) as wanted (key)
  cross join lateral (
    (select p.id from public.profile p where p.role <> 'candidate' and p.email_key = wanted.key limit 1)
    union all
    (
      select p.id from public.profile p
      where p.role = 'candidate' and p.merchant_id = app.merchant_id() and p.email_key = wanted.key limit 1
    )
  ) person
  where app.caller_role() <> 'merchant_selection'
  group by wanted.key;
end
$$;
set local role app_owner;
