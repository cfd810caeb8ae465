import { columnsOf } from '../platform/columns';
import type { Statement } from '../platform/statement';
import type { LanguageCode } from '../platform/vocabulary';
import type { MailKind } from './vocabulary';

export type NewBatch = {
  platform_language_code: string;
  message_from_recruiter: string | null;
  hide_menu: boolean;
  hide_iframe: boolean;
  is_test: boolean;
};

/** Stores the data that all mails of a call have in common. Returns the id of the batch. */
export const insertBatch = (batch: NewBatch): Statement<{ id: string }> => ({
  name: 'insert_batch',
  text: `
    insert into invitation_batch (platform_language_code, message_from_recruiter, hide_menu, hide_iframe, is_test)
    values ($1, $2, $3, $4, $5) returning id`,
  values: [
    batch.platform_language_code,
    batch.message_from_recruiter,
    batch.hide_menu,
    batch.hide_iframe,
    batch.is_test,
  ],
});

export type NewMail = { kind: MailKind; profile_id: string; enrolment_id: string | null };

/** Queues the mails of a batch. A second mail of the same kind to the same person is left out. */
export const insertMails = (batchId: string, mails: NewMail[]): Statement => ({
  name: 'insert_mails',
  text: `
    insert into mail (batch_id, kind, profile_id, enrolment_id)
    select $1, kind, profile_id, enrolment_id
    from unnest($2::text[], $3::uuid[], $4::uuid[]) as new (kind, profile_id, enrolment_id) on conflict do nothing`,
  values: [batchId, ...columnsOf(mails, 'kind', 'profile_id', 'enrolment_id')],
});

/** An event that the mail provider reported. */
export type MailEvent = {
  mail_id: string;
  event: 'sent' | 'delivered' | 'bounced' | 'opened';
  /** An ISO 8601 time. */
  at: string;
  /** The provider's explanation of a bounce. */
  reason: string | null;
};

/**
 * Records each event once, in whatever order events arrive. If the provider reports an event, the mail was sent even
 * if the call to the provider seemed to fail, so it is not sent again. The statements in this file lock rows in the
 * order of their ids to prevent deadlocks.
 */
export const recordMailEvents = (events: MailEvent[]): Statement => ({
  name: 'record_mail_events',
  text: `
    with locked as (select id from mail where id = any ($1) order by id for update)
    update mail m set
      sent_at = coalesce(m.sent_at, reported.at),
      delivered_at = coalesce(m.delivered_at, reported.delivered_at),
      opened_at = coalesce(m.opened_at, reported.opened_at),
      bounced_at = coalesce(m.bounced_at, reported.bounced_at),
      bounce_reason = coalesce(m.bounce_reason, reported.reason),
      state = case when m.state in ('queued', 'sending', 'gave_up') then 'sent' else m.state end
    from locked join (
      select mail_id, min(at) as at, min(at) filter (where event = 'delivered') as delivered_at,
        min(at) filter (where event = 'opened') as opened_at, min(at) filter (where event = 'bounced') as bounced_at,
        min(reason) filter (where event = 'bounced') as reason
      from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[]) as reported (mail_id, event, at, reason)
      group by mail_id
    ) reported on reported.mail_id = locked.id
    where m.id = locked.id`,
  values: columnsOf(events, 'mail_id', 'event', 'at', 'reason'),
});

/** A mail that a worker has claimed for sending, with the data for its text. `attempts` includes this attempt. */
export type ClaimedMail = {
  id: string;
  kind: MailKind;
  attempts: number;
  merchant_id: string;
  environment: string;
  batch_id: string;
  profile_id: string;
  merchant_name: string;
  /** The merchant's verified portal domain. */
  portal_domain: string | null;
  accent_color: string | null;
  /** The path of the merchant's logo in the object store. */
  logo_path: string | null;
  email: string;
  name: string | null;
  platform_language_code: LanguageCode;
  message_from_recruiter: string | null;
  hide_menu: boolean;
  hide_iframe: boolean;
  is_test: boolean;
  /**
   * How often the merchant has withdrawn the person's access. The link in the mail contains this number. It is 0 for
   * candidates.
   */
  invitation_generation: number;
  /** The candidate's enrolment. Null for mails to accounts. */
  enrolment: {
    id: string;
    interview_id: string;
    link_generation: number;
    interview_name: string;
    interview_available_till: string | null;
    /** True for a session that a learner practices. */
    is_practice: boolean;
    recruiter_name: string | null;
    recruiter_email: string | null;
    /** The maximum duration of the interview in minutes, with the candidate's additional time. */
    minutes: number;
  } | null;
};

/**
 * Marks up to `limitRows` unsent mails of the batch as `sending`, mails with the fewest attempts first, and reads
 * their content. Only one worker at a time claims mails of a batch, so a mail that is already `sending` was claimed
 * by a worker that died and may have sent it.
 *
 * The names of people are those that the sending merchant uses. People who applied for a job are not named, because
 * anybody can apply with any name and the address of somebody else. A recruiter's name appears only while the recruiter
 * has access. Mails to candidates whose address has changed are skipped here and withdrawn by `withdrawInvitationsToOldAddresses`.
 */
