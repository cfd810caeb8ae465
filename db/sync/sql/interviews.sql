-- Records changes of interviews, positions, knowledge bases and directories, and of what shows their names.

set local role app_definer;

-- Records what shows the name of the interview or position: candidates and invitations.
create or replace function app.record_name_of_scope(p_merchant_id uuid, p_environment text, p_id uuid) returns void
language plpgsql
as $$
declare
  candidates constant uuid[] := array(
    select e.id from public.enrolment e where e.merchant_id = p_merchant_id and e.scope_id = p_id
  );
begin
  perform app.record_changes('candidate', p_merchant_id, p_environment, candidates::text[]);
  perform app.record_invitations_of(p_merchant_id, p_environment, candidates);
  -- Rows that failed have no candidate.
  perform app.record_changes('invitation', p_merchant_id, p_environment, array(
    select v.id::text from public.invitation v
    where v.merchant_id = p_merchant_id and v.environment = p_environment and v.enrolment_id is null
      and coalesce(v.position_id, v.interview_id) = p_id and v.channel = 'email' and v.result = 'error'
  ));
end
$$;

-- Records the directories that list a session with these tags.
create or replace function app.record_directories_of(p_merchant_id uuid, p_tags text[], p_old_tags text[]) returns void
language plpgsql
as $$
begin
  perform app.record_changes('directory', p_merchant_id, null, array(
    select d.id from public.catalogue_directory d
    where d.merchant_id = p_merchant_id and d.tags_interview_set_filter && (p_tags || p_old_tags)
      and (p_tags @> d.tags_interview_set_filter or p_old_tags @> d.tags_interview_set_filter)
  ));
end
$$;

create or replace function app.sync_interview() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- False for an insert, and for the update that finishes the creation: nothing shows the interview yet.
  was_shown constant boolean := tg_op = 'UPDATE' and old.built_at is not null and old.status <> 'deleted';
  is_renamed constant boolean := was_shown and old.name <> new.name;
  is_moved constant boolean := was_shown and old.status <> new.status;
begin
  if new.status <> 'deleted' then
    perform app.record_changes('interview', new.merchant_id, new.environment, array[new.id::text]);
  elsif was_shown then
    perform app.record_changes('interview', new.merchant_id, new.environment, array[new.id::text], 'deleted');
    perform app.record_members_at(new.merchant_id, new.id);
  end if;
  if is_renamed or is_moved or was_shown and old.interview_template_id <> new.interview_template_id then
    perform app.record_positions(new.merchant_id, array(
      select s.position_id from public.position_step s where s.merchant_id = new.merchant_id and s.interview_id = new.id
    ));
  end if;
  if is_renamed then
    perform app.record_name_of_scope(new.merchant_id, new.environment, new.id);
  end if;
  if not was_shown or is_renamed or is_moved or old.knowledge_base_store_id is distinct from new.knowledge_base_store_id then
    perform app.record_changes('knowledge_base', new.merchant_id, null, array(
      select q.knowledge_base_id::text from public.interview_question l
      join public.question q on q.merchant_id = l.merchant_id and q.id = l.question_id
      where l.merchant_id = new.merchant_id and l.interview_id = new.id
    ) || new.knowledge_base_store_id::text || case when was_shown then old.knowledge_base_store_id::text end);
  end if;
  if new.type in ('coaching', 'persona') and (not was_shown or (old.name, old.status, old.visibility, old.tags)
    is distinct from (new.name, new.status, new.visibility, new.tags))
  then
    perform app.record_directories_of(new.merchant_id, new.tags, case when was_shown then old.tags end);
  end if;
  if was_shown and old.result_scoring -> 'max_score' is distinct from new.result_scoring -> 'max_score' then
    -- Attempts without a plan have the maximum score of the interview.
    perform app.record_changes('result', new.merchant_id, new.environment, array(
      select r.id::text from public.interview_result r
      where r.merchant_id = new.merchant_id and r.interview_id = new.id and not exists (
        select from public.attempt_plan p
        where p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = r.attempt
      )
    ));
  end if;
  return null;
end
$$;

create or replace function app.sync_position() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.status <> 'deleted' then
    perform app.record_changes('position', new.merchant_id, new.environment, array[new.id::text]);
  elsif tg_op = 'UPDATE' and old.status <> 'deleted' then
    perform app.record_changes('position', new.merchant_id, new.environment, array[new.id::text], 'deleted');
    perform app.record_members_at(new.merchant_id, new.id);
    perform app.record_interviews(new.merchant_id, array(
      select s.interview_id from public.position_step s where s.merchant_id = new.merchant_id and s.position_id = new.id
    ));
  end if;
  if tg_op = 'UPDATE' and old.name <> new.name then
    perform app.record_name_of_scope(new.merchant_id, new.environment, new.id);
  end if;
  return null;
end
$$;

