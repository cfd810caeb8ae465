-- Marks the automatic PDF of an attempt as failed and queues the event that waits for it, for the worker when this PDF
-- will not be made. Does nothing if the PDF exists, or if the result has another attempt by now. The update locks the
-- result, so it sees a PDF that is recorded at the same time.
create function app.give_up_pdf(p_result_id uuid, p_attempt integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  given_up record;
  held text[];
begin
  update public.interview_result r set pdf_failed_at = coalesce(r.pdf_failed_at, now())
    where r.id = p_result_id and r.attempt = p_attempt and r.pdf_export_url is null
    returning r.merchant_id, r.environment, r.id into given_up;
  delete from public.webhook_hold h where h.merchant_id = given_up.merchant_id and h.result_id = given_up.id
    returning h.reasons into held;
  if held is not null then
    perform app.queue_deliveries(given_up.merchant_id, given_up.environment, 'interview_result', given_up.id, held);
  end if;
end
$$;
grant execute on function app.give_up_pdf(uuid, integer) to app_worker;
alter function app.give_up_pdf(uuid, integer) owner to app_definer;
