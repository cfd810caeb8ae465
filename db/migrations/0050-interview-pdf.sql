-- The time at which the address of the automatic PDF was signed (docs/results.md#automatic-pdf). If the PDF is rendered
-- again, an address that is less than a day old stays, so that no webhook event is sent for it.
alter table interview_result add column pdf_made_at timestamptz;
grant update (pdf_made_at) on interview_result to app_worker;

-- The event about new scores waits for the PDF. An event about a later change waits only if the first one is still
-- waiting. Otherwise no PDF is being made, for example because PDFs were turned on after the scoring, and the event is
-- sent at once.
set local role app_definer;
create or replace function app.announce_result() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changed text[] := array_remove(array[
    case when old.status is distinct from new.status then 'status' end,
    case when old.processing_status is distinct from new.processing_status then 'processing_status' end,
    case when old.interview_status is distinct from new.interview_status then 'interview_status' end,
    case when old.score is distinct from new.score then 'score' end,
    case when old.ai_analysis_recruiter_score is distinct from new.ai_analysis_recruiter_score
      then 'ai_analysis_recruiter_score' end,
    case when old.ai_analysis_recruiter is distinct from new.ai_analysis_recruiter then 'ai_analysis_recruiter' end,
    case when old.ai_analysis_recruiter_why_hire is distinct from new.ai_analysis_recruiter_why_hire
      then 'ai_analysis_recruiter_why_hire' end,
    case when old.ai_analysis_recruiter_why_not_hire is distinct from new.ai_analysis_recruiter_why_not_hire
      then 'ai_analysis_recruiter_why_not_hire' end,
    case when old.recruiter_go_next_round is distinct from new.recruiter_go_next_round
      then 'recruiter_go_next_round' end,
    case when old.pdf_export_url is distinct from new.pdf_export_url then 'pdf_export_url' end
  ], null);
  is_scored_now constant boolean := old.status is distinct from 'active'
    or old.processing_status is distinct from 'completed';
  announced text;
  held text[];
  definition record;
begin
  if cardinality(changed) = 0 then
    return null;
  end if;
  if new.status = 'draft' then
    if old.status = 'active' then
      delete from public.webhook_hold h where h.merchant_id = new.merchant_id and h.result_id = new.id;
    end if;
    if 'interview_status' = any (changed) then
      announced := case
        when new.interview_status in ('completed', 'completed, stopped early') then 'interview_collected'
        when new.interview_status in ('failed', 'abandoned', 'terminated, no speech detected') then 'interview_failed'
      end;
    end if;
  elsif new.processing_status = 'completed' and new.interview_status in ('completed', 'completed, stopped early') then
    announced := 'interview_result';
  end if;
  if announced is null then
    return null;
  end if;

  select i.type, i.pdf_export_auto_config is not null as has_pdf into definition
    from public.interview i where i.merchant_id = new.merchant_id and i.id = new.interview_id;
  if definition.type not in ('interview', 'assessment') then
    return null;
  end if;
  if announced = 'interview_result' then
    if definition.has_pdf and new.pdf_export_url is null then
      -- A simultaneous transaction that switches automatic PDFs off would not see this hold (app.release_held_results).
      -- The transaction with the hold therefore waits until the other one has ended.
      perform pg_advisory_xact_lock_shared(hashtextextended('automatic PDF ' || new.interview_id, 0));
      select i.pdf_export_auto_config is not null into definition.has_pdf
        from public.interview i where i.merchant_id = new.merchant_id and i.id = new.interview_id;
    end if;
    if definition.has_pdf and new.pdf_export_url is null and (is_scored_now or exists (
      select from public.webhook_hold h where h.merchant_id = new.merchant_id and h.result_id = new.id
    )) then
      insert into public.webhook_hold as h (merchant_id, environment, result_id, reasons)
        values (new.merchant_id, new.environment, new.id, changed)
        on conflict (merchant_id, result_id) do update set reasons = h.reasons || excluded.reasons;
      return null;
    end if;
    delete from public.webhook_hold h where h.merchant_id = new.merchant_id and h.result_id = new.id
      returning h.reasons into held;
  end if;
  perform app.queue_deliveries(new.merchant_id, new.environment, announced, new.id, changed || held);
  return null;
end
$$;
set local role app_owner;
