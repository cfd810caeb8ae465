-- Used by a generated column of `catalogue_directory`, so this file is applied before the migrations. Its values are
-- stored: a migration that changes the function must also write the column again.

-- Returns the approximate length in bytes of a directory in a JSON list, where a control character takes six bytes. A
-- page of a list ends before the sum of these lengths makes a reply too long. Each length is stored, so that measuring
-- does not read the long lists of a directory. Every role that writes a directory needs the grant.
create or replace function app.directory_bytes(p_texts text[], p_tags_sub text[], p_tags_filter text[]) returns integer
language sql immutable parallel safe
as $$
  select 500 + octet_length(to_json(p_texts)::text) + octet_length(to_json(p_tags_sub)::text)
    + octet_length(to_json(p_tags_filter)::text)
$$;
grant execute on function app.directory_bytes(text[], text[], text[]) to app_user, app_service, app_definer;
