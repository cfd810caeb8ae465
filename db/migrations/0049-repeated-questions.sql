-- After a recording without a word, the question is asked again, also where no follow-up is allowed (docs/taking.md#speech).

create or replace function app.ask_after(r public.interview_result, t public.result_question, p_kind text, p_text text) returns void
language plpgsql
as $$
declare
  asked record;
  allowed integer := (
    select s.max_followups from public.attempt_step s
    where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.place = t.place
  );
  following public.attempt_step := app.next_step(r, t.place);
begin
  select count(*) filter (where q.kind = 'follow_up' and q.place = t.place) as followups,
    count(*) filter (where q.kind = 'candidate_asks' and q.place = t.place) as replies, count(*) as turns
    into asked from public.result_question q
    where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.kind is not null;
  -- A question is repeated at most twice. The turn that repeats it counts as a follow-up.
  if asked.turns < 60 and (p_kind = 'follow_up' and asked.followups < allowed
    or p_kind = 'repeat' and asked.followups < allowed + 2) then
    perform app.ask_step(r, t.id, t.place, 'follow_up', p_text);
  elsif p_kind = 'candidate_asks' and t.kind = 'candidate_asks' and asked.replies <= 3 and asked.turns < 60 then
    -- The candidate may ask three questions. The reply to the third one takes no answer.
    perform app.ask_step(
      r, t.id, t.place, 'candidate_asks', p_text, case when asked.replies = 3 then 'none' end
    );
  elsif p_kind = 'next_planned' and following.kind = 'conditional' then
    perform app.go_on(r, t.id, following.place);
  else
    perform app.go_on(r, t.id, t.place);
  end if;
end
$$;
