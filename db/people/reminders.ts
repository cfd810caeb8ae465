import type { Statement } from '../platform/statement';

export type ReminderKind = 'reminder' | 'final_reminder';

/**
 * Milliseconds until the reminder of each kind is due for a batch. Null when the merchant sends no such reminder or
 * the batch has no one to remind.
 */
export type ReminderPlan = Record<ReminderKind, number | null>;

/** The kinds of mails that invite a candidate, as a list of SQL. */
const invitations = `'candidate_invitation', 'next_step_invitation', 'retry_invitation'`;

export const planReminders = (batchId: string): Statement<ReminderPlan> => ({
  name: 'plan_reminders',
  text: `
    select
      ceil(extract(epoch from b.created_at + m.reminder_after - clock_timestamp()) * 1000) as reminder,
      ceil(extract(epoch from b.created_at + m.final_reminder_after - clock_timestamp()) * 1000) as final_reminder
    from invitation_batch b join merchant m on m.id = b.merchant_id
    where b.id = $1 and not b.is_test
      and exists (select from mail where batch_id = b.id and kind in (${invitations}))`,
  values: [batchId],
});

/**
 * Returns SQL for the time until which an interview is available, given the column with a stored
 * `interview_available_till`. A value without a time of day counts until that day ends in UTC.
 */
const untilOf = (column: string): string => `case
  when length(${column}) = 10 then (${column}::date + 1)::timestamp at time zone 'UTC'
  else ${column}::timestamptz
end`;

/**
 * SQL for the people of a batch who need a reminder: the invitation reached them, they were not withdrawn or invited again and
 * have not started, the interview is active and open, and the merchant uses this kind of reminder. The tables are
 * joined only by ids, because the planner would otherwise pair each mail with all interviews of the merchant.
 */
const toBeReminded = (kind: ReminderKind) => `
  from mail m
  join merchant owner on owner.id = m.merchant_id and owner.${kind}_after is not null
  join enrolment e on e.id = m.enrolment_id
  join interview i on i.id = e.interview_id
  left join position s on s.id = e.position_id
  cross join lateral (
    select case when s.id is null then i.interview_available_till else s.interview_available_till end as available_till
  ) ends
  where m.batch_id = $1 and m.kind in (${invitations}) and m.state = 'sent' and m.bounced_at is null
    and e.profile_id = m.profile_id and e.invited_at is not null
    and app.status_for_candidates(i.merchant_id, i.id, i.status, e.position_id) = 'active'
    and (ends.available_till is null or ${untilOf('ends.available_till')} > now())
    and (m.environment = 'production' or app.is_test_recipient(owner.test_recipients, e.email_key))
    and not exists (
      select from interview_result r where r.merchant_id = e.merchant_id and r.enrolment_id = e.id and r.interview_id = e.interview_id
        and not r.is_test
        and (
          r.interview_status is not null
          or exists (
            select from interview_result_attempt past
            where past.merchant_id = r.merchant_id and past.result_id = r.id and past.reopened_at >= m.created_at
          )
        )
    )
    and not exists (
      select from mail later join invitation_batch b on b.id = later.batch_id and not b.is_test
      where later.merchant_id = m.merchant_id and later.enrolment_id = m.enrolment_id
        and later.kind in (${invitations}) and later.created_at > m.created_at
    )`;

/** Queues a reminder for every person of the batch who needs one. A second call queues no second reminder. */
export const queueReminders = (batchId: string, kind: ReminderKind): Statement => ({
  name: `queue_${kind}`,
  text: `
    insert into mail (merchant_id, environment, batch_id, kind, profile_id, enrolment_id)
    select m.merchant_id, m.environment, m.batch_id, '${kind}', e.profile_id, e.id ${toBeReminded(kind)}
    on conflict do nothing`,
  values: [batchId],
});

/**
 * Withdraws unsent reminders that people no longer need, for example because they started while the provider was down.
 */
export const withdrawReminders = (batchId: string): Statement => ({
  name: 'withdraw_reminders',
  text: `
    update mail set state = 'withdrawn'
    where batch_id = $1 and state in ('queued', 'sending') and (
      kind = 'reminder' and enrolment_id not in (select e.id ${toBeReminded('reminder')})
      or kind = 'final_reminder' and enrolment_id not in (select e.id ${toBeReminded('final_reminder')})
    )`,
  values: [batchId],
});

/**
 * Withdraws the batch's unsent invitations of candidates whose email address has changed. The limits on invitations
 * counted these mails for the old address, so sending them to the new one could exceed its limit
 * (docs/identity.md#limits-of-invitations).
 */
export const withdrawInvitationsToOldAddresses = (batchId: string): Statement => ({
  name: 'withdraw_readdressed',
  text: `
    update mail m set state = 'withdrawn' from enrolment e
    where m.batch_id = $1 and m.state in ('queued', 'sending') and e.id = m.enrolment_id and e.profile_id <> m.profile_id`,
  values: [batchId],
});

/**
 * Outside production, withdraws unsent mails of a batch to people who are not test recipients of the merchant, or no
 * longer are.
 */
export const withdrawMailsToOthers = (batchId: string): Statement => ({
  name: 'withdraw_mails_to_others',
  text: `
    update mail m set state = 'withdrawn' from merchant owner, profile p
    where m.batch_id = $1 and m.state in ('queued', 'sending') and m.environment <> 'production'
      and owner.id = m.merchant_id and p.id = m.profile_id
      and not app.is_test_recipient(
        owner.test_recipients,
        coalesce((select e.email_key from enrolment e where e.id = m.enrolment_id), p.email_key)
      )`,
  values: [batchId],
});

/**
 * Queues the mail to at most `limitRows` candidates who answered a day ago and have not submitted. The function of
 * sql/submit-reminders.sql queues one mail for an attempt, also if several workers call it at once.
 */
export const queueSubmitReminders = (limitRows: number): Statement<{ queued: number }> => ({
  name: 'queue_submit_reminders',
  text: 'select app.queue_submit_reminders($1) as queued',
  values: [limitRows],
});

/** Withdraws the batch's unsent mails to candidates who need not submit any more, for example because they did. */
export const withdrawSubmitReminders = (batchId: string): Statement => ({
  name: 'withdraw_submit_reminders',
  text: 'select app.withdraw_submit_reminders($1)',
  values: [batchId],
});
