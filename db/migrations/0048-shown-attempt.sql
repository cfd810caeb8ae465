-- Two migrations 0046 replaced this function. It has what both of them changed: a turn has speech if the template speaks,
-- and an attempt that ended without a result shows no thank-you.
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
      'has_speech', q.question_asked <> '' and template.type like 'interactive%',
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
  join public.interview_template template on template.id = i.interview_template_id
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
