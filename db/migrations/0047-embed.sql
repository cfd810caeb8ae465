-- Embedded interviews (docs/taking.md#embedded-interviews), and candidates' links at the portal domain of their merchant.

alter table embed_key
  add unique (merchant_id, id),
  -- The origins whose pages may show the interview in a frame. The check allows only origins, because the values become
  -- part of a page's content security policy.
  add column embed_origins text[] not null default '{}' check (
    cardinality(embed_origins) <= 20 and array_position(embed_origins, null) is null
    and array_to_string(embed_origins, ' ') ~ '^(https?://[a-z0-9.-]+(:[0-9]+)?( (?=h)|$))*$'
  );
grant update (embed_origins) on embed_key to app_user, app_service;

create function app.embed_key_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.embed_key_id', true), '')::uuid $$;
-- Returns the interview of the embed key. It is null if the key was revoked, and the policies below then allow no
-- enrolment.
create function app.embed_interview_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.embed_interview_id', true), '')::uuid $$;
grant execute on function app.embed_key_id(), app.embed_interview_id() to app_embed, app_definer;
grant usage on schema app to app_embed;
grant execute on function app.merchant_id(), app.environment() to app_embed;

-- The embed tokens that were used. They are kept until they expire, so that another browser cannot use them again.
create table embed_token_use (
  merchant_id uuid not null default app.merchant_id(),
  environment text not null default app.environment()
    check (environment in ('production', 'uat', 'development', 'demo')),
  embed_key_id uuid not null default app.embed_key_id(),
  token_hash bytea not null, -- of the claim jti
  expires_at timestamptz not null,
  primary key (merchant_id, embed_key_id, token_hash),
  foreign key (merchant_id, embed_key_id) references embed_key (merchant_id, id) on delete cascade
);
create index embed_token_use__expires_at on embed_token_use (expires_at);
alter table embed_token_use enable row level security, force row level security;

-- Returns the scope of an embed key, or no row. `p_domain` is the portal domain of the request, which must belong to
-- the key's merchant. It is null for a request to the deployment's own portal.
create function app.find_embed_scope(p_embed_key_id uuid, p_domain text)
returns table (merchant_id uuid, environment text, interview_id uuid)
language sql stable security definer set search_path = ''
as $$
  select k.merchant_id, k.environment, case when k.revoked_at is null then k.interview_id end
  from public.embed_key k
  join public.interview i on i.merchant_id = k.merchant_id and i.id = k.interview_id
  join public.merchant m on m.id = k.merchant_id
  where k.id = p_embed_key_id and i.status <> 'deleted' and (p_domain is null or m.portal_domain = p_domain)
$$;
grant execute on function app.find_embed_scope(uuid, text) to app_api_login;
create policy embed_key_definer_select on embed_key for select to app_definer using (true);
grant select (id, merchant_id, environment, interview_id, signing_key_sealed, embed_origins, revoked_at) on embed_key to app_definer;
alter function app.find_embed_scope(uuid, text) owner to app_definer;

-- Sets the scope of a transaction for an embed key, as its first statement. Raises PA401 for a key that does not exist.
create function app.begin_embed(p_embed_key_id uuid, p_domain text, p_statement_timeout text) returns void
language plpgsql security invoker
as $$
declare
  scope record;
begin
  select * into scope from app.find_embed_scope(p_embed_key_id, p_domain);
  if not found then
    raise exception 'there is no such embed key' using errcode = 'PA401';
  end if;
  perform
    pg_catalog.set_config('app.merchant_id', scope.merchant_id::text, true),
    pg_catalog.set_config('app.profile_id', '', true),
    pg_catalog.set_config('app.caller_id', '', true),
    pg_catalog.set_config('app.environment', scope.environment, true),
    pg_catalog.set_config('app.embed_key_id', p_embed_key_id::text, true),
    pg_catalog.set_config('app.embed_interview_id', coalesce(scope.interview_id::text, ''), true),
    pg_catalog.set_config('statement_timeout', p_statement_timeout, true),
    pg_catalog.set_config('role', 'app_embed', true);
end
$$;
grant execute on function app.begin_embed(uuid, text, text) to app_api_login;

-- Returns the embed key of the transaction and its interview. No other function gives a signing key to the role
-- app_embed.
create function app.embed_page() returns table (
  signing_key_sealed bytea, embed_origins text[], is_revoked boolean, interview_id uuid, status text, interview_available_till text, platform_language_code text
)
language sql stable security definer set search_path = ''
as $$
  select k.signing_key_sealed, k.embed_origins, k.revoked_at is not null, i.id, i.status, i.interview_available_till, i.platform_language_code
  from public.embed_key k join public.interview i on i.merchant_id = k.merchant_id and i.id = k.interview_id
  where k.merchant_id = app.merchant_id() and k.id = app.embed_key_id()
$$;
grant execute on function app.embed_page() to app_embed;
alter function app.embed_page() owner to app_definer;

-- With an embed key, visitors can be enrolled only in the interview of the key. The role can read only the rows that
-- this needs.
create policy profile_embed_select on profile for select to app_embed
  using (merchant_id = (select app.merchant_id()) and role = 'candidate' and (select app.embed_interview_id()) is not null);
create policy profile_embed_insert on profile for insert to app_embed with check (
  merchant_id = (select app.merchant_id()) and role = 'candidate' and activated_at is null
  and (select app.embed_interview_id()) is not null
);
grant select (id, merchant_id, role, email_key), insert on profile to app_embed;
create policy enrolment_embed_select on enrolment for select to app_embed using (
  merchant_id = (select app.merchant_id()) and environment = (select app.environment())
  and scope_id = (select app.embed_interview_id())
);
create policy enrolment_embed_insert on enrolment for insert to app_embed with check (
  merchant_id = (select app.merchant_id()) and environment = (select app.environment())
  and scope_id = (select app.embed_interview_id())
);
create policy enrolment_embed_update on enrolment for update to app_embed using (
  merchant_id = (select app.merchant_id()) and environment = (select app.environment())
  and scope_id = (select app.embed_interview_id())
);
grant select (id, merchant_id, environment, scope_id, interview_id, profile_id, name, email, email_key, external_id, phone,
  link_generation, invited_at), insert on enrolment to app_embed;
grant update (profile_id, name, email, email_key, external_id, phone, link_generation, invited_at) on enrolment to app_embed;
create policy interview_result_embed_select on interview_result for select to app_embed using (
  merchant_id = (select app.merchant_id()) and environment = (select app.environment())
  and interview_id = (select app.embed_interview_id())
);
grant select (id, merchant_id, environment, enrolment_id, interview_id, is_test, interview_status) on interview_result to app_embed;
create policy embed_token_use_embed_insert on embed_token_use for insert to app_embed with check (
  merchant_id = (select app.merchant_id()) and environment = (select app.environment())
  and embed_key_id = (select app.embed_key_id()) and (select app.embed_interview_id()) is not null
);
grant insert on embed_token_use to app_embed;
create policy embed_token_use_worker_select on embed_token_use for select to app_worker using (true);
create policy embed_token_use_worker_delete on embed_token_use for delete to app_worker using (true);
grant select, delete on embed_token_use to app_worker;

-- A link works at the deployment's own portal (`p_domain` is null) and at the portal domain of its own merchant.
revoke execute on function app.begin_link(uuid, uuid, integer, boolean, text) from app_api_login;
drop function app.begin_link(uuid, uuid, integer, boolean, text);
set local role app_definer;
drop function app.find_link_scope(uuid, uuid, integer);
set local role app_owner;

-- Returns the scope of a link, or no row if the link is invalid. If the generation of a link is higher than that of the
-- enrolment, the link was never signed, so it is invalid.
create function app.find_link_scope(p_enrolment_id uuid, p_interview_id uuid, p_generation integer, p_domain text)
returns table (merchant_id uuid, environment text)
language sql stable security definer set search_path = ''
as $$
  select e.merchant_id, e.environment from public.enrolment e
  where e.id = p_enrolment_id and e.link_generation >= p_generation
    and (e.interview_id = p_interview_id or exists (
      select from public.interview_result r
      where r.merchant_id = e.merchant_id and r.enrolment_id = e.id and r.interview_id = p_interview_id
    ))
    and (p_domain is null or exists (
      select from public.merchant m where m.id = e.merchant_id and m.portal_domain = p_domain
    ))
$$;
grant execute on function app.find_link_scope(uuid, uuid, integer, text) to app_api_login;
alter function app.find_link_scope(uuid, uuid, integer, text) owner to app_definer;

-- Sets the scope of a transaction for a link, as its first statement. Raises PA401 for an enrolment or interview that
-- does not exist.
create function app.begin_link(
  p_enrolment_id uuid, p_interview_id uuid, p_generation integer, p_is_test boolean, p_domain text,
  p_statement_timeout text
) returns void
language plpgsql security invoker
as $$
declare
  scope record;
begin
  select * into scope from app.find_link_scope(p_enrolment_id, p_interview_id, p_generation, p_domain);
  if not found then
    raise exception 'the link names no enrolment' using errcode = 'PA401';
  end if;
  perform
    pg_catalog.set_config('app.merchant_id', scope.merchant_id::text, true),
    pg_catalog.set_config('app.profile_id', '', true),
    pg_catalog.set_config('app.caller_id', '', true),
    pg_catalog.set_config('app.environment', scope.environment, true),
    pg_catalog.set_config('app.enrolment_id', p_enrolment_id::text, true),
    pg_catalog.set_config('app.link_interview_id', p_interview_id::text, true),
    pg_catalog.set_config('app.link_generation', p_generation::text, true),
    pg_catalog.set_config('app.link_is_test', p_is_test::text, true),
    pg_catalog.set_config('statement_timeout', p_statement_timeout, true),
    pg_catalog.set_config('role', 'app_link', true);
end
$$;
grant execute on function app.begin_link(uuid, uuid, integer, boolean, text, text) to app_api_login;

-- Mails contain links to the portal domain of the merchant.
grant select (portal_domain) on merchant to app_worker;
