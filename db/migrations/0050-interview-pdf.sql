-- When the address of the automatic PDF was signed (docs/results.md#automatic-pdf). If the PDF is rendered again, an
-- address that is less than a day old stays, so that no webhook event is sent for it.
alter table interview_result add column pdf_made_at timestamptz;
grant update (pdf_made_at) on interview_result to app_worker;
