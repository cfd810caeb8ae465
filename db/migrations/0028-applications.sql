-- When a recruiter withdrew the candidate. Null again once the candidate is registered, invited or embedded again.
alter table enrolment add column withdrawn_at timestamptz;

-- What a person agreed to who was enrolled by applying for a job: the version and language of the text, and when.
alter table enrolment add column apply_consent_version text;
alter table enrolment add column apply_consent_language text;
alter table enrolment add column apply_consented_at timestamptz;
