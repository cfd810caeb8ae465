-- Short links in messages (docs/people.md#messages).

set local role app_definer;

-- Returns the candidate's link that a message with this code stands for. Returns no row for a code that is unknown or
-- older than 30 days.
create or replace function app.open_message_link(p_code_hash bytea)
returns table (
  enrolment_id uuid, interview_id uuid, link_generation integer, is_test boolean, hide_menu boolean, hide_iframe boolean,
  portal_domain text, interview_available_till text, sent_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select q.enrolment_id, q.interview_id, q.link_generation, b.is_test, b.hide_menu, b.hide_iframe, n.portal_domain,
    case when s.id is null then i.interview_available_till else s.interview_available_till end, q.sent_at
  from public.message q
  join public.mail m on m.id = q.mail_id
  join public.invitation_batch b on b.merchant_id = q.merchant_id and b.id = m.batch_id
  join public.merchant n on n.id = q.merchant_id
  join public.enrolment e on e.merchant_id = q.merchant_id and e.id = q.enrolment_id
  join public.interview i on i.merchant_id = q.merchant_id and i.id = q.interview_id
  left join public.position s on s.merchant_id = q.merchant_id and s.id = e.position_id
  where q.code_hash = p_code_hash and q.sent_at > pg_catalog.now() - interval '30 days'
$$;
grant execute on function app.open_message_link(bytea) to app_auth;

reset role;
