-- When the address of the automatic PDF was signed (docs/results.md#automatic-pdf). A repeated rendering keeps an address that
-- is less than a day old, so that it announces nothing.
alter table interview_result add column pdf_made_at timestamptz;
grant update (pdf_made_at) on interview_result to app_worker;
