-- What reports count of the scoring: the verified quotes of an attempt, and the next steps given to learners. The scaled
-- score of reports also orders the list of results.

alter table report_attempt
  add column evidence_verified double precision, -- 0 to 1: the share of the quotes that were found in the answers
  add column steps_given integer, -- next steps in the feedback on a coaching session
  add column steps_fixed integer; -- steps given after the attempt before that the learner did in this one
alter table report_day
  add column evidence_verified_sum double precision not null default 0,
  add column evidence_verified_count integer not null default 0;
grant update (evidence_verified, steps_given, steps_fixed) on report_attempt to app_definer;

-- Records the verified quotes when a run of the scoring ends, and forgets them when the attempt is erased.
create function app.report_evidence() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  s public.score_record := case when tg_op = 'DELETE' then old else new end;
begin
  update public.report_attempt a set evidence_verified = case when tg_op <> 'DELETE' then s.verified_share end
    where a.merchant_id = s.merchant_id and a.result_id = s.result_id and a.attempt = s.attempt;
  return null;
end
$$;
create trigger score_record_report_scored after insert or update of state, verified_share on score_record
  for each row when (new.state = 'scored') execute function app.report_evidence();
create trigger score_record_report_removed after delete on score_record
  for each row when (old.state = 'scored') execute function app.report_evidence();
alter function app.report_evidence() owner to app_definer;

-- Returns the number of entries of a list in the takeaways of a result. Null if the result has no takeaways. `fixed` is
-- missing if it would be empty.
create function app.count_takeaways(p_analyses jsonb, p_list text) returns integer
language sql immutable parallel safe
as $$
  select case
    when jsonb_typeof(p_analyses -> 'takeaways' -> p_list) = 'array' then jsonb_array_length(p_analyses -> 'takeaways' -> p_list)
    when jsonb_typeof(p_analyses -> 'takeaways') = 'object' then 0 end
$$;
grant execute on function app.count_takeaways(jsonb, text) to app_definer;

-- Records the steps in the row of the attempt. The name of its triggers puts them after those that insert this row.
create function app.report_takeaways() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  r public.interview_result;
begin
  if tg_table_name = 'interview_result' then
    r := new;
  else
    r := pg_catalog.jsonb_populate_record(null::public.interview_result, new.fields);
  end if;
  update public.report_attempt a set
    steps_given = app.count_takeaways(r.ai_analysis_other, 'next_steps'),
    steps_fixed = app.count_takeaways(r.ai_analysis_other, 'fixed')
    where a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt = r.attempt
      and (a.steps_given, a.steps_fixed) is distinct from (app.count_takeaways(r.ai_analysis_other, 'next_steps'),
        app.count_takeaways(r.ai_analysis_other, 'fixed'));
  return null;
end
$$;
create trigger interview_result_report_takeaways_added after insert on interview_result
  for each row when (new.ai_analysis_other is not null) execute function app.report_takeaways();
create trigger interview_result_report_takeaways_changed after update of ai_analysis_other on interview_result
  for each row execute function app.report_takeaways();
create trigger interview_result_attempt_report_takeaways_added after insert on interview_result_attempt
  for each row when (new.fields ->> 'ai_analysis_other' is not null) execute function app.report_takeaways();
alter function app.report_takeaways() owner to app_definer;

-- Fills the columns for the attempts that exist. Their days are summed up again, so their changes need no rows of
-- `report_change`.
alter table report_attempt no force row level security, disable trigger user;
alter table score_record no force row level security;
alter table interview_result no force row level security;
alter table interview_result_attempt no force row level security;
update report_attempt a set evidence_verified = s.verified_share
  from (
    select distinct on (merchant_id, result_id, attempt) merchant_id, result_id, attempt, verified_share
    from score_record where state = 'scored' order by merchant_id, result_id, attempt, run desc
  ) s
  where a.merchant_id = s.merchant_id and a.result_id = s.result_id and a.attempt = s.attempt;
update report_attempt a set
  steps_given = app.count_takeaways(r.analyses, 'next_steps'), steps_fixed = app.count_takeaways(r.analyses, 'fixed')
  from (
    select merchant_id, id as result_id, attempt, ai_analysis_other as analyses from interview_result
    union all
    select h.merchant_id, h.result_id, h.attempt, h.fields -> 'ai_analysis_other' from interview_result_attempt h
  ) r
  where a.merchant_id = r.merchant_id and a.result_id = r.result_id and a.attempt = r.attempt
    and r.analyses -> 'takeaways' is not null;
alter table interview_result_attempt force row level security;
alter table interview_result force row level security;
alter table score_record force row level security;
alter table report_attempt force row level security, enable trigger user;
truncate report_day, report_rollup;

-- A list of results by score compares the scaled scores of `report_attempt`, whose rows it finds by the attempt. So the
-- index of the lists has the attempt instead of the score.
drop index interview_result__merchant_id_environment_created_at_id;
create index interview_result__merchant_id_environment_created_at_id
  on interview_result (merchant_id, environment, created_at, id)
  include (updated_at, attempt, status, interview_status, processing_status, recruiter_go_next_round, recruiter_shortlist,
    interview_id, enrolment_id);
