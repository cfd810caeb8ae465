-- Counts that all API processes share, for the limits of requests in a time (docs/security.md#limits).

set local role app_definer;

-- Takes points of a key for a process: the needed ones, or a tenth of what is left if that is more, but never more than
-- what is left. So a process asks about 55 times for 600 points, and leaves enough for other processes.
-- Begins a new window if there is none or the last one has ended.
create or replace function app.take_points(
  p_key bytea, p_limit integer, p_seconds integer, p_needed integer, out granted integer, out remaining integer, out ends_in_ms integer
)
language plpgsql security definer set search_path = ''
as $$
declare
  started_at timestamptz := pg_catalog.clock_timestamp();
  w public.rate_window;
begin
  insert into public.rate_window as r (key, ends_at, used) values (p_key, started_at + make_interval(secs => p_seconds), 0)
    on conflict (key) do update set
      ends_at = case when r.ends_at > started_at then r.ends_at else excluded.ends_at end,
      used = case when r.ends_at > started_at then r.used else 0 end
    returning * into w;
  remaining := greatest(p_limit - w.used, 0);
  granted := least(remaining, greatest(p_needed, remaining / 10));
  remaining := remaining - granted;
  update public.rate_window set used = w.used + granted where key = p_key;
  ends_in_ms := extract(epoch from w.ends_at - pg_catalog.clock_timestamp()) * 1000;
end
$$;
grant execute on function app.take_points(bytea, integer, integer, integer) to app_auth;

reset role;
