-- Used by generated columns of `interview_result`, so this file is applied before the migrations. Their values are
-- stored: a migration that changes the function must also write the columns again.

-- Returns the value if it is a list of texts, otherwise null. Generated columns call the function with the rights of
-- the role that writes the row, so every role that writes needs the grant.
create or replace function app.text_list(p_value jsonb) returns jsonb
language sql immutable parallel safe
as $$
  select case when jsonb_typeof(p_value) = 'array'
    and jsonb_path_query_array(p_value, 'strict $[*].type()', '{}', true) <@ '["string"]' then p_value end
$$;
grant execute on function app.text_list(jsonb) to app_user, app_service, app_worker, app_definer;
