-- What decides whether and how candidates can take an interview (docs/interviews.md#positions).

-- Returns whether interviews of a type are practice. Policies and queries that use a partial index of practice list the
-- types themselves.
create or replace function app.is_practice(p_type text) returns boolean language sql immutable parallel safe
as $$ select p_type in ('coaching', 'persona') $$;
grant execute on function app.is_practice(text) to app_worker, app_definer;

-- Returns the status of an interview for candidates who were enrolled at a position, or at the interview itself if
-- p_position_id is null. At a position, the position decides, but a deleted interview stays deleted. At an interview
-- that is a step of a position, the stricter status of the two decides. A deleted position has no steps.
create or replace function app.status_for_candidates(
  p_merchant_id uuid, p_interview_id uuid, p_status text, p_position_id uuid
) returns text language sql stable
as $$
  select coalesce((
    select strict.status
    from unnest(array['deleted', 'archived', 'completed', 'preparing', 'draft']) with ordinality as strict (status, place)
    where strict.status = p_status and (p_position_id is null or p_status = 'deleted')
      or strict.status in (
        select p.status from public.position p where p.merchant_id = p_merchant_id and p.id = p_position_id
        union all
        select p.status from public.position_step s
        join public.position p on p.merchant_id = s.merchant_id and p.id = s.position_id and p.status <> 'deleted'
        where p_position_id is null and s.merchant_id = p_merchant_id and s.interview_id = p_interview_id
      )
    order by strict.place limit 1
  ), 'active')
$$;
grant execute on function app.status_for_candidates(uuid, uuid, text, uuid)
  to app_user, app_service, app_worker, app_definer;
