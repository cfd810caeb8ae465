-- Résumés that candidates add to their attempts (docs/taking.md#resume).

set local role app_definer;

-- Records the résumé of the running attempt, before its file is put into the object store. `same`: the attempt has this
-- file already. `other`: it has another one.
create or replace function app.add_resume(
  p_name text, p_kind text, p_bytes integer, p_sha256 bytea, p_text text, out outcome text, out resume_id uuid, out path text
)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
  old_hash bytea;
begin
  outcome := case
    when not app.is_attempt_running(r) then 'not_running'
    when app.visit_id() is not null or not exists (
      select from public.attempt_plan p
      where p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = r.attempt and app.asks_resume(p.scoring)
    ) then 'not_asked' end;
  if outcome is not null then
    return;
  end if;
  select c.sha256 into old_hash from public.resume c
    where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt and c.stored_at is not null;
  if found then
    outcome := case when old_hash = p_sha256 then 'same' else 'other' end;
    return;
  end if;
  insert into public.resume as c (merchant_id, environment, result_id, attempt, name, kind, bytes, sha256, text)
    values (r.merchant_id, r.environment, r.id, r.attempt, p_name, p_kind, p_bytes, p_sha256, p_text)
    returning c.id, c.path into resume_id, add_resume.path;
  outcome := 'added';
end
$$;
grant execute on function app.add_resume(text, text, integer, bytea, text) to app_link;

-- Records that the file of a résumé is in the object store. Returns false if the attempt has ended or got another résumé.
create or replace function app.store_resume(p_resume_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
begin
  update public.resume c set stored_at = now()
    where c.merchant_id = r.merchant_id and c.id = p_resume_id and c.result_id = r.id and c.attempt = r.attempt
      and app.is_attempt_running(r) and not exists (
        select from public.resume o where o.merchant_id = r.merchant_id and o.result_id = r.id and o.attempt = r.attempt
          and o.stored_at is not null
      );
  return found;
end
$$;
grant execute on function app.store_resume(uuid) to app_link;

reset role;
