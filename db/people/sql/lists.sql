-- Finds candidates and mails for lists (docs/people.md#lists). These are definer functions, because Postgres uses no index
-- for texts in a query to which row-level security applies. Each call is planned for its filters. A filter that is null
-- matches everything. Only for a text, Postgres cannot know how frequent it is: if it is in a tenth of the newest rows, the
-- newest ones are searched, and otherwise the trigrams.

set local role app_definer;

-- Returns the newest candidates that match all filters, at most p_limit.
create or replace function app.find_candidates(
  p_status text, p_interview_id uuid, p_profile_id uuid, p_enrolment_id uuid, p_text text, p_limit integer,
  p_before timestamptz default null, p_before_id uuid default null, p_since timestamptz default null
)
returns table (id uuid, created_at timestamptz)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  here constant uuid := app.merchant_id();
  scope constant text := app.environment();
  seen constant uuid[] := app.position_ids();
  wanted constant text := lower(p_text);
  pattern constant text := '%' || pg_catalog.regexp_replace(wanted, '([\\%_])', '\\\1', 'g') || '%';
  address text;
  is_frequent boolean;
begin
  if p_text is not null then
    select count(*) >= 100 into is_frequent from (
      select e.search_text from public.enrolment e where e.merchant_id = here and e.environment = scope
      order by e.created_at desc, e.id desc limit 1000
    ) newest where pg_catalog.strpos(newest.search_text, wanted) > 0;
  end if;
  if p_profile_id is not null then
    select p.email_key into address from public.profile p where p.merchant_id = here and p.id = p_profile_id;
  end if;
  return query
  select e.id, e.created_at from public.enrolment e
  where e.merchant_id = here and e.environment = scope and (seen is null or e.scope_id = any (seen))
    and (p_status is null or e.status = p_status)
    and (p_interview_id is null or e.scope_id = p_interview_id or e.interview_id = p_interview_id)
    and (p_profile_id is null or e.profile_id = p_profile_id and e.email_key = address)
    and (p_enrolment_id is null or e.id = p_enrolment_id)
    and (p_before is null or (e.created_at, e.id) < (p_before, p_before_id))
    and (p_since is null or e.updated_at >= p_since)
    and case when p_text is null then true when is_frequent then pg_catalog.strpos(e.search_text, wanted) > 0
      else e.search_text like pattern end
  order by e.created_at desc, e.id desc limit p_limit;
end
$$;
grant execute on function app.find_candidates(
  text, uuid, uuid, uuid, text, integer, timestamptz, uuid, timestamptz
) to app_user, app_service;

-- Returns the newest mails, and rows of invitations without a mail, that match all filters, at most p_limit of each.
create or replace function app.find_mails(
  p_type text, p_status text, p_profile_id uuid, p_text text, p_limit integer, p_before timestamptz default null,
  p_before_id uuid default null
)
returns table (id uuid, is_mail boolean, created_at timestamptz)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  here constant uuid := app.merchant_id();
  scope constant text := app.environment();
  seen constant uuid[] := app.position_ids();
  wanted constant text := lower(p_text);
  is_of_people constant boolean := p_profile_id is not null or p_text is not null;
  is_frequent boolean := false;
  candidates uuid[];
  members uuid[];
begin
  if p_text is not null and p_profile_id is null and seen is null then
    select count(*) >= 10 into is_frequent from (
      select m.enrolment_id from public.mail m where m.merchant_id = here and m.environment = scope
      order by m.created_at desc, m.id desc limit 100
    ) newest where pg_catalog.strpos(
      (select e.search_text from public.enrolment e where e.merchant_id = here and e.id = newest.enrolment_id), wanted
    ) > 0;
  end if;
  if (is_of_people or seen is not null) and not is_frequent then
    candidates := array(select c.id from app.find_candidates(null, null, p_profile_id, null, p_text, null) c);
  end if;
  -- The people of the team. Their rows in the index of profiles are few next to those of candidates.
  if is_of_people and seen is null then
    members := array(
      select t.id from app.people_of_team(array(
        select p.id from public.profile p
        where p.merchant_id = here and p.role in ('merchant_owner', 'merchant', 'merchant_selection', 'user', 'mentor')
        union select a.profile_id from public.merchant_access a where a.merchant_id = here
      )) t
      where (p_profile_id is null or t.id = p_profile_id) and (
        p_text is null or pg_catalog.strpos(lower(t.name), wanted) > 0 or pg_catalog.strpos(lower(t.email), wanted) > 0
      )
    );
  end if;
  return query
  (
    select m.id, true, m.created_at from public.mail m
    where m.merchant_id = here and m.environment = scope
      and case when p_type is null then true when p_type = 'candidate' then m.enrolment_id is not null
        else m.enrolment_id is null and exists (
          select from public.invitation v
          where v.merchant_id = here and v.profile_id = m.profile_id and v.invited_at = m.created_at
            and v.enrolment_id is null and v.type = p_type
        ) end
      and (p_status is null or m.status = p_status)
      and (p_before is null or (m.created_at, m.id) < (p_before, p_before_id))
      and case when not is_of_people and seen is null then true
        when is_frequent then m.enrolment_id is null and m.profile_id = any (members) or pg_catalog.strpos(
          (select e.search_text from public.enrolment e where e.merchant_id = here and e.id = m.enrolment_id), wanted
        ) > 0
        else m.enrolment_id = any (candidates) or m.enrolment_id is null and m.profile_id = any (members) end
    order by m.created_at desc, m.id desc limit p_limit
  )
  union all
  (
    select v.id, false, v.invited_at from public.invitation v
    where v.merchant_id = here and v.environment = scope and v.channel = 'email'
      and v.result in ('activated', 'skipped', 'error')
      and (p_before is null or (v.invited_at, v.id) < (p_before, p_before_id))
      and (seen is null or coalesce(v.position_id, v.interview_id) = any (seen))
      and (p_type is null or v.type = p_type) and (p_status is null or p_status = 'failed' and v.result = 'error')
      and case when not is_of_people then true
        when is_frequent then v.enrolment_id is null and v.profile_id = any (members)
          or pg_catalog.strpos(lower(v.email), wanted) > 0 or pg_catalog.strpos(
            (select e.search_text from public.enrolment e where e.merchant_id = here and e.id = v.enrolment_id), wanted
          ) > 0
        else v.enrolment_id = any (candidates) or v.enrolment_id is null and v.profile_id = any (members)
          or p_profile_id is null and pg_catalog.strpos(lower(v.email), wanted) > 0 end
    order by v.invited_at desc, v.id desc limit p_limit
  );
end
$$;
grant execute on function app.find_mails(text, text, uuid, text, integer, timestamptz, uuid) to app_user, app_service;

reset role;
