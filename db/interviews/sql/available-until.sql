-- Until when an interview can be taken.

-- Returns the time at which a stored `interview_available_till` ends. A date includes its whole day, in UTC.
create or replace function app.available_until(p_till text) returns timestamptz language sql stable
as $$
  select case when length(p_till) = 10 then (p_till::date + 1)::timestamp at time zone 'UTC' else p_till::timestamptz end
$$;
grant execute on function app.available_until(text) to app_definer;
