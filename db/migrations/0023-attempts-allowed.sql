-- How many attempts of a result may end without a submit before no further one can begin. Until now they counted as
-- attempts of the interview, and `extra_attempts` had those that recruiters granted after such an attempt, too.
alter table interview_result add column allowed_unsubmitted integer not null default 3;

alter table interview_result no force row level security;
alter table interview_result_attempt no force row level security;
update interview_result r set
  allowed_unsubmitted = case when r.extra_attempts > h.submitted then greatest(3, r.attempt + 1) else 3 end,
  extra_attempts = h.submitted
  from interview_result x cross join lateral (
    select count(*)::integer as submitted from interview_result_attempt a
    where a.merchant_id = x.merchant_id and a.result_id = x.id and a.fields ->> 'status' = 'active'
  ) h
  where x.extra_attempts > 0 and x.id = r.id and r.extra_attempts <> h.submitted;
alter table interview_result force row level security;
alter table interview_result_attempt force row level security;

-- A session takes at most two hours. `job-interview-create-from-array` gave 120 seconds to each question.
alter table interview no force row level security;
update interview set max_duration = 7200,
  calc_definition_json = jsonb_set(calc_definition_json, '{max_duration}', '7200')
  where max_duration > 7200;
alter table interview force row level security;

-- The sessions that the cards of a page name. A session of visibility `sub_item` is reached only through such a card.
alter table catalogue_directory add column session_ids uuid[] not null
  generated always as (app.session_cards(content_md)) stored;
create index catalogue_directory__merchant_id on catalogue_directory (merchant_id)
  where status = 'active' and session_ids <> '{}';
