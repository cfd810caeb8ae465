-- What functions of app_definer do as the operations that enrol and mail candidates do.

-- Returns the candidate of the transaction's merchant with this address. Creates the profile if there is none.
create or replace function app.candidate_profile(p_email text, p_email_key text, p_name text, p_language text) returns uuid
language plpgsql
as $$
begin
  insert into public.profile (merchant_id, role, email, email_key, name, platform_language_code)
    values (app.merchant_id(), 'candidate', p_email, p_email_key, p_name, p_language) on conflict do nothing;
  return (
    select p.id from public.profile p
    where p.merchant_id = app.merchant_id() and p.role = 'candidate' and p.email_key = p_email_key
  );
end
$$;
grant execute on function app.candidate_profile(text, text, text, text) to app_definer;

-- Queues a mail to one candidate, in a batch of its own, and the workflow that sends it.
create or replace function app.queue_mail(p_merchant_id uuid, p_enrolment_id uuid, p_kind text, p_language text) returns void
language plpgsql
as $$
declare
  batch uuid;
begin
  insert into public.invitation_batch (merchant_id, environment, platform_language_code)
    select e.merchant_id, e.environment, p_language from public.enrolment e
    where e.merchant_id = p_merchant_id and e.id = p_enrolment_id
    returning id into batch;
  insert into public.mail (merchant_id, environment, batch_id, kind, profile_id, enrolment_id)
    select e.merchant_id, e.environment, batch, p_kind, e.profile_id, e.id from public.enrolment e
    where e.merchant_id = p_merchant_id and e.id = p_enrolment_id;
  insert into public.workflow_start (merchant_id, environment, workflow_type, workflow_id, argument)
    select e.merchant_id, e.environment, 'invitationBatch', 'invitation-batch/' || batch, jsonb_build_object('batch_id', batch)
    from public.enrolment e where e.merchant_id = p_merchant_id and e.id = p_enrolment_id;
end
$$;
grant execute on function app.queue_mail(uuid, uuid, text, text) to app_definer;
