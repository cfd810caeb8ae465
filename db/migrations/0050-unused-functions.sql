-- Nothing calls these functions any more: `find_live_turn` and `plan_facts` have replaced them.
drop function if exists app.find_live_answer(uuid);
drop function if exists app.stopped_because_of(uuid, uuid, integer);
