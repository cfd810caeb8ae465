-- The pages of jobs on portals (docs/catalogue.md#jobs). Portals show the environment production.

-- True for a visit of the deployment's own portal, which also shows the public jobs of all merchants.
create or replace function app.is_own_portal() returns boolean language sql stable
  as $$ select nullif(current_setting('app.is_own_portal', true), '')::boolean $$;
grant execute on function app.is_own_portal() to app_definer;

-- Returns the job of the transaction's merchant with this slug, if it has a page: `open`, `closed`, or `over` if its end
-- has passed. `interview_id` is the first step of a position. An interview that is a step has no page: its position is the
-- job.
create or replace function app.find_job(p_slug text) returns table (
  interview_id uuid, position_id uuid, visibility text, outcome text, language text, available_till text,
  created_at timestamptz
)
language sql stable
as $$
  select j.interview_id, j.position_id, j.visibility,
    case when j.status <> 'active' then 'closed' when app.available_until(j.till) <= now() then 'over' else 'open' end,
    j.language, j.till, j.created_at
  from (
    select i.id as interview_id, null::uuid as position_id, i.visibility, i.status, i.platform_language_code as language,
      i.interview_available_till as till, i.created_at
    from public.interview i
    where i.slug = p_slug and i.merchant_id = app.merchant_id() and i.environment = app.environment()
      and i.type in ('interview', 'assessment', 'persona_interview') and i.built_at is not null and not exists (
        select from public.position_step s
        join public.position p on p.merchant_id = s.merchant_id and p.id = s.position_id and p.status <> 'deleted'
        where s.merchant_id = i.merchant_id and s.interview_id = i.id
      )
    union all
    select step.id, p.id, p.visibility, p.status, step.platform_language_code, p.interview_available_till, p.created_at
    from public.position p cross join lateral (
      select i.id, i.platform_language_code from public.position_step s
      join public.interview i on i.merchant_id = s.merchant_id and i.id = s.interview_id
      where s.merchant_id = p.merchant_id and s.position_id = p.id and i.status <> 'deleted' order by s.step_order limit 1
    ) step
    where p.slug = p_slug and p.merchant_id = app.merchant_id() and p.environment = app.environment()
  ) j
  where j.status in ('active', 'archived', 'completed')
    and j.visibility in ('public', 'merchant_public', 'merchant_unlisted')
$$;
grant execute on function app.find_job(text) to app_definer;

-- Lists the interviews that are open jobs, of all merchants. Postgres inlines the function, so that the conditions of the
-- caller choose the index.
create or replace function app.listed_interviews() returns table (
  merchant_id uuid, interview_id uuid, position_id uuid, slug text, visibility text, created_at timestamptz
)
language sql stable
as $$
  select i.merchant_id, i.id, null::uuid, i.slug, i.visibility, i.created_at from public.interview i
  where i.environment = 'production' and i.status = 'active' and i.type in ('interview', 'assessment', 'persona_interview')
    and i.visibility in ('public', 'merchant_public') and i.built_at is not null
    and coalesce(app.available_until(i.interview_available_till) > now(), true) and not exists (
      select from public.position_step s
      join public.position p on p.merchant_id = s.merchant_id and p.id = s.position_id and p.status <> 'deleted'
      where s.merchant_id = i.merchant_id and s.interview_id = i.id
    )
$$;
grant execute on function app.listed_interviews() to app_definer;

-- Lists the positions that are open jobs, like app.listed_interviews.
create or replace function app.listed_positions() returns table (
  merchant_id uuid, interview_id uuid, position_id uuid, slug text, visibility text, created_at timestamptz
)
language sql stable
as $$
  select p.merchant_id, null::uuid, p.id, p.slug, p.visibility, p.created_at from public.position p
  where p.environment = 'production' and p.status = 'active' and p.visibility in ('public', 'merchant_public')
    and coalesce(app.available_until(p.interview_available_till) > now(), true) and exists (
      select from public.position_step s join public.interview i on i.merchant_id = s.merchant_id and i.id = s.interview_id
      where s.merchant_id = p.merchant_id and s.position_id = p.id and i.status <> 'deleted'
    )
$$;
grant execute on function app.listed_positions() to app_definer;

set local role app_definer;

-- Returns the merchant whose job has this slug, or null. On the portal domain of a merchant, only its own jobs are found.
create or replace function app.find_job_merchant(p_domain text, p_slug text) returns uuid
language sql stable security definer set search_path = ''
as $$
  select m.id from (
    select i.merchant_id from public.interview i where i.slug = p_slug and i.environment = 'production'
    union all
    select p.merchant_id from public.position p where p.slug = p_slug and p.environment = 'production'
  ) job join public.merchant m on m.id = job.merchant_id
  where p_domain is null or m.portal_domain = p_domain limit 1
$$;
grant execute on function app.find_job_merchant(text, text) to app_api_login;

reset role;

-- Sets the scope of a visit to the page of a job, as its first statement: the merchant of the job. If there is no such job,
-- the transaction sees no rows.
create or replace function app.begin_job(p_domain text, p_slug text, p_statement_timeout text) returns void
language plpgsql security invoker
as $$
begin
  perform app.begin_portal(null, app.find_job_merchant(p_domain, p_slug), null, p_statement_timeout),
    pg_catalog.set_config('app.is_own_portal', (p_domain is null)::text, true);
end
$$;
grant execute on function app.begin_job(text, text, text) to app_api_login;

set local role app_definer;

-- Lists the open jobs of the portal, the newest first: those that its merchant lists and, on the deployment's own portal,
-- the public ones of all merchants. Each part reads a partial index from its end, which Postgres chooses only if it knows
-- the limit, so each call is planned by itself.
create or replace function app.list_jobs(p_limit integer, p_offset integer) returns table (
  slug text, name text, company text, location text, department text, description text, cover_image_url text
)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
begin
  return query
  with found as (
    (
      select * from app.listed_interviews() i where i.merchant_id = app.merchant_id()
      order by i.created_at desc, i.interview_id desc limit p_offset + p_limit
    )
    union
    (
      select * from app.listed_interviews() i where app.is_own_portal() and i.visibility = 'public'
      order by i.created_at desc, i.interview_id desc limit p_offset + p_limit
    )
    union
    (
      select * from app.listed_positions() p where p.merchant_id = app.merchant_id()
      order by p.created_at desc, p.position_id desc limit p_offset + p_limit
    )
    union
    (
      select * from app.listed_positions() p where app.is_own_portal() and p.visibility = 'public'
      order by p.created_at desc, p.position_id desc limit p_offset + p_limit
    )
  )
  select f.slug, j.name, j.company, j.location, j.department, left(j.description, 400), j.cover_image_url
  from (
    select * from found order by found.created_at desc, found.slug limit p_limit offset p_offset
  ) f cross join lateral app.job_content(f.merchant_id, f.interview_id, f.position_id) j
  order by f.created_at desc, f.slug;
end
$$;
grant execute on function app.list_jobs(integer, integer) to app_portal;

-- Returns whether app.list_jobs lists any job. Every page of a portal asks this.
create or replace function app.has_jobs() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from app.listed_interviews() i where i.merchant_id = app.merchant_id())
    or exists (select from app.listed_positions() p where p.merchant_id = app.merchant_id())
    or app.is_own_portal() and (
      exists (select from app.listed_interviews() i where i.visibility = 'public')
      or exists (select from app.listed_positions() p where p.visibility = 'public')
    )
