-- Portal domains are served only after a DNS record has proven that they belong to the merchant. Lists of directories
-- are limited by bytes.

-- `portal_domain_claim` is the domain that a merchant asks for; several merchants can claim the same one.
-- `portal_domain` is the domain that is served, and it is set only after the DNS proof. Existing domains were never
-- proven, so they become claims.
alter table merchant
  add column portal_domain_claim text check (
    char_length(portal_domain_claim) <= 253
    and portal_domain_claim ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9]){0,1}\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9]){0,1}$'
  ),
  add column portal_domain_challenge text not null default replace(gen_random_uuid()::text, '-', '');
alter table merchant no force row level security;
update merchant set portal_domain_claim = portal_domain, portal_domain = null where portal_domain is not null;
alter table merchant force row level security;

create function app.drop_portal_proof() returns trigger language plpgsql
as $$
begin
  if new.portal_domain_claim is distinct from new.portal_domain then
    new.portal_domain := null;
  end if;
  return new;
end
$$;
create trigger merchant_drop_portal_proof before update of portal_domain_claim on merchant
  for each row execute function app.drop_portal_proof();

revoke update (portal_domain) on merchant from app_user;
grant select (portal_domain_claim, portal_domain_challenge) on merchant to app_user, app_service;
grant update (portal_domain_claim) on merchant to app_user;
create policy merchant_definer_update on merchant for update to app_definer using (true);
grant update (portal_domain) on merchant to app_definer;

-- Makes the claimed domain the portal domain of the caller's merchant, and takes it from a merchant that proved it
-- earlier. Returns false if the claim has changed meanwhile, or if the caller is not an owner or admin.
create function app.prove_portal_domain(p_domain text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  if app.caller_role() not in ('merchant_owner', 'admin') then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('portal domain ' || p_domain, 0));
  perform from public.merchant m where m.id = app.merchant_id() and m.portal_domain_claim = p_domain for update;
  if not found then
    return false;
  end if;
  update public.merchant m set portal_domain = null where m.portal_domain = p_domain and m.id <> app.merchant_id();
  update public.merchant m set portal_domain = p_domain where m.id = app.merchant_id();
  return true;
end
$$;
grant execute on function app.prove_portal_domain(text) to app_user;
alter function app.prove_portal_domain(text) owner to app_definer;

-- Returns the approximate length in bytes of a directory in a JSON list, where a control character takes six bytes. A
-- page of a list ends before the sum of these lengths makes a reply too long. Each length is stored, so that measuring
-- does not read the long lists of a directory.
create function app.directory_bytes(p_texts text[], p_tags_sub text[], p_tags_filter text[]) returns integer
language sql immutable parallel safe
as $$
  select 500 + octet_length(to_json(p_texts)::text) + octet_length(to_json(p_tags_sub)::text)
    + octet_length(to_json(p_tags_filter)::text)
$$;
-- Generated columns call the function with the rights of the role that writes the row, so every role that writes needs
-- the grant.
grant execute on function app.directory_bytes(text[], text[], text[]) to app_user, app_service, app_definer;
alter table catalogue_directory
  add column listed_bytes integer not null generated always as (
    app.directory_bytes(array[id, name, description, cover_image_url], tags_sub, tags_interview_set_filter)
  ) stored;
