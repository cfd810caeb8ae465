-- What SendGrid's event webhook reports about the mails of scheduled reports, as in the table mail.

alter table report_mail
  add column delivered_at timestamptz,
  add column bounced_at timestamptz,
  add column bounce_reason text;
grant select (delivered_at, bounced_at, bounce_reason) on report_mail to app_user, app_service;

create policy report_mail_mail_hook_select on report_mail for select to app_mail_hook using (true);
create policy report_mail_mail_hook_update on report_mail for update to app_mail_hook using (true);
grant select (id, state, sent_at, delivered_at, bounced_at, bounce_reason),
  update (state, sent_at, delivered_at, bounced_at, bounce_reason) on report_mail to app_mail_hook;
