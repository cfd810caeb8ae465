-- What the page of a candidate's link shows before an attempt begins (docs/taking.md#the-page-of-a-link).

grant select (name, required_pronunciation) on interview to app_definer;
grant select (name) on enrolment, position to app_definer;

-- Describes the interview of the link. It returns the labels of the scored questions (`topics`), but not their rubrics.
create function app.link_page() returns table (
  merchant_name text, candidate_name text, link_generation integer, interview_name text, status text,
  interview_available_till text, platform_language_code text, max_seconds integer, question_count integer,
  topics text[], is_spoken boolean, recording text, is_pronunciation_assessed boolean, result_view text,
  can_edit boolean, can_begin boolean, recording_days integer, result_days integer
)
language sql stable security definer set search_path = ''
as $$
  select m.name, e.name, e.link_generation, coalesce(p.name, i.name), coalesce(p.status, i.status),
    case when p.id is null then i.interview_available_till else p.interview_available_till end,
    i.platform_language_code, (coalesce(i.max_duration, 3600) * e.time_factor)::integer,
    (q.unscored + case when q.scored = 0 then 0
      else greatest(1, round(q.scored * coalesce(i.questions_random_subset, 1)::numeric)) end)::integer,
    q.topics, t.type like 'interactive%',
    case when 'video' in (left(i.recording, 5), left(i.recording_full_session, 5))
        or i.candidate_video_introduction <> 'hidden' then 'video'
      when coalesce(i.recording, i.recording_full_session) is not null then 'audio' end,
    i.required_pronunciation, i.result_view, i.result_view <> 'none' and i.result_enable_edit_transcript,
    r.interview_status is null or app.next_attempt(r) = 'begun', m.recording_retention_days, m.result_retention_days
  from public.enrolment e
  join public.merchant m on m.id = e.merchant_id
  join public.interview i on i.merchant_id = e.merchant_id and i.id = app.link_interview_id()
  join public.interview_template t on t.id = i.interview_template_id
  left join public.position p on p.merchant_id = e.merchant_id and p.id = e.position_id
  cross join lateral (
    select count(*) filter (where s.is_scored) as scored, count(*) filter (where not s.is_scored) as unscored,
      (array_agg(s.label order by s.first_place) filter (where s.is_scored and s.label <> '' and s.is_first))[1:20] as topics
    from (
      select u.label, not u.is_without_scoring and not u.is_candidate_asking_recruiter as is_scored, l.step_order as first_place,
        row_number() over (partition by u.label order by l.step_order) = 1 as is_first
      from public.interview_question l join public.question u on u.merchant_id = l.merchant_id and u.id = l.question_id
      where l.merchant_id = i.merchant_id and l.interview_id = i.id and u.view = 'question' and not u.is_conditional
    ) s
  ) q
  cross join lateral app.link_result() r
  where e.merchant_id = app.merchant_id() and e.id = app.enrolment_id()
$$;
grant execute on function app.link_page() to app_link;
alter function app.link_page() owner to app_definer;
