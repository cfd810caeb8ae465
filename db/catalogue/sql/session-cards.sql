-- Used by a generated column of `catalogue_directory`, so this file is applied before the migrations. Its values are
-- stored: a migration that changes the function must also write the column again.

-- Returns the ids of the sessions that the cards of a page (`[session:<id>]`) name. Every role that writes a directory needs
-- the grant.
create or replace function app.session_cards(p_content_md text) returns uuid[] language sql immutable parallel safe
as $$
  select coalesce(array_agg(distinct card[1]::uuid), '{}')
  from regexp_matches(
    p_content_md, '\[session:\s*([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\s*\]', 'gi'
  ) card
$$;
grant execute on function app.session_cards(text) to app_user, app_service, app_definer;
