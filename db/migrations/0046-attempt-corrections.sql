-- Corrects functions of attempts (docs/taking.md#an-attempt).

-- A turn has speech if the template speaks. The file itself may not have been rendered yet. An attempt that ended
-- without a result shows no thank-you.
create or replace function app.show_attempt(r public.interview_result) returns jsonb language sql stable
as $$
  select jsonb_build_object(
    'result_id', r.id, 'attempt', r.attempt, 'state', state.name,
    'closed_reason', case when state.name = 'closed' then r.interview_status end,
    'platform_language_code', coalesce(r.consent_language, i.platform_language_code),
    'deadline_at', app.iso_time(r.deadline_at),
    'remaining_ms', case when state.name = 'running'
      then greatest(0, floor(extract(epoch from r.deadline_at - clock_timestamp()) * 1000)) else 0 end,
    'steps', jsonb_build_object('done', steps.done, 'total', steps.total),
    'turn', case when state.name = 'running' and q.answered_at is null
      or state.name in ('collected', 'submitted') and q.kind = 'thank_you' then jsonb_build_object(
      'turn_id', q.id, 'kind', q.kind, 'text', q.question_asked, 'choices', q.choices,
      'has_speech', q.question_asked <> '' and exists (
        select from public.interview_template p where p.id = i.interview_template_id and p.type like 'interactive%'
      ),
      'answer', jsonb_build_object(
        'mode', q.mode, 'required', q.is_required, 'max_seconds', case when q.mode in ('voice', 'video') then q.max_seconds end
      ),
      'number', steps.number, 'of', steps.questions
    ) end,
    'waiting_ms', case when state.name = 'running' and q.answered_at is not null then 1000 end,
    'transcript', case when state.name in ('collected', 'submitted') and i.result_view <> 'none' then (
      select coalesce(jsonb_agg(jsonb_build_object(
        'turn_id', t.id, 'question', t.question_asked, 'answer', t.answer, 'answer_original', t.answer_original,
        'editable', state.name = 'collected' and i.result_enable_edit_transcript and t.answer is not null
          and t.answer_kind in ('text', 'recording') and clock_timestamp() <= app.review_ends_at(r)
      ) order by t.step_order), '[]')
      from public.result_question t
      where t.merchant_id = r.merchant_id and t.result_id = r.id and t.attempt = r.attempt and t.is_answer
    ) end,
    'result_view', i.result_view,
    'result', app.shown_result(r, i.result_view)
  )
  from public.interview i
  cross join lateral (
    select case when r.status = 'active' then 'submitted' when r.interview_status = 'started' then 'running'
      when r.interview_status in ('completed', 'completed, stopped early') then 'collected' else 'closed' end as name
  ) state
  left join lateral (
    select * from public.result_question t
    where t.merchant_id = r.merchant_id and t.result_id = r.id and t.attempt = r.attempt and t.kind is not null
    order by t.step_order desc limit 1
  ) q on true
  cross join lateral (
    select count(*) as total, count(*) filter (where s.kind in ('question', 'candidate_asks')) as questions,
      count(*) filter (where s.place < q.place or s.place = q.place and q.answered_at is not null) as done,
      count(*) filter (where s.place <= q.place and s.kind in ('question', 'candidate_asks')) as number
    from public.attempt_step s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.kind <> 'thank_you'
  ) steps
  where i.merchant_id = r.merchant_id and i.id = r.interview_id and r.interview_status is not null
$$;

-- A question has at most the follow-ups of its plan.
create or replace function app.ask_after(r public.interview_result, t public.result_question, p_kind text, p_text text) returns void
language plpgsql
as $$
declare
  asked record;
  following public.attempt_step := app.next_step(r, t.place);
begin
  select count(*) filter (where q.kind = 'follow_up' and q.place = t.place) as followups,
    count(*) filter (where q.kind = 'candidate_asks' and q.place = t.place) as replies, count(*) as turns
    into asked from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.kind is not null;
  if p_kind = 'follow_up' and asked.turns < 60 and asked.followups < (
    select s.max_followups from public.attempt_step s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.place = t.place
  ) then
    perform app.ask_step(r, t.id, t.place, 'follow_up', p_text);
  elsif p_kind = 'candidate_asks' and t.kind = 'candidate_asks' and asked.replies <= 3 and asked.turns < 60 then
    -- The candidate may ask three questions. The reply to the third one takes no answer.
    perform app.ask_step(
      r, t.id, t.place, 'candidate_asks', p_text, case when asked.replies = 3 then 'none' end
    );
  elsif p_kind = 'next_planned' and following.kind = 'conditional' then
    perform app.go_on(r, t.id, following.place);
  else
    perform app.go_on(r, t.id, t.place);
  end if;
end
$$;

-- The two migrations 0044 wrote the same condition twice. `app.is_over` is the one that begin, answer and finish use.
set local role app_definer;
create or replace function app.close_due_attempts(p_limit integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
  closed integer := 0;
begin
  for r in
    select due.* from (
      select u.* from public.interview_result u
      where u.interview_status = 'started' and u.deadline_at < now() - interval '30 seconds' and app.is_over(u)
      order by u.deadline_at limit p_limit for update skip locked
    ) due order by due.merchant_id, due.id
  loop
    perform app.close_attempt(r, 'The time was over.', r.deadline_at);
    closed := closed + 1;
  end loop;
  for r in
    select due.* from (
      select u.* from public.interview_result u
      where u.interview_status = 'started' and u.last_active_at < now() - interval '60 minutes'
      order by u.last_active_at limit p_limit for update skip locked
    ) due order by due.merchant_id, due.id
  loop
    perform app.close_attempt(r, 'The candidate did nothing for an hour.', r.last_active_at);
    closed := closed + 1;
  end loop;
  return closed;
end
$$;
set local role app_owner;
drop function app.is_uploading_answer(public.interview_result);
