-- What a candidate sees of an attempt.

-- Formats a time as in the API.
create or replace function app.iso_time(p_at timestamptz) returns text language sql stable
as $$ select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
grant execute on function app.iso_time(timestamp with time zone) to app_definer;

-- Returns when the review of the answers ends: at the deadline or 30 minutes after the last answer, whichever is later.
create or replace function app.review_ends_at(r public.interview_result) returns timestamptz language sql stable
as $$ select greatest(r.deadline_at, r.last_active_at + interval '30 minutes') $$;
grant execute on function app.review_ends_at(interview_result) to app_definer;

-- Returns what the candidate sees after scoring, as far as `result_view` allows: the score that applies, the texts, the
-- passages of answers that meet a strong or moderate criterion and, with a full view, all criteria.
create or replace function app.shown_result(r public.interview_result, p_view text) returns jsonb language sql stable
as $$
  select jsonb_build_object('score', r.score, 'max_score', app.max_score_of(r.merchant_id, r.id, r.attempt))
    || case when p_view <> 'minimal_with_score' then jsonb_build_object(
      'score_text', r.score_text, 'ai_analysis', r.ai_analysis, 'takeaways', r.ai_analysis_other -> 'takeaways',
      'questions', (
        select jsonb_agg(jsonb_build_object('turn_id', q.id, 'question', q.question_asked, 'ai_analysis', q.ai_analysis,
          'is_choice', q.answer_kind is not distinct from 'choice',
          'passages', (
            select coalesce(jsonb_agg(jsonb_build_object('turn_id', coalesce(c ->> 'turn_id', q.id::text),
              'quote', c -> 'quote', 'start', c -> 'start', 'end', c -> 'end')), '[]')
            from jsonb_path_query(q.answer_assessment_raw_data,
              '$.criteria[*] ? (@.met == "yes" && @.bracket != "weak")') c
          ))
          || case when p_view like 'full%' then jsonb_build_object('score', q.score,
            'rubric', case when not hides.key then s.rubric end,
            'evidence', jsonb_build_object('criteria', case when hides.key
                then jsonb_path_query_array(q.answer_assessment_raw_data, '$.criteria[*] ? (@.met == "yes")')
                else q.answer_assessment_raw_data -> 'criteria' end,
              'reason', q.answer_assessment_raw_data -> 'reason')
          ) else '{}' end order by q.step_order)
        from public.result_question q
        -- The key of a multiple choice is shown after the last attempt only. Practice has no last one.
        cross join lateral (select coalesce(q.answer_kind = 'choice' and app.attempts_left(r) > 0, false) as key) hides
        left join public.attempt_step s on s.merchant_id = q.merchant_id
          and s.result_id = q.result_id and s.attempt = q.attempt and s.place = q.place
        where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.is_answer
      )
    ) else '{}' end
  from public.interview i
  where i.merchant_id = r.merchant_id and i.id = r.interview_id and r.status = 'active' and r.processing_status = 'completed'
    and p_view not in ('none', 'minimal')
$$;
grant execute on function app.shown_result(interview_result, text) to app_definer;

-- True if the turns of a template are spoken. Those of `offline_avatar_3` are, as long as a question has no video.
create or replace function app.speaks(p_template_type text) returns boolean language sql immutable
as $$ select p_template_type like 'interactive%' or p_template_type = 'offline_avatar_3' $$;
grant execute on function app.speaks(text) to app_definer, app_worker;

-- True if the AI wrote the text of a turn during the attempt: a follow-up, a reply, or a line of the person it plays.
create or replace function app.is_ai_written(t public.result_question) returns boolean language sql stable
as $$
  select t.speaker is not null or t.kind = 'follow_up' or exists (
    select from public.attempt_step s
    where s.merchant_id = t.merchant_id and s.result_id = t.result_id and s.attempt = t.attempt and s.place = t.place
      and s.text is distinct from t.question_asked
  )
$$;
grant execute on function app.is_ai_written(result_question) to app_definer;

-- Returns the file in which a figure speaks the planned text of a turn, or null if there is none.
create or replace function app.turn_video(t public.result_question, p_speed text) returns jsonb language sql stable
as $$
  select jsonb_build_object('path', v.merchant_id || '/question-video/' || v.id || '.mp4', 'size_bytes', v.size_bytes)
  from public.attempt_step s
  join public.question q on q.merchant_id = s.merchant_id and q.id = s.question_id
  join public.question_video v on v.merchant_id = q.merchant_id and v.question_id = q.id
  where s.merchant_id = t.merchant_id and s.result_id = t.result_id and s.attempt = t.attempt and s.place = t.place
    and v.state = 'ready' and v.speed = coalesce(p_speed, 'normal')
    and (q.question || q.question_alternatives)[v.wording + 1] = t.question_asked
  limit 1
