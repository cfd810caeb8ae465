-- Visits of public avatars (docs/taking.md#public-avatars). The plan of a visit has one step, at which the visitor asks up
-- to 20 questions.

-- Returns `open` if visitors can talk to a public avatar, `closed`, or null if it has no page. A position that only
-- invited people may know closes the page of its steps.
create or replace function app.avatar_state(p_merchant_id uuid, p_interview_id uuid) returns text language sql stable
as $$
  select case
    when app.status_for_candidates(i.merchant_id, i.id, i.status, null) <> 'active' then 'closed'
    when app.available_until(i.interview_available_till) <= now() then 'closed' else 'open' end
  from public.interview i
  where i.merchant_id = p_merchant_id and i.id = p_interview_id and i.type = 'public_avatar' and i.built_at is not null
    and i.status <> 'deleted' and i.visibility in ('public', 'merchant_public', 'merchant_unlisted')
    and not exists (
      select from public.position_step s
      join public.position p on p.merchant_id = s.merchant_id and p.id = s.position_id and p.status <> 'deleted'
      where s.merchant_id = i.merchant_id and s.interview_id = i.id
        and p.visibility not in ('public', 'merchant_public', 'merchant_unlisted')
    )
$$;
grant execute on function app.avatar_state(uuid, uuid) to app_definer;

set local role app_definer;

-- Returns the scope of the public avatar with this slug or embed key, or no row if it has no page. `p_domain` is the portal
-- domain of the request, which must belong to the merchant. It is null for the deployment's own portal.
create or replace function app.find_avatar_scope(p_slug text, p_embed_key_id uuid, p_domain text)
returns table (merchant_id uuid, environment text, interview_id uuid)
language sql stable security definer set search_path = ''
as $$
  select i.merchant_id, i.environment, i.id
  from public.interview i join public.merchant m on m.id = i.merchant_id
  where i.id = coalesce(
      (select k.interview_id from public.embed_key k where k.id = p_embed_key_id and k.revoked_at is null),
      (select s.id from public.interview s where s.slug = p_slug)
    )
    and (p_domain is null or m.portal_domain = p_domain) and app.avatar_state(i.merchant_id, i.id) is not null
$$;
grant execute on function app.find_avatar_scope(text, uuid, text) to app_api_login;

reset role;

-- Sets the scope of a transaction for a visitor of a public avatar, as its first statement. `p_visit_id` is the id of the
-- result of the visit, which need not have begun. Raises PA401 for an avatar without a page.
create or replace function app.begin_visit(
  p_slug text, p_embed_key_id uuid, p_visit_id uuid, p_domain text, p_statement_timeout text
) returns void
language plpgsql security invoker
as $$
declare
  scope record;
begin
  select * into scope from app.find_avatar_scope(p_slug, p_embed_key_id, p_domain);
  if not found then
    raise exception 'There is no such avatar.' using errcode = 'PA401';
  end if;
  perform
    pg_catalog.set_config('app.link_interview_id', scope.interview_id::text, true),
    pg_catalog.set_config('app.visit_id', p_visit_id::text, true),
    app.set_scope(
      row(scope.merchant_id, null, null, null, scope.environment, 'app_link')::app.request_scope, p_statement_timeout
    );
end
$$;
grant execute on function app.begin_visit(text, uuid, uuid, text, text) to app_api_login;

set local role app_definer;

-- Returns what the page of a public avatar shows, and the conversation of the visit. `is_available` is false if no credits
-- are left for another visit. The function of the credits is created after this one, so this one is not checked before.
create or replace function app.avatar_page() returns table (
  interview_id uuid, name text, description text, merchant_name text, platform_language_code text, is_open boolean,
  is_available boolean, max_questions integer, turns jsonb
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select i.id, i.name, i.description, m.name, i.platform_language_code, app.avatar_state(i.merchant_id, i.id) = 'open',
      app.has_credits_left(i.merchant_id, i.id), app.most_questions(true),
      (
        select coalesce(jsonb_agg(jsonb_build_object('text', q.question_asked, 'question', q.answer) order by q.step_order), '[]')
        from public.result_question q
        where q.merchant_id = i.merchant_id and q.result_id = app.visit_id() and exists (
          select from public.interview_result r where r.merchant_id = q.merchant_id and r.id = q.result_id and r.interview_id = i.id
        )
      )
    from public.interview i join public.merchant m on m.id = i.merchant_id
    where i.merchant_id = app.merchant_id() and i.id = app.link_interview_id();
end
$$;
grant execute on function app.avatar_page() to app_link;

-- Begins and pays the visit of the transaction, unless it has begun, and returns its first turn, to which `p_greeting` is
-- the text. Returns no turn and `closed`, or `no_credits` if too few are left.
create or replace function app.open_visit(p_greeting text, out outcome text, out turn_id uuid)
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
begin
  if r.id is null then
    if app.avatar_state(app.merchant_id(), app.link_interview_id()) is distinct from 'open' then
      outcome := 'closed';
      return;
    end if;
    perform app.lock_credit_account(app.merchant_id());
    -- A second call for the same visit waits for the lock above.
    r := app.lock_link_result();
    if r.id is null and not app.has_credits_left(app.merchant_id(), app.link_interview_id()) then
      outcome := 'no_credits';
      return;
    end if;
  end if;
  if r.id is null then
    insert into public.interview_result as u (id, merchant_id, environment, interview_id, is_visit, interview_status,
        started_at, last_active_at, deadline_at)
      select app.visit_id(), i.merchant_id, i.environment, i.id, true, 'started', now(), now(),
        now() + make_interval(secs => coalesce(i.max_duration, 3600))
      from public.interview i where i.merchant_id = app.merchant_id() and i.id = app.link_interview_id()
      returning u.* into r;
    perform app.charge_result(r.id);
    insert into public.attempt_step (merchant_id, environment, result_id, attempt, place, kind, view, text,
        platform_language_code, mode, is_required, is_scored, max_followups)
      select r.merchant_id, r.environment, r.id, r.attempt, 1, 'candidate_asks', 'candidate asking recruiter', p_greeting,
        i.platform_language_code, 'text', false, false, 0
      from public.interview i where i.merchant_id = r.merchant_id and i.id = r.interview_id;
    perform app.ask_step(r, null, 1);
  end if;
  outcome := 'open';
  select q.id into turn_id from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.after_turn is null;
end
$$;
grant execute on function app.open_visit(text) to app_link;

-- Says how the visitor asks the open question: `voice` or `text`. The replies to spoken questions are spoken.
create or replace function app.set_visit_mode(p_mode text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result := app.lock_link_result();
begin
  update public.result_question q set mode = p_mode
    where q.merchant_id = r.merchant_id and q.result_id = r.id and r.is_visit and q.answered_at is null
      and q.mode in ('text', 'voice');
end
$$;
grant execute on function app.set_visit_mode(text) to app_link;

-- For the worker: deletes visits that began more than 30 days ago, and returns them, so that their files are deleted too.
-- The entries of the ledger stay.
create or replace function app.delete_old_visits(p_limit integer)
returns table (merchant_id uuid, environment text, result_id uuid)
language plpgsql security definer set search_path = ''
as $$
declare
  old_ids uuid[] := array(
    select r.id from public.interview_result r
    where r.is_visit and r.created_at < now() - interval '30 days' and r.interview_status <> 'started'
    order by r.created_at limit p_limit for update skip locked
  );
begin
  delete from public.result_question q using public.interview_result r
    where r.id = any (old_ids) and q.merchant_id = r.merchant_id and q.result_id = r.id;
  delete from public.attempt_step s using public.interview_result r
    where r.id = any (old_ids) and s.merchant_id = r.merchant_id and s.result_id = r.id;
  return query delete from public.interview_result r where r.id = any (old_ids) returning r.merchant_id, r.environment, r.id;
end
$$;
grant execute on function app.delete_old_visits(integer) to app_worker;

reset role;
