-- The functions of these lists take the place of a cursor. Calls without one find the new functions, whose further
-- parameters have defaults.
drop function if exists app.find_candidates(text, uuid, uuid, uuid, text, integer);
drop function if exists app.find_mails(text, text, uuid, text, integer);
drop function if exists app.find_interviews(text, text, boolean, text, uuid, text, integer);
