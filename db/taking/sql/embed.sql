-- Embedded interviews (docs/taking.md#embedded-interviews).

set local role app_definer;

-- Returns the scope of an embed key, or no row. `p_domain` is the portal domain of the request, which must belong to
-- the key's merchant. It is null for a request to the deployment's own portal.
create or replace function app.find_embed_scope(p_embed_key_id uuid, p_domain text)
returns table (merchant_id uuid, environment text, interview_id uuid)
language sql stable security definer set search_path = ''
as $$
  select k.merchant_id, k.environment, case when k.revoked_at is null and i.visibility <> 'sub_item' then k.interview_id end
  from public.embed_key k
  join public.interview i on i.merchant_id = k.merchant_id and i.id = k.interview_id
  join public.merchant m on m.id = k.merchant_id
  where k.id = p_embed_key_id and i.status <> 'deleted' and (p_domain is null or m.portal_domain = p_domain)
$$;
grant execute on function app.find_embed_scope(uuid, text) to app_api_login;

reset role;

-- Sets the scope of a transaction for an embed key, as its first statement. Raises PA401 for a key that does not exist.
create or replace function app.begin_embed(p_embed_key_id uuid, p_domain text, p_statement_timeout text) returns void
language plpgsql security invoker
as $$
declare
  scope record;
begin
  select * into scope from app.find_embed_scope(p_embed_key_id, p_domain);
  if not found then
    raise exception 'There is no such embed key.' using errcode = 'PA401';
  end if;
  perform
    pg_catalog.set_config('app.embed_key_id', p_embed_key_id::text, true),
    pg_catalog.set_config('app.embed_interview_id', coalesce(scope.interview_id::text, ''), true),
    app.set_scope(
      row(scope.merchant_id, null, null, null, scope.environment, 'app_embed')::app.request_scope, p_statement_timeout
    );
end
$$;
grant execute on function app.begin_embed(uuid, text, text) to app_api_login;

set local role app_definer;

-- Returns the embed key of the transaction and its interview. The key of an interview that is reached only through its
-- position (sub_item) counts as revoked. No other function gives a signing key to the role app_embed.
create or replace function app.embed_page() returns table (
  signing_key_sealed bytea, embed_origins text[], is_revoked boolean, interview_id uuid, status text, interview_available_till text, platform_language_code text
)
language sql stable security definer set search_path = ''
as $$
  select k.signing_key_sealed, k.embed_origins, k.revoked_at is not null or i.visibility = 'sub_item',
    i.id, app.status_for_candidates(i.merchant_id, i.id, i.status, null), i.interview_available_till, i.platform_language_code
  from public.embed_key k join public.interview i on i.merchant_id = k.merchant_id and i.id = k.interview_id
  where k.merchant_id = app.merchant_id() and k.id = app.embed_key_id()
$$;
grant execute on function app.embed_page() to app_embed;

-- Returns whether the embed key is for a public avatar, which needs no token.
create or replace function app.embeds_avatar() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.embed_key k join public.interview i on i.merchant_id = k.merchant_id and i.id = k.interview_id
    where k.merchant_id = app.merchant_id() and k.id = app.embed_key_id() and i.type = 'public_avatar'
  )
$$;
grant execute on function app.embeds_avatar() to app_embed;

-- Returns whether the embed key is for a session that learners practice.
create or replace function app.embeds_practice() returns boolean
language sql stable security definer set search_path = ''
as $$
  select app.is_practice(i.type) from public.embed_key k
  join public.interview i on i.merchant_id = k.merchant_id and i.id = k.interview_id
  where k.merchant_id = app.merchant_id() and k.id = app.embed_key_id()
$$;
grant execute on function app.embeds_practice() to app_embed;

reset role;
