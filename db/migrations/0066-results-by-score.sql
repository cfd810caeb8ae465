-- A list of results by score compares the scaled scores of `report_attempt`, whose rows it finds by the attempt. So the
-- index of the lists has the attempt instead of the score.
drop index interview_result__merchant_id_environment_created_at_id;
create index interview_result__merchant_id_environment_created_at_id
  on interview_result (merchant_id, environment, created_at, id)
  include (updated_at, attempt, status, interview_status, processing_status, recruiter_go_next_round, recruiter_shortlist,
    interview_id, enrolment_id);