$$;
grant execute on function app.has_jobs() to app_portal;

-- Returns the page of the job with this slug. A position has the sums and the most of all its steps.
create or replace function app.job_page(p_slug text) returns table (
  id uuid, name text, location text, department text, salary text, cover_image_url text, description text,
  description_long text, company text, is_listed boolean, outcome text, language text, available_till text,
  created_at text, step_count integer, max_seconds integer, question_count integer, is_spoken boolean, recording text
)
language sql stable security definer set search_path = ''
as $$
  select coalesce(f.position_id, f.interview_id), j.*, f.visibility <> 'merchant_unlisted', f.outcome, f.language,
    f.available_till, app.iso_time(f.created_at), x.step_count, x.max_seconds, x.question_count, x.is_spoken, x.recording
  from app.find_job(p_slug) f
  cross join lateral app.job_content(app.merchant_id(), f.interview_id, f.position_id) j
  cross join lateral (
    select count(*)::integer as step_count, sum(e.max_seconds)::integer as max_seconds,
      sum(e.question_count)::integer as question_count, bool_or(e.is_spoken) as is_spoken, max(e.recording) as recording
    from (
      select f.interview_id as id where f.position_id is null
      union all
      select s.interview_id from public.position_step s
      join public.interview i on i.merchant_id = s.merchant_id and i.id = s.interview_id
      where s.merchant_id = app.merchant_id() and s.position_id = f.position_id and i.status <> 'deleted'
    ) step cross join lateral app.what_to_expect(app.merchant_id(), step.id) e
  ) x
