-- What people read about a job, before and after they have a link to it (docs/catalogue.md#jobs).

-- Returns what a position says about the job, or the interview if p_position_id is null. `company` is null if the company
-- must not be named, and the merchant if no other company hires.
create or replace function app.job_content(p_merchant_id uuid, p_interview_id uuid, p_position_id uuid) returns table (
  name text, location text, department text, salary text, cover_image_url text, description text, description_long text,
  company text
)
language sql stable
as $$
  select j.name, j.interview_location, j.interview_department, j.interview_salary, j.cover_image_url, j.description,
    j.interview_description_long, case
      when j.client ->> 'undisclosed' = 'true' or lower(btrim(j.client ->> 'name')) = 'undisclosed' then null
      else coalesce(j.client ->> 'name', m.name) end
  from public.merchant m cross join lateral (
    select i.name, i.interview_location, i.interview_department, i.interview_salary, i.cover_image_url, i.description,
      i.interview_description_long, i.creation_parameters -> 'hiring_for_company' as client
    from public.interview i
    where p_position_id is null and i.merchant_id = p_merchant_id and i.id = p_interview_id
    union all
    select p.name, p.interview_location, p.interview_department, p.interview_salary, p.cover_image_url, p.description,
      p.interview_description_long, p.hiring_for_company
    from public.position p where p.merchant_id = p_merchant_id and p.id = p_position_id
  ) j
  where m.id = p_merchant_id
$$;
grant execute on function app.job_content(uuid, uuid, uuid) to app_definer;

-- Returns whether attempts of an interview with these weights (`result_scoring`) ask for a résumé.
create or replace function app.asks_resume(p_scoring jsonb) returns boolean language sql immutable
as $$
  select coalesce((p_scoring ->> 'ai_assessment_resume')::numeric > 0, false)
$$;
grant execute on function app.asks_resume(jsonb) to app_definer;

-- Returns what an interview records of an attempt, whether it has answers that are spoken, and whether it asks for a résumé.
create or replace function app.recordings_of(p_merchant_id uuid, p_interview_id uuid) returns jsonb language sql stable
as $$
  select jsonb_build_object('recording', i.recording, 'recording_full_session', i.recording_full_session,
    'introduction', i.candidate_video_introduction, 'has_spoken', i.persona is not null or exists (
      select from public.interview_question l join public.question q on q.merchant_id = l.merchant_id and q.id = l.question_id
      where l.merchant_id = i.merchant_id and l.interview_id = i.id and q.view = 'question' and not q.is_multiple_choice
    ), 'asks_resume', i.type <> 'public_avatar' and app.asks_resume(i.result_scoring))
  from public.interview i where i.merchant_id = p_merchant_id and i.id = p_interview_id
$$;
grant execute on function app.recordings_of(uuid, uuid) to app_definer;

-- Returns what an attempt of an interview is like: its longest time in seconds, the number of questions without follow-ups
-- and without conditional questions, the labels of the scored questions, whether the questions are spoken, and whether it
-- needs a camera (`video`) or only a microphone (`audio`).
create or replace function app.what_to_expect(p_merchant_id uuid, p_interview_id uuid) returns table (
  max_seconds integer, question_count integer, topics text[], is_spoken boolean, recording text
)
language sql stable
as $$
  select coalesce(i.max_duration, 3600),
    (q.unscored + case when q.scored = 0 then 0
      else greatest(1, round(q.scored * coalesce(i.questions_random_subset, 1)::numeric)) end)::integer,
    q.topics, t.type like 'interactive%',
    case when 'video' in (left(i.recording, 5), left(i.recording_full_session, 5))
        or i.candidate_video_introduction <> 'hidden' then 'video'
      when i.recording_full_session is not null or (app.recordings_of(i.merchant_id, i.id) -> 'has_spoken')::boolean then 'audio' end
  from public.interview i
  join public.interview_template t on t.id = i.interview_template_id
  cross join lateral (
    select count(*) filter (where s.is_scored) as scored, count(*) filter (where not s.is_scored) as unscored,
      (array_agg(s.label order by s.first_place) filter (where s.is_scored and s.label <> '' and s.is_first))[1:20] as topics
    from (
      select u.label, not u.is_without_scoring and not u.is_candidate_asking_recruiter as is_scored, l.step_order as first_place,
        row_number() over (partition by u.label order by l.step_order) = 1 as is_first
      from public.interview_question l join public.question u on u.merchant_id = l.merchant_id and u.id = l.question_id
      where l.merchant_id = i.merchant_id and l.interview_id = i.id and u.view = 'question' and not (u.is_conditional and exists (
        select from public.interview_question parent where parent.merchant_id = l.merchant_id
          and parent.interview_id = l.interview_id and parent.question_id = u.conditional_question_main_id
      ))
    ) s
  ) q
  where i.merchant_id = p_merchant_id and i.id = p_interview_id
$$;
grant execute on function app.what_to_expect(uuid, uuid) to app_definer;
