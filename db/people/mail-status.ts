/** SQL for the status of the mail `m`, one of `mailStatuses`. */
export const mailStatus = `case
  when m.state in ('queued', 'sending') then 'queued'
  when m.state = 'rejected' then 'rejected'
  when m.state in ('gave_up', 'withdrawn') then 'failed'
  when m.bounced_at is not null then 'bounced'
  when m.delivered_at is not null then 'delivered'
  else 'sent' end`;