$$;
grant execute on function app.job_page(text) to app_portal;

-- Returns what each interview of the job records (app.recordings_of).
create or replace function app.job_recordings(p_slug text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(app.recordings_of(app.merchant_id(), step.id)), '[]') from app.find_job(p_slug) f
  cross join lateral (
    select f.interview_id as id where f.position_id is null
    union all
    select s.interview_id from public.position_step s
    join public.interview i on i.merchant_id = s.merchant_id and i.id = s.interview_id
    where s.merchant_id = app.merchant_id() and s.position_id = f.position_id and i.status <> 'deleted'
  ) step
$$;
grant execute on function app.job_recordings(text) to app_portal;

-- Enrols a person who applies for a job, and queues the mail with the link. Nothing that is known about the person changes,
-- because anybody can send the form with any address. Returns why it takes no applications: there is no such job
-- (`missing`), it is not open (`closed`, `over`), or no invitations are left (`full`). Otherwise returns `enrolled` if the
-- person is new to the job, and else `sent`, also if the person gets no mail: whoever was withdrawn, or got p_most_mails
-- invitations in 24 hours. The work for them is done and rolled back, so that the time of the call says nothing about the
-- person.
create or replace function app.apply_for_job(
  p_slug text, p_name text, p_email text, p_email_key text, p_consent_version text, p_consent_language text,
  p_most_mails integer
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  mailed constant integer := coalesce((select l.mailed from app.lock_invitations(array[p_email_key]) l), 0);
  job record;
  person record;
  is_new boolean;
begin
  select * into job from app.find_job(p_slug);
  if not found or job.outcome <> 'open' then
    return coalesce(job.outcome, 'missing');
  end if;
  perform pg_catalog.pg_advisory_xact_lock(
    pg_catalog.hashtextextended('enrolment ' || coalesce(job.position_id, job.interview_id), 0)
  );
  -- The steps of a position may have changed before the lock.
  select * into job from app.find_job(p_slug);
  if not found or job.outcome <> 'open' then
    return coalesce(job.outcome, 'missing');
  end if;
  if app.reserve_invitations(1, 0.8) = 0 then
    return 'full';
  end if;
  select e.id, e.profile_id, e.interview_id, e.withdrawn_at into person from public.enrolment e
    where e.merchant_id = app.merchant_id() and e.scope_id = coalesce(job.position_id, job.interview_id)
      and e.email_key = p_email_key
    for no key update;
  is_new := not found;
  if is_new then
    insert into public.enrolment as e (merchant_id, environment, interview_id, position_id, profile_id, name, email,
        email_key, invited_at, source, apply_consent_version, apply_consent_language, apply_consented_at)
      values (app.merchant_id(), app.environment(), job.interview_id, job.position_id,
        app.candidate_profile(p_email, p_email_key, p_name, job.language), p_name, p_email, p_email_key, now(), 'public',
        p_consent_version, coalesce(p_consent_language, job.language), now())
      returning e.id, e.profile_id, e.interview_id, e.withdrawn_at into person;
  end if;
  perform app.queue_mail(app.merchant_id(), person.id, 'candidate_invitation', job.language);
  insert into public.invitation (merchant_id, environment, type, result, channel, interview_id, position_id, enrolment_id,
      profile_id, language, is_test, expires_at)
    values (app.merchant_id(), app.environment(), 'candidate', 'invited', 'email', person.interview_id, job.position_id,
      person.id, person.profile_id, job.language, false,
      coalesce(app.available_until(job.available_till), now() + interval '30 days'));
  if person.withdrawn_at is not null or mailed >= p_most_mails then
    raise exception 'This person gets no mail.' using errcode = 'PA429';
  end if;
  return case when is_new then 'enrolled' else 'sent' end;
exception
  when sqlstate 'PA429' then
    return 'sent';
end
$$;
grant execute on function app.apply_for_job(text, text, text, text, text, text, integer) to app_portal;

reset role;
