-- The PDF of a result names the people who set scores, decided about the candidate and wrote the note
-- (docs/results.md#what-a-pdf-shows). The worker finds them in the audit entries about the result.
create policy audit_entry_worker_select on audit_entry for select to app_worker using (true);
grant select (id, merchant_id, environment, act, subject_id, details, actor_id, created_at) on audit_entry to app_worker;

-- For the worker: returns the name of a person in a merchant's team, as `app.names_of_team` does for callers, or of one of
-- the merchant's service keys. Returns null for all others, such as platform admins, who belong to other accounts.
create function app.name_of_actor(p_merchant_id uuid, p_actor_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(case when p.merchant_id = p_merchant_id then p.name else a.name end, p.email)
  from public.profile p
  left join public.merchant_access a on a.merchant_id = p_merchant_id and a.profile_id = p.id
  where p.id = p_actor_id and p.role not in ('admin', 'candidate')
    and (p.merchant_id = p_merchant_id or a.profile_id is not null)
  union all
  select coalesce(k.name, 'Service key') from public.service_key k where k.merchant_id = p_merchant_id and k.id = p_actor_id
$$;
grant execute on function app.name_of_actor(uuid, uuid) to app_worker;
alter function app.name_of_actor(uuid, uuid) owner to app_definer;
