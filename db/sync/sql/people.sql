-- Records changes of candidates, of invitations and of the team. Inserts of many rows are recorded once per statement.

set local role app_definer;

create or replace function app.sync_added_enrolments() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_changes('candidate', merchant_id, environment, array_agg(id::text))
    from added group by merchant_id, environment;
  return null;
end
$$;

create or replace function app.sync_changed_enrolment() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_changes('candidate', new.merchant_id, new.environment, array[new.id::text]);
  if (old.name, old.email, old.phone, old.external_id, old.profile_id)
    is distinct from (new.name, new.email, new.phone, new.external_id, new.profile_id)
  then
    perform app.record_results_of(new.merchant_id, new.environment, new.id);
  end if;
  if (old.name, old.email, old.profile_id, old.interview_id, old.position_id)
    is distinct from (new.name, new.email, new.profile_id, new.interview_id, new.position_id)
  then
    perform app.record_invitations_of(new.merchant_id, new.environment, array[new.id]);
  end if;
  return null;
end
$$;

create or replace function app.sync_stage() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  staged record;
begin
  if tg_op = 'DELETE' then
    staged := old;
  else
    staged := new;
  end if;
  perform app.record_changes('candidate', staged.merchant_id, staged.environment, array[staged.enrolment_id::text]);
  perform app.record_results_of(staged.merchant_id, staged.environment, staged.enrolment_id);
  return null;
end
$$;

create or replace function app.sync_added_mails() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_changes('invitation', merchant_id, environment, array_agg(id::text)),
    app.record_changes('candidate', merchant_id, environment, array_agg(enrolment_id::text))
    from added group by merchant_id, environment;
  return null;
end
$$;

-- Candidates come before invitations, each in the order of their ids, as when a name changes: two transactions cannot wait
-- for each other.
create or replace function app.sync_changed_mail() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_changes('candidate', n.merchant_id, n.environment, array_agg(n.enrolment_id::text))
    from written n join before o on o.id = n.id
    where n.enrolment_id is not null
      and (o.status, o.state = 'withdrawn') is distinct from (n.status, n.state = 'withdrawn')
    group by n.merchant_id, n.environment;
  perform app.record_changes('invitation', n.merchant_id, n.environment, array_agg(n.id::text))
    from written n join before o on o.id = n.id
    where (o.state, o.status, o.last_error, o.bounce_reason, o.sent_at)
      is distinct from (n.state, n.status, n.last_error, n.bounce_reason, n.sent_at)
    group by n.merchant_id, n.environment;
  return null;
end
$$;

create or replace function app.sync_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_changes('invitation', new.merchant_id, new.environment, array[new.mail_id::text]);
  return null;
end
$$;

-- Invitations with a mail are recorded with their mail.
create or replace function app.sync_invitations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_changes('invitation', merchant_id, environment, array_agg(id::text)) from written
    where channel = 'email' and result in ('activated', 'skipped', 'error') group by merchant_id, environment;
  return null;
end
$$;

-- Records a person of the team at the home merchant, and at the merchants to which the person has access.
create or replace function app.sync_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  is_member constant boolean := new.merchant_id is not null and new.home_withdrawn_at is null
    and new.role not in ('candidate', 'admin');
begin
  if tg_op = 'UPDATE' and old.merchant_id is not null and old.home_withdrawn_at is null
    and old.role not in ('candidate', 'admin') and (not is_member or old.merchant_id <> new.merchant_id)
  then
    perform app.record_changes('team_member', old.merchant_id, null, array[new.id::text], 'deleted');
  end if;
  if is_member then
    perform app.record_changes('team_member', new.merchant_id, null, array[new.id::text]);
  end if;
  if tg_op = 'UPDATE' then
    perform app.record_changes('team_member', a.merchant_id, null, array[new.id::text])
      from public.merchant_access a where a.profile_id = new.id and new.role <> 'admin';
    if (old.name, old.merchant_id) is distinct from (new.name, new.merchant_id) then
      perform app.record_names_of(m.id, new.id) from (
        select old.merchant_id union select new.merchant_id
        union select a.merchant_id from public.merchant_access a where a.profile_id = new.id
      ) m (id) where m.id is not null;
    end if;
  end if;
  return null;
end
$$;

create or replace function app.sync_merchant_access() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  access public.merchant_access;
begin
  if tg_op = 'DELETE' then
    access := old;
  else
    access := new;
  end if;
  -- A person whose account moved to this merchant stays in its team.
  perform app.record_changes('team_member', access.merchant_id, null, array[p.id::text],
      case when tg_op = 'DELETE' and (p.merchant_id <> access.merchant_id or p.home_withdrawn_at is not null)
        then 'deleted' end)
    from public.profile p where p.id = access.profile_id and p.role <> 'admin';
  if tg_op <> 'UPDATE' or old.name is distinct from new.name then
    perform app.record_names_of(access.merchant_id, access.profile_id);
  end if;
  return null;
end
$$;

-- The last sign-in is that at the home merchant.
create or replace function app.sync_session() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.record_changes('team_member', p.merchant_id, null, array[p.id::text]) from public.profile p
    where p.id = new.profile_id and p.merchant_id is not null and p.home_withdrawn_at is null
      and p.role not in ('candidate', 'admin');
  return null;
end
$$;

create or replace function app.sync_position_member() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  member public.position_member;
begin
  if tg_op = 'DELETE' then
    member := old;
  else
    member := new;
  end if;
  -- Somebody who has just left the team stays deleted.
  perform app.record_changes('team_member', member.merchant_id, null, array[member.profile_id::text])
    where exists (
      select from public.profile p where p.id = member.profile_id and p.merchant_id = member.merchant_id
        and p.home_withdrawn_at is null
    ) or exists (
      select from public.merchant_access a
      where a.profile_id = member.profile_id and a.merchant_id = member.merchant_id
    );
  return null;
end
$$;

reset role;

create or replace trigger enrolment_sync_added after insert on enrolment referencing new table as added
  for each statement execute function app.sync_added_enrolments();
create or replace trigger enrolment_sync after update on enrolment
  for each row execute function app.sync_changed_enrolment();
create or replace trigger enrolment_stage_sync after insert or update or delete on enrolment_stage
  for each row execute function app.sync_stage();
create or replace trigger mail_sync_added after insert on mail referencing new table as added
  for each statement execute function app.sync_added_mails();
create or replace trigger mail_sync after update on mail referencing old table as before new table as written
  for each statement execute function app.sync_changed_mail();
create or replace trigger message_sync after insert or update on message
  for each row execute function app.sync_message();
create or replace trigger invitation_sync_added after insert on invitation referencing new table as written
  for each statement execute function app.sync_invitations();
create or replace trigger invitation_sync after update on invitation referencing new table as written
  for each statement execute function app.sync_invitations();
create or replace trigger profile_sync_added after insert on profile
  for each row when (new.role not in ('candidate', 'admin')) execute function app.sync_profile();
create or replace trigger profile_sync after update on profile
  for each row when (old.role <> 'candidate' or new.role <> 'candidate') execute function app.sync_profile();
create or replace trigger merchant_access_sync after insert or update or delete on merchant_access
  for each row execute function app.sync_merchant_access();
create or replace trigger session_sync after insert on session
  for each row when (new.kind = 'console') execute function app.sync_session();
create or replace trigger position_member_sync after insert or update or delete on position_member
  for each row execute function app.sync_position_member();