create or replace function app.sync_position_steps() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_positions(merchant_id, array_agg(position_id)), app.record_interviews(merchant_id, array_agg(interview_id))
    from written group by merchant_id;
  return null;
end
$$;

create or replace function app.sync_questions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_interviews(merchant_id, array_agg(interview_id)) from written group by merchant_id;
  perform app.record_changes('knowledge_base', q.merchant_id, null, array_agg(q.knowledge_base_id::text))
    from written w join public.question q on q.merchant_id = w.merchant_id and q.id = w.question_id
    where q.knowledge_base_id is not null group by q.merchant_id;
  return null;
end
$$;

create or replace function app.sync_question_videos() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_interviews(l.merchant_id, array_agg(l.interview_id))
    from written w join public.interview_question l on l.merchant_id = w.merchant_id and l.question_id = w.question_id
    group by l.merchant_id;
  return null;
end
$$;

-- A rendering passes through several states that definitions show as one.
create or replace function app.sync_question_video() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_interviews(new.merchant_id, array(
    select l.interview_id from public.interview_question l
    where l.merchant_id = new.merchant_id and l.question_id = new.question_id
  ));
  return null;
end
$$;

create or replace function app.sync_embed_key() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_interviews(new.merchant_id, array[new.interview_id]);
  return null;
end
$$;

-- The plan decides whether attempts have a price.
create or replace function app.sync_credit_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (new.plan = 'Special') = (tg_op = 'UPDATE' and old.plan = 'Special') then
    return null;
  end if;
  perform app.record_interviews(new.merchant_id, array(
    select i.id from public.interview i where i.merchant_id = new.merchant_id and i.environment = 'production'
  ));
  return null;
end
$$;

create or replace function app.sync_knowledge_base() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_changes('knowledge_base', new.merchant_id, null, array[new.id::text]);
  return null;
end
$$;

-- Records a directory and those that nest it. A platform-wide one can be nested in directories of all merchants.
create or replace function app.sync_directory() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.merchant_id is not null then
    perform app.record_changes('directory', new.merchant_id, null, array[new.id]);
  end if;
  if tg_op = 'INSERT' or (old.name, old.description, old.status, old.visibility, old.platform_language_code)
    is distinct from (new.name, new.description, new.status, new.visibility, new.platform_language_code)
  then
    perform app.record_changes('directory', d.merchant_id, null, array_agg(d.id)) from public.catalogue_directory d
      where d.merchant_id = coalesce(new.merchant_id, d.merchant_id) and d.tags_sub @> array[new.id collate "default"]
      group by d.merchant_id;
  end if;
  return null;
end
$$;

-- Directories show the address of their page, and whether the catalogue begins with them.
create or replace function app.sync_merchant() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_changes('directory', new.id, null, array(
    select d.id from public.catalogue_directory d where d.merchant_id = new.id
      and (old.portal_domain is distinct from new.portal_domain or d.id in (old.start_directory, new.start_directory))
  ));
  return null;
end
$$;

reset role;

create or replace trigger interview_sync_added after insert on interview
  for each row when (new.built_at is not null) execute function app.sync_interview();
create or replace trigger interview_sync after update on interview
  for each row when (new.built_at is not null) execute function app.sync_interview();
create or replace trigger position_sync after insert or update on position
  for each row execute function app.sync_position();
create or replace trigger position_step_sync_added after insert on position_step referencing new table as written
  for each statement execute function app.sync_position_steps();
create or replace trigger position_step_sync_removed after delete on position_step referencing old table as written
  for each statement execute function app.sync_position_steps();
create or replace trigger interview_question_sync_added after insert on interview_question referencing new table as written
  for each statement execute function app.sync_questions();
create or replace trigger interview_question_sync_removed after delete on interview_question referencing old table as written
  for each statement execute function app.sync_questions();
create or replace trigger question_video_sync_added after insert on question_video referencing new table as written
  for each statement execute function app.sync_question_videos();
create or replace trigger question_video_sync after update on question_video
  for each row when (old.state <> new.state and not (
    old.state in ('queued', 'sending', 'rendering') and new.state in ('queued', 'sending', 'rendering')
  )) execute function app.sync_question_video();
create or replace trigger question_video_sync_removed after delete on question_video referencing old table as written
  for each statement execute function app.sync_question_videos();
create or replace trigger embed_key_sync after insert or update on embed_key
  for each row execute function app.sync_embed_key();
create or replace trigger credit_account_sync after insert or update of plan on credit_account
  for each row execute function app.sync_credit_account();
create or replace trigger knowledge_base_sync after insert or update on knowledge_base
  for each row execute function app.sync_knowledge_base();
create or replace trigger catalogue_directory_sync after insert or update on catalogue_directory
  for each row execute function app.sync_directory();
create or replace trigger merchant_sync after update on merchant
  for each row when (
    (old.portal_domain, old.start_directory) is distinct from (new.portal_domain, new.start_directory)
  ) execute function app.sync_merchant();
