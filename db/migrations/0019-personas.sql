-- The character that the AI plays in an interview of type persona or persona_interview. `interview.persona` has its name,
-- role, situation, goal, mood and opening_line; an interview that is older has none. `attempt_plan.persona` is the copy with
-- which an attempt began, and `speaker` the name of the character that said a line of the transcript.
alter table interview add column persona jsonb
  check (persona is null or type in ('persona', 'persona_interview') and jsonb_typeof(persona) = 'object');
alter table attempt_plan add column persona jsonb;
alter table result_question add column speaker text;
