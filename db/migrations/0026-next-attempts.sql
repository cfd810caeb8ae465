-- An attempt that a candidate begins after a submit is kept here, and not in the result, until it is submitted.
alter table interview_result_attempt add column is_open boolean not null default false;
create unique index interview_result_attempt__merchant_id_result_id on interview_result_attempt (merchant_id, result_id)
  where is_open;

-- Such attempts that are under way have replaced the submitted one, which becomes the result again.
alter table interview_result no force row level security, disable trigger user;
alter table interview_result_attempt no force row level security;
do $$
declare
  r interview_result;
  kept interview_result_attempt;
  -- The columns of an attempt.
  fields text := (
    select string_agg(quote_ident(attname), ', ') from pg_attribute
    where attrelid = 'interview_result'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> all (array['id', 'merchant_id', 'environment', 'interview_id', 'enrolment_id', 'is_test', 'is_visit',
        'created_at', 'updated_at', 'revision', 'recruiter_shortlist', 'extra_attempts', 'allowed_unsubmitted', 'scoring_run',
        'erased_at', 'decided_at', 'pdf_made_at'])
  );
begin
  for r in
    select * from interview_result u
    where u.status = 'draft' and u.attempt > 1 and u.interview_status in ('started', 'completed', 'completed, stopped early')
    for update
  loop
    select * into kept from interview_result_attempt a
      where a.merchant_id = r.merchant_id and a.result_id = r.id and a.fields ->> 'status' = 'active'
        and (a.fields ->> 'extra_attempts')::integer = r.extra_attempts
      order by a.attempt desc limit 1;
    continue when not found;
    insert into interview_result_attempt (merchant_id, environment, result_id, attempt, fields, is_open)
      values (r.merchant_id, r.environment, r.id, r.attempt, to_jsonb(r), true);
    execute format('update interview_result u set (%1$s) = (select %1$s from jsonb_populate_record(null::interview_result, $1)) where u.id = $2', fields)
      using kept.fields, r.id;
    delete from interview_result_attempt a
      where a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt = kept.attempt;
  end loop;
end
$$;
alter table interview_result force row level security, enable trigger user;
alter table interview_result_attempt force row level security;

drop function if exists app.restore_submitted(interview_result);
drop function if exists app.archive_attempt(interview_result);