export const claimMails = (batchId: string, limitRows: number): Statement<ClaimedMail> => ({
  name: 'claim_mails',
  text: `
    with claimed as (
      update mail set state = 'sending', attempts = attempts + 1
      where id in (
        select id from mail
        where state in ('queued', 'sending')
          and not exists (select from enrolment e where e.id = mail.enrolment_id and e.profile_id <> mail.profile_id)
          and id in (
          select id from mail where batch_id = $1 and state in ('queued', 'sending') order by attempts, id limit $2
        )
        order by id for update
      )
      returning id, kind, attempts, merchant_id, environment, batch_id, profile_id, enrolment_id
    )
    select c.id, c.kind, c.attempts, c.merchant_id, c.environment, c.batch_id, c.profile_id, m.name as merchant_name, m.portal_domain, m.accent_color, m.logo_path,
      coalesce(e.email, p.email) as email, b.platform_language_code,
      case when e.source = 'public' then null else coalesce(e.name, case when home.is_home then p.name else a.name end) end as name,
      b.message_from_recruiter, b.hide_menu, b.hide_iframe, b.is_test,
      case when e.id is null then app.invitation_generation(c.profile_id, c.merchant_id) else 0 end as invitation_generation,
      case when e.id is not null then jsonb_build_object(
        'id', e.id, 'interview_id', e.interview_id, 'link_generation', e.link_generation,
        'interview_name', coalesce(s.name, i.name),
        'interview_available_till',
          case when s.id is null then i.interview_available_till else s.interview_available_till end,
        'is_practice', s.id is null and app.is_practice(i.type),
        'recruiter_name', r.name, 'recruiter_email', r.email,
        'minutes', ceil(coalesce(i.max_duration, 3600) * e.time_factor / 60)
      ) end as enrolment
    from claimed c
    join merchant m on m.id = c.merchant_id
    join invitation_batch b on b.id = c.batch_id
    join profile p on p.id = c.profile_id
    cross join lateral (select p.merchant_id = c.merchant_id and p.home_withdrawn_at is null as is_home) home
    left join merchant_access a on a.merchant_id = c.merchant_id and a.profile_id = p.id
    left join enrolment e on e.id = c.enrolment_id
    left join interview i on i.id = e.interview_id
    left join position s on s.id = e.position_id
    left join lateral (
      select case when at.is_home then q.name else g.name end as name, q.email
      from profile q
      cross join lateral (select q.merchant_id = c.merchant_id and q.home_withdrawn_at is null as is_home) at
      left join merchant_access g on g.merchant_id = c.merchant_id and g.profile_id = q.id
      where q.id = coalesce(s.recruiter_profile_id, i.recruiter_profile_id) and q.disabled_at is null
        and case when at.is_home then q.home_disabled_at is null else g.role is not null and g.disabled_at is null end
    ) r on true
    order by c.id`,
  values: [batchId, limitRows],
});

export type MailOutcome = {
  id: string;
  attempts: number;
  /** `queued` means that the mail will be tried again. A queued mail without an error was not tried at all. */
  state: 'sent' | 'rejected' | 'queued';
  error: string | null;
  message_id: string | null;
};

/**
 * Records the outcomes of claimed mails. Skips mails that another worker has claimed in the meantime. A mail with an
 * event from the provider counts as sent.
 */
export const recordMailOutcomes = (outcomes: MailOutcome[]): Statement => ({
  name: 'record_mail_outcomes',
  text: `
    with locked as (select id from mail where id = any ($1) order by id for update)
    update mail m set
      state = case when m.sent_at is not null then 'sent' else o.state end,
      attempts = case when o.state = 'queued' and o.error is null then m.attempts - 1 else m.attempts end,
      last_error = coalesce(o.error, m.last_error),
      message_id = coalesce(o.message_id, m.message_id),
      sent_at = case when o.state = 'sent' then coalesce(m.sent_at, now()) else m.sent_at end
    from locked
    join unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::text[]) as o (id, attempts, state, error, message_id)
      on o.id = locked.id
    where m.id = locked.id and m.attempts = o.attempts and m.state in ('sending', 'sent')`,
  values: columnsOf(outcomes, 'id', 'attempts', 'state', 'error', 'message_id'),
});

/** Counts the mails of the batch that are unsent, and the messages that go out in addition to them. */
export const countUnsentMails = (batchId: string): Statement<{ unsent: number }> => ({
  text: `
    select (select count(*) from mail where batch_id = $1 and state in ('queued', 'sending')) + (
      select count(*) from message q join mail m on m.id = q.mail_id
      where m.batch_id = $1 and q.state in ('queued', 'sending')
    ) as unsent`,
  values: [batchId],
});

export const giveUpMails = (batchId: string): Statement => ({
  text: `update mail set state = 'gave_up' where batch_id = $1 and state in ('queued', 'sending')`,
  values: [batchId],
});
