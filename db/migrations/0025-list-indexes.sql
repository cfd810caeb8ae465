-- Lists of candidates and mails find a page by index, whatever the filter (docs/people.md#lists).

-- What the search for a candidate reads, in small letters. One column needs one index, and lower() runs once per change.
alter table enrolment add column search_text text not null generated always as (
  lower(coalesce(name || e'\n', '') || email || coalesce(e'\n' || external_id, ''))
) stored;
create index enrolment__search_text on enrolment using gin (search_text extension.gin_trgm_ops);
create index enrolment__merchant_id_environment_status_created_at_id
  on enrolment (merchant_id, environment, status, created_at, id);

-- What became of the mail, as callers see it.
alter table mail add column status text not null generated always as (
  case when state in ('queued', 'sending') then 'queued' when state = 'rejected' then 'rejected'
    when state in ('gave_up', 'withdrawn') then 'failed' when bounced_at is not null then 'bounced'
    when delivered_at is not null then 'delivered' else 'sent' end
) stored;
drop index mail__merchant_id_environment_created_at_id;
create index mail__merchant_id_environment_created_at_id
  on mail (merchant_id, environment, created_at, id) include (status, enrolment_id, profile_id);
create index mail__merchant_id_environment_status_created_at_id
  on mail (merchant_id, environment, status, created_at, id);
