-- Lets candidates listen to the turns of an interview whose template speaks (docs/taking.md#speech).

set local role app_definer;

-- Queues the workflows that render the questions of an interview as speech and as videos. They run when an interview
-- whose template speaks is activated, or when the definition of an active one changes. A text that already has a file is
-- not rendered again.
create or replace function app.queue_interview_speech() returns trigger language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.workflow_start (merchant_id, environment, workflow_type, workflow_id, argument)
  select new.merchant_id, new.environment, 'interviewSpeech', 'interview-speech/' || new.id || '/' || uuidv7(),
    jsonb_build_object('interview_id', new.id)
  from public.interview_template t where t.id = new.interview_template_id and app.speaks(t.type)
  union all
  select new.merchant_id, new.environment, 'questionVideos', 'question-videos/' || new.id || '/' || uuidv7(),
    jsonb_build_object('interview_id', new.id)
  from public.interview_template t where t.id = new.interview_template_id and t.type = 'offline_avatar_3';
  return null;
end
$$;

-- Returns what identifies the speech of a turn (db/taking/speech.ts), or no row if the link may not read the attempt.
create or replace function app.find_turn_speech(p_turn_id uuid)
returns table (merchant_id uuid, environment text, interview_id uuid, result_id uuid, attempt integer, turn_id uuid,
  text text, template_type text, conversation_speed text, language text, is_personal boolean)
language plpgsql stable security definer set search_path = ''
as $$
declare
  r public.interview_result := app.link_result();
begin
  if r.id is null or app.link_rights(r) = 'none' then
    return;
  end if;
  return query
    select r.merchant_id, r.environment, r.interview_id, r.id, r.attempt, q.id, coalesce(q.question_asked, ''), template.type,
      i.interview_conversation_speed, q.platform_language_code,
      q.kind = 'follow_up' or q.question_asked is distinct from s.text
    from public.result_question q
    left join public.attempt_step s on s.merchant_id = q.merchant_id and s.result_id = q.result_id
      and s.attempt = q.attempt and s.place = q.place
    join public.interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
    join public.interview_template template on template.id = i.interview_template_id
    where q.merchant_id = r.merchant_id and q.id = p_turn_id and q.result_id = r.id and q.attempt = r.attempt
      and q.kind is not null;
end
$$;
grant execute on function app.find_turn_speech(uuid) to app_link;

reset role;

create or replace trigger interview_speech after update on interview for each row
  when (
    new.status = 'active' and new.built_at is not null and (
      old.status <> 'active' or old.built_at is null
      or old.calc_definition_json is distinct from new.calc_definition_json
    )
  )
  execute function app.queue_interview_speech();
