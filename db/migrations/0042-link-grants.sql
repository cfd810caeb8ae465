-- Candidates' links and the worker change attempts through the functions of 0037 and 0041 only (docs/taking.md#an-attempt).

drop policy interview_result_link_select on interview_result;
drop policy interview_result_link_insert on interview_result;
drop policy interview_result_link_update on interview_result;
drop policy result_question_link_select on result_question;
drop policy result_question_link_insert on result_question;
revoke select (id, merchant_id, interview_id, enrolment_id, attempt, is_test, status, interview_status, processing_status,
    started_at),
  insert (interview_id, enrolment_id, is_test, interview_status, started_at),
  update (interview_status, started_at, ended_at, duration, ai_completion_reason, ai_interview_coverage_percentage)
  on interview_result from app_link;
revoke select (id, merchant_id, result_id, attempt, step_order),
  insert (id, result_id, attempt, step_order, is_answer, view, question_original_id, question_original, question_asked,
    answer, duration, platform_language_code, recording_local_path, recording_is_video)
  on result_question from app_link;
revoke execute on function app.text_list(jsonb) from app_link;

revoke update (interview_status, ended_at, ai_interview_coverage_percentage, ai_completion_reason)
  on interview_result from app_worker;

set local role app_definer;
drop function app.submit_result(uuid, integer);
drop function app.charge_ended_result(uuid);
set local role app_owner;