$$;
grant execute on function app.turn_video(result_question, text) to app_definer;

-- Returns an attempt as its candidate sees it, or null before it begins. Conditional questions and follow-ups have the
-- number of their main question.
create or replace function app.show_attempt(r public.interview_result) returns jsonb language sql stable
as $$
  select jsonb_build_object(
    'result_id', r.id, 'attempt', r.attempt, 'state', state.name,
    'closed_reason', case when state.name = 'closed' then r.interview_status end,
    'platform_language_code', coalesce(r.consent_language, i.platform_language_code),
    'deadline_at', app.iso_time(r.deadline_at),
    'remaining_ms', case when state.name = 'running'
      then greatest(0, floor(extract(epoch from r.deadline_at - clock_timestamp()) * 1000)) else 0 end,
    'persona', (
      select app.shown_persona(p.persona) from public.attempt_plan p
      where p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = r.attempt
    ),
    'steps', jsonb_build_object('done', steps.done, 'total', steps.total),
    'turn', case when state.name = 'running' and q.answered_at is null
      or state.name in ('collected', 'submitted') and q.kind = 'thank_you' then jsonb_build_object(
      'turn_id', q.id, 'kind', q.kind, 'speaker', q.speaker, 'text', q.question_asked, 'choices', q.choices,
      'has_speech', q.question_asked <> '' and q.question_asked !~* '^\s*https://\S+\s*$' and app.speaks(template.type),
      'video', case when template.type = 'offline_avatar_3' then app.turn_video(q, i.interview_conversation_speed) end,
      'ai_generated', app.is_ai_written(q),
      'answer', jsonb_build_object(
        'mode', q.mode, 'required', q.is_required, 'may_type', q.mode in ('text', 'voice', 'video') and app.may_type(r, q.mode, q.is_required),
        'kept_as', q.recorded, 'max_seconds', case when q.mode in ('voice', 'video') then q.max_seconds end
      ),
      'number', steps.number, 'of', steps.questions
    ) end,
    'video', case when state.name = 'running' then (
      select s.text from public.attempt_step s
      where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.kind = 'instructional_video'
        and (s.place > q.place or s.place = q.place and q.answered_at is null) and s.text ~* '^\s*https://\S+\s*$'
      limit 1
    ) end,
    'stopped_because', app.stopped_because(r),
    'waiting_ms', case when state.name = 'running' and q.answered_at is not null then 1000 end,
    'transcript', case when state.name in ('collected', 'submitted') and i.result_view <> 'none' then (
      select coalesce(jsonb_agg(jsonb_build_object(
        'turn_id', t.id, 'speaker', t.speaker, 'question', t.question_asked, 'ai_generated', app.is_ai_written(t),
        'answer', t.answer, 'answer_original', t.answer_original, 'is_recorded', t.recording_id is not null,
        'editable', state.name = 'collected' and i.result_enable_edit_transcript and app.is_editable(r, t)
          and clock_timestamp() <= app.review_ends_at(r)
      ) order by t.step_order), '[]')
      from public.result_question t
      where t.merchant_id = r.merchant_id and t.result_id = r.id and t.attempt = r.attempt and t.is_answer
    ) end,
    'attempts_left', case when state.name in ('submitted', 'closed') then app.attempts_left(r) end,
    'is_restored', state.name = 'submitted' and exists (
      select from public.interview_result_attempt a
      where a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt > r.attempt
    ),
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
grant execute on function app.show_attempt(interview_result) to app_definer;

-- Rereads a result after this transaction has changed it, and returns its current attempt.
create or replace function app.show_result(p_result_id uuid) returns jsonb language plpgsql
as $$
declare
  result public.interview_result;
begin
  select * into result from public.interview_result r where r.id = p_result_id;
  return app.show_attempt(app.current_attempt(result));
end
$$;
grant execute on function app.show_result(uuid) to app_definer;

set local role app_definer;

-- Returns the attempt of the link, the answered turn whose next turn has not been decided yet, and the time since its
-- answer.
create or replace function app.attempt_view(
  out attempt jsonb, out undecided_turn uuid, out undecided_ms double precision, out is_ended boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  r public.interview_result := app.link_result();
begin
  is_ended := app.link_rights(r) = 'none';
  if r.id is null or is_ended then
    return;
  end if;
  attempt := app.show_attempt(r);
  if attempt ->> 'state' = 'running' and attempt -> 'turn' = 'null' then
    select q.id, floor(extract(epoch from clock_timestamp() - q.answered_at) * 1000)
      into undecided_turn, undecided_ms from public.result_question q
      where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.kind is not null
      order by q.step_order desc limit 1;
  end if;
end
$$;
grant execute on function app.attempt_view() to app_link;

reset role;
