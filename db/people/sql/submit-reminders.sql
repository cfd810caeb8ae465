-- The mails to candidates about their attempts: that they have answered and not submitted, and that they may try again
-- after a technical error or because attempts are left (docs/people.md#mails).

-- Returns whether a candidate can be mailed about an attempt: it is no test, nobody has decided about the candidate, the
-- interview or position is active and open, and mails reach the candidate.
create or replace function app.can_mail_about(r public.interview_result) returns boolean language sql stable
as $$
  select not r.is_test and r.decided_at is null and exists (
      select from public.enrolment e
      join public.merchant owner on owner.id = e.merchant_id
      join public.interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
      left join public.position s on s.merchant_id = e.merchant_id and s.id = e.position_id
      where e.merchant_id = r.merchant_id and e.id = r.enrolment_id and e.interview_id = r.interview_id
        and app.status_for_candidates(i.merchant_id, i.id, i.status, e.position_id) = 'active'
        and coalesce(app.available_until(
          case when s.id is null then i.interview_available_till else s.interview_available_till end
        ) > now(), true)
        and (r.environment = 'production' or app.is_test_recipient(owner.test_recipients, e.email_key))
        and not exists (
          select from public.mail m where m.merchant_id = e.merchant_id and m.enrolment_id = e.id
            and m.profile_id = e.profile_id and (m.bounced_at is not null or m.state = 'rejected')
        )
    )
$$;
grant execute on function app.can_mail_about(interview_result) to app_definer;

-- Returns whether a candidate may be reminded to submit the answers of this attempt.
create or replace function app.awaits_submit(r public.interview_result) returns boolean language sql stable
as $$
  select r.status = 'draft' and r.interview_status in ('completed', 'completed, stopped early') and app.can_mail_about(r)
$$;
grant execute on function app.awaits_submit(interview_result) to app_definer;

-- Mails the link to the candidate of an attempt that failed or is scored, if another attempt is left.
create or replace function app.queue_retry_mail(r public.interview_result) returns void language plpgsql
as $$
declare
  ended public.interview_result;
begin
  -- A submitted attempt is the result while another one is taken.
  select * into ended from public.interview_result u where u.id = r.id;
  if app.can_mail_about(ended) and app.attempts_left(ended) is distinct from 0 then
    perform app.queue_mail(r.merchant_id, r.enrolment_id, 'retry_invitation', (
      select i.platform_language_code from public.interview i where i.merchant_id = r.merchant_id and i.id = r.interview_id
    ));
  end if;
end
$$;
grant execute on function app.queue_retry_mail(interview_result) to app_definer;

set local role app_definer;

-- For the worker: queues the mail to candidates whose attempt ended a day ago and is not submitted, and returns how many
-- it queued. Attempts that ended two days ago or earlier get no mail any more, for example after a long outage.
create or replace function app.queue_submit_reminders(p_limit integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
  queued integer := 0;
begin
  for r in
    select (c.attempt).* from (
      select u as attempt from public.interview_result u
      where u.status = 'draft' and u.interview_status in ('completed', 'completed, stopped early')
        and u.ended_at > now() - interval '48 hours' and u.ended_at <= now() - interval '24 hours'
      union all
      select f from public.interview_result_attempt a, jsonb_populate_record(null::public.interview_result, a.fields) f
      where a.is_open and f.ended_at > now() - interval '48 hours' and f.ended_at <= now() - interval '24 hours'
    ) c
    where app.awaits_submit(c.attempt) and not exists (
      select from public.mail m where m.merchant_id = (c.attempt).merchant_id and m.enrolment_id = (c.attempt).enrolment_id
        and m.kind = 'submit_reminder' and m.created_at > (c.attempt).ended_at
    )
    order by (c.attempt).ended_at limit p_limit
  loop
    select * into r from public.interview_result u where u.id = r.id for update skip locked;
    continue when not found;
    r := app.current_attempt(r);
    continue when not app.awaits_submit(r) or r.ended_at > now() - interval '24 hours';
    -- Another worker may have queued the mail after the query above began and before this one locked the result.
    continue when exists (
      select from public.mail m where m.merchant_id = r.merchant_id and m.enrolment_id = r.enrolment_id
        and m.kind = 'submit_reminder' and m.created_at > r.ended_at
    );
    perform app.queue_mail(r.merchant_id, r.enrolment_id, 'submit_reminder', (
      select i.platform_language_code from public.interview i where i.merchant_id = r.merchant_id and i.id = r.interview_id
    ));
    queued := queued + 1;
  end loop;
  return queued;
end
$$;
grant execute on function app.queue_submit_reminders(integer) to app_worker;

-- Mails the candidate whose submitted attempt is scored, so that another one can begin, if the merchant mails candidates who
-- may try again and attempts are left. Scoring the attempt again sends no second mail. In practice there is no limit of
-- attempts, and no mail.
create or replace function app.mail_attempts_left() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if app.attempts_left(new) > 0 and new.attempt = (app.current_attempt(new)).attempt
    and exists (select from public.merchant m where m.id = new.merchant_id and m.mail_reopened)
    and not exists (
      select from public.mail m where m.merchant_id = new.merchant_id and m.enrolment_id = new.enrolment_id
        and m.kind = 'retry_invitation' and m.created_at > new.submitted_at
    ) then
    perform app.queue_retry_mail(new);
  end if;
  return null;
end
$$;

-- For the worker: withdraws the unsent mails of a batch whose candidates need not submit any more.
create or replace function app.withdraw_submit_reminders(p_batch_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.mail m set state = 'withdrawn'
    where m.batch_id = p_batch_id and m.kind = 'submit_reminder' and m.state in ('queued', 'sending') and not exists (
      select from public.interview_result r cross join lateral app.current_attempt(r) c
      where r.merchant_id = m.merchant_id and r.enrolment_id = m.enrolment_id
        and c.ended_at < m.created_at and app.awaits_submit(c)
    );
end
$$;
grant execute on function app.withdraw_submit_reminders(uuid) to app_worker;

reset role;

create or replace trigger interview_result_scored_mails after update of processing_status on interview_result
  for each row when (old.processing_status is distinct from 'completed' and new.processing_status = 'completed'
    and new.status = 'active')
  execute function app.mail_attempts_left();
