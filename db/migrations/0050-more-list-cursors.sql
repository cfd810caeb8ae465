-- The functions of these lists take the place of a cursor. Calls without one find the new functions, whose further
-- parameter has a default.
drop function if exists app.list_team_members(text[], text, text, integer, integer);
drop function if exists app.list_merchants(text, text, integer, integer);
