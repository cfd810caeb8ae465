import type { Statement } from './scope';

export const mailKinds = [
  'candidate_invitation',
  'reminder',
  'final_reminder',
  'team_invitation',
  'coaching_invitation',
] as const;
export type MailKind = (typeof mailKinds)[number];

export type NewBatch = {
  platform_language_code: string;
  message_from_recruiter: string | null;
  hide_menu: boolean;
  hide_iframe: boolean;
  is_test: boolean;
};

/** What the mails of one call share; answers its id. */
export const insertBatch = (batch: NewBatch): Statement => ({
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

/** Queues the mails of a batch; a second one of a kind to the same person is left out. */
export const insertMails = (batchId: string, mails: NewMail[]): Statement => ({
  name: 'insert_mails',
  text: `
    insert into mail (batch_id, kind, profile_id, enrolment_id)
    select $1, kind, profile_id, enrolment_id
    from unnest($2::text[], $3::uuid[], $4::uuid[]) as new (kind, profile_id, enrolment_id) on conflict do nothing`,
  values: [
    batchId,
    mails.map(({ kind }) => kind),
    mails.map(({ profile_id }) => profile_id),
    mails.map(({ enrolment_id }) => enrolment_id),
  ],
});

/** What the provider told of a mail. */
export type MailEvent = {
  mail_id: string;
  event: 'sent' | 'delivered' | 'bounced' | 'opened';
  /** ISO 8601. */
  at: string;
  /** The provider's words on a bounce. */
  reason: string | null;
};

/**
 * Notes events, each once and in any order: the first time of each counts. A mail that the provider tells of was sent,
 * whatever we know of its call, unless it is under way.
 */
export const recordMailEvents = (events: MailEvent[]): Statement => ({
  name: 'record_mail_events',
  text: `
    update mail m set
      sent_at = coalesce(m.sent_at, told.at),
      delivered_at = coalesce(m.delivered_at, told.delivered_at),
      opened_at = coalesce(m.opened_at, told.opened_at),
      bounced_at = coalesce(m.bounced_at, told.bounced_at),
      bounce_reason = coalesce(m.bounce_reason, told.reason),
      state = case when m.state in ('queued', 'gave_up') then 'sent' else m.state end
    from (
      select mail_id, min(at) as at, min(at) filter (where event = 'delivered') as delivered_at,
        min(at) filter (where event = 'opened') as opened_at, min(at) filter (where event = 'bounced') as bounced_at,
        min(reason) filter (where event = 'bounced') as reason
      from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[]) as told (mail_id, event, at, reason)
      group by mail_id
    ) told
    where m.id = told.mail_id`,
  values: [
    events.map(({ mail_id }) => mail_id),
    events.map(({ event }) => event),
    events.map(({ at }) => at),
    events.map(({ reason }) => reason),
  ],
});
