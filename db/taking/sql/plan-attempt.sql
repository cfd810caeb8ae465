-- The plan that an attempt follows.

-- Writes the steps of an attempt that begins, from the current definition of the interview.
create or replace function app.plan_steps(r public.interview_result) returns void language plpgsql
as $$
begin
  insert into public.attempt_step (merchant_id, environment, result_id, attempt, place, kind, parent_place, question_id, view,
    text, platform_language_code, choices, mode, is_required, is_scored, max_seconds, max_followups, rubric,
    knowledge_base_id, external_id, external_data)
  with recursive definition as (
    select i.platform_language_code, i.candidate_video_introduction, i.questions_random_subset, i.persona,
      least(10, coalesce(i.max_followups, case when t.type like 'interactive%' then 1 else 0 end)) as max_followups
    from public.interview i join public.interview_template t on t.id = i.interview_template_id
    where i.merchant_id = r.merchant_id and i.id = r.interview_id
  ), linked as (
    select q.*, l.step_order, q.is_conditional and exists (
        select from public.interview_question p where p.merchant_id = l.merchant_id and p.interview_id = l.interview_id
          and p.question_id = q.conditional_question_main_id
      ) as has_parent
    from public.interview_question l join public.question q on q.merchant_id = l.merchant_id and q.id = l.question_id
    where l.merchant_id = r.merchant_id and l.interview_id = r.interview_id
  ), tree as (
    select q.id, q.id as root_id, array[q.step_order] as path from linked q where q.view = 'question' and not q.has_parent
    union all
    select q.id, t.root_id, t.path || q.step_order from tree t join linked q on q.has_parent and q.conditional_question_main_id = t.id
  ), scored as (
    -- Sorting by the hash draws random questions, but always the same ones for the same attempt.
    select q.id, row_number() over (order by md5(r.id::text || r.attempt || q.id)) as draw,
      greatest(1, round(count(*) over () * coalesce(d.questions_random_subset, 1)::numeric)) as kept
    from linked q cross join definition d
    where q.view = 'question' and not q.has_parent and not q.is_without_scoring and not q.is_candidate_asking_recruiter
  ), chosen as (
    select t.id, t.path from tree t left join scored s on s.id = t.root_id where s.id is null or s.draw <= s.kept
  ), step as (
    select case q.view when 'welcome' then 0 when 'instructional_video' then 1 when 'thank_you' then 5 else 4 end as part,
      c.path, q.id, q.step_order,
      case when q.view <> 'question' then q.view when q.is_candidate_asking_recruiter and d.persona is null then 'candidate_asks'
        when q.has_parent then 'conditional' else 'question' end as kind
    from linked q left join chosen c on c.id = q.id cross join definition d
    where case q.view when 'question' then c.id is not null when 'welcome' then d.persona is null else true end
    union all
    select 2, null, null, 0, 'introduction' from definition d where d.candidate_video_introduction <> 'hidden'
    union all
    -- A character does not welcome the candidate: its opening line is the first turn that is answered.
    select 3, null, null, 0, 'question' from definition d where d.persona is not null
  ), placed as (
    select s.*, row_number() over (order by s.part, s.path, s.step_order) as place from step s
  )
  select r.merchant_id, r.environment, r.id, r.attempt, p.place, p.kind,
    (select up.place from placed up where p.kind = 'conditional' and up.id = q.conditional_question_main_id), p.id,
    case when p.kind = 'welcome' then 'welcome' when p.kind = 'thank_you' then 'thank you'
      when p.kind = 'instructional_video' then 'instructional video'
      when p.kind = 'candidate_asks' then 'candidate asking recruiter'
      when q.is_multiple_choice then 'multiple choice'
      when coalesce(q.is_without_scoring, true) then 'without scoring'
      when p.kind = 'conditional' then 'with listening conditional'
      when q.is_expert then 'with listening expert' else 'with listening' end,
    coalesce(wording.text, case p.kind when 'question' then d.persona ->> 'opening_line' end, ''),
    coalesce(q.platform_language_code, d.platform_language_code),
    case when q.is_multiple_choice then q.question_alternatives end,
    case when p.kind in ('welcome', 'thank_you', 'instructional_video') then 'none'
      when p.kind = 'introduction' then 'video'
      when p.kind <> 'candidate_asks' and q.is_multiple_choice and cardinality(q.question_alternatives) > 0 then 'choice'
      else 'voice' end,
    p.kind in ('question', 'conditional') or p.kind = 'introduction' and d.candidate_video_introduction = 'required',
    p.kind in ('question', 'conditional') and not coalesce(q.is_without_scoring, true),
    case when p.kind = 'introduction' then 60 when p.kind = 'question' and q.id is null then 120 when q.view = 'question' then q.duration end,
    case when p.kind = 'question' and (q.id is null or not q.is_multiple_choice and not q.is_without_scoring)
      then d.max_followups else 0 end,
    q.candidate_expectations_json, q.knowledge_base_id, q.external_id, q.external_data
  from placed p cross join definition d left join linked q on q.id = p.id
  left join lateral (
    -- The hash draws one wording of the question, always the same one for the same attempt.
    select one as text from unnest(q.question || case when not q.is_multiple_choice then q.question_alternatives end) one
    order by md5(r.id::text || r.attempt || q.id || one) limit 1
  ) wording on true;
end
$$;
grant execute on function app.plan_steps(interview_result) to app_definer;

-- Stores the plan of an attempt that begins: its steps, the rubric of the session, the weights of the scoring, the
-- character that the AI plays, what is recorded, the prices, and whether the pronunciation is scored.
create or replace function app.plan_attempt(r public.interview_result) returns void language plpgsql
as $$
begin
  perform app.plan_steps(r);
  insert into public.attempt_plan (merchant_id, environment, result_id, attempt, session_rubric, scoring, persona, recording,
      recording_full_session, price, price_if_early, scores_pronunciation)
    select r.merchant_id, r.environment, r.id, r.attempt, i.candidate_expectations_json, i.result_scoring, i.persona,
      i.recording, i.recording_full_session, app.attempt_price(i.merchant_id, i.id, false),
      app.attempt_price(i.merchant_id, i.id, true),
      app.scores_pronunciation(i.required_pronunciation, i.result_scoring)
    from public.interview i where i.merchant_id = r.merchant_id and i.id = r.interview_id;
end
$$;
grant execute on function app.plan_attempt(interview_result) to app_definer;
