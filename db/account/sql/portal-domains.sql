-- Portal domains are served only after a DNS record has proven that they belong to the merchant.

-- Withdraws the portal domain when the claim changes, because only the claimed domain was proven.
create or replace function app.drop_portal_proof() returns trigger language plpgsql
as $$
begin
  if new.portal_domain_claim is distinct from new.portal_domain then
    new.portal_domain := null;
  end if;
  return new;
end
$$;

set local role app_definer;

-- Makes the claimed domain the portal domain of the caller's merchant, and takes it from a merchant that proved it
-- earlier. Returns false if the claim has changed meanwhile, or if the caller is not an owner or admin.
create or replace function app.prove_portal_domain(p_domain text) returns boolean
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

-- Lists all portal domains at once, so that requests for unknown host names cost no query.
create or replace function app.list_portal_domains() returns setof text
language sql stable security definer set search_path = ''
as $$
  select m.portal_domain from public.merchant m where m.portal_domain is not null
$$;
grant execute on function app.list_portal_domains() to app_portal;

reset role;

create or replace trigger merchant_drop_portal_proof before update of portal_domain_claim on merchant
  for each row execute function app.drop_portal_proof();
