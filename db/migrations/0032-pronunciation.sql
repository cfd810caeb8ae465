-- How sure the transcription was of its words. The score of the pronunciation is computed from it (docs/scoring.md#the-total).
alter table result_question
  add column transcript_confidence double precision, -- the mean probability of the tokens, 0 to 1
  add column transcript_tokens integer;
-- Whether the transcription measures this in the attempt.
alter table attempt_plan add column scores_pronunciation boolean not null default false;

-- Replaced by a function with more parameters.
drop function if exists app.set_transcript(uuid, text, text);
