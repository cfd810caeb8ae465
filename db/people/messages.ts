import { columnsOf } from '../platform/columns';
import type { Statement } from '../platform/statement';
import type { Environment, LanguageCode } from '../platform/vocabulary';
import type { MailKind, MessageChannel } from './vocabulary';

/** Why a message was not sent, in words of ours. Other errors are numbers of the provider. */
export const messageErrors = [
  'invalid_number',
  'opted_out',
  'daily_limit',
  'test_limit',
  'withdrawn',
  'unknown_outcome',
  'gave_up',
  'not_configured',
] as const;
export type MessageError = (typeof messageErrors)[number];

/** What Twilio calls the states of a message, and what they mean here. */
const providerStates = new Map<string, 'sent' | 'delivered' | 'undelivered' | 'failed'>([
  ['accepted', 'sent'],
  ['scheduled', 'sent'],
  ['queued', 'sent'],
  ['sending', 'sent'],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['undelivered', 'undelivered'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
]);
export const toMessageState = (providerState: string) => providerStates.get(providerState);

/**
 * Plans a message for each unsent mail of the batch whose interview or position asks for one, if the candidate has a
 * phone number. A position decides for all its steps. A second call plans nothing more.
 */
export const planMessages = (batchId: string, channel: MessageChannel): Statement => ({
  name: 'plan_messages',
  text: `
    insert into message (mail_id, merchant_id, environment, enrolment_id, interview_id, link_generation, channel)
    select m.id, m.merchant_id, m.environment, e.id, e.interview_id, e.link_generation, $2
    from mail m
    join enrolment e on e.id = m.enrolment_id and e.phone is not null
    join interview i on i.id = e.interview_id
    left join position s on s.id = e.position_id
    where m.batch_id = $1 and m.state in ('queued', 'sending')
      and case case when s.id is null then i.candidate_notification_channel else s.candidate_notification_channel end
        when 'all' then true
        when 'reminders' then m.kind in ('reminder', 'final_reminder')
        when 'last_reminder' then m.kind = 'final_reminder'
        else false
      end
    on conflict do nothing`,
  values: [batchId, channel],
});

/** A message that is to be sent, with the data for its text. */
export type DueMessage = {
  mail_id: string;
  merchant_id: string;
  environment: Environment;
  channel: MessageChannel;
  kind: MailKind;
  /** `sending` if a worker died while it sent the message. */
  state: 'queued' | 'sending';
  /** True if the candidate's links have ended since, or the candidate no longer needs the message. */
  is_withdrawn: boolean;
  phone: string | null;
  is_practice: boolean;
  merchant_name: string;
  portal_domain: string | null;
  platform_language_code: LanguageCode;
};

/** Locks and reads up to `limitRows` unsent messages of the batch. Only one worker at a time sends those of a batch. */
export const lockDueMessages = (batchId: string, limitRows: number): Statement<DueMessage> => ({
  name: 'lock_due_messages',
  text: `
    select q.mail_id, q.merchant_id, q.environment, q.channel, m.kind, q.state, e.phone, n.name as merchant_name, n.portal_domain,
      b.platform_language_code, e.position_id is null and app.is_practice(i.type) as is_practice,
      m.state = 'withdrawn' or e.link_generation <> q.link_generation
        or m.kind in ('reminder', 'final_reminder') and e.progress is not null as is_withdrawn
    from message q
    join mail m on m.id = q.mail_id
    join invitation_batch b on b.id = m.batch_id
    join merchant n on n.id = q.merchant_id
    join enrolment e on e.id = q.enrolment_id
    join interview i on i.id = q.interview_id
    where m.batch_id = $1 and q.state in ('queued', 'sending')
    order by q.mail_id limit $2
    for update of q`,
  values: [batchId, limitRows],
});

/** Makes other batches of the merchant wait before they count messages, until the transaction ends. */
export const lockMessageNumbers = (merchantId: string): Statement => ({
  text: `select pg_advisory_xact_lock(hashtextextended('messages/' || $1, 0))`,
  values: [merchantId],
});

/** Returns how many messages the merchant sent to each number in the last 24 hours, and whether it answered STOP. */
export const countMessages = (
  merchantId: string,
  numbers: string[],
): Statement<{ number: string; sent: number; has_opted_out: boolean }> => ({
  name: 'count_messages',
  text: `
    select wanted.number, exists (select from message_opt_out o where o.number = wanted.number) as has_opted_out,
      (
        select count(*)::int from message q
        where q.merchant_id = $1 and q.number = wanted.number and q.sent_at > now() - interval '24 hours'
      ) as sent
    from unnest($2::text[]) as wanted (number)`,
  values: [merchantId, numbers],
});

/** Returns how many messages the merchant sent outside production in the last 24 hours. */
export const countTestMessages = (merchantId: string): Statement<{ sent: number }> => ({
  name: 'count_test_messages',
  text: `
    select count(*)::int as sent from message
    where merchant_id = $1 and environment <> 'production' and sent_at > now() - interval '24 hours'`,
  values: [merchantId],
});

/** What becomes of a due message: it is sent now, or it failed for good. */
export type ClaimedMessage = {
  mail_id: string;
  state: 'sending' | 'failed';
  error: MessageError | null;
  number: string | null;
  code_hash: Buffer | null;
};

export const claimMessages = (claimed: ClaimedMessage[]): Statement => ({
  name: 'claim_messages',
  text: `
    update message q set state = c.state, error = c.error, number = coalesce(c.number, q.number), code_hash = c.code_hash,
      sent_at = case when c.state = 'sending' then now() else q.sent_at end
    from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bytea[]) as c (mail_id, state, error, number, code_hash)
    where q.mail_id = c.mail_id`,
  values: columnsOf(claimed, 'mail_id', 'state', 'error', 'number', 'code_hash'),
});

export type MessageOutcome = {
  mail_id: string;
  /** `queued` means that the provider did not take the message, and that it will be tried again. */
  state: 'sent' | 'failed' | 'queued';
  error: string | null;
  sid: string | null;
};

/** Records the outcomes of messages that were sent. What the provider has reported meanwhile is not overwritten. */
export const recordMessageOutcomes = (outcomes: MessageOutcome[]): Statement => ({
  name: 'record_message_outcomes',
  text: `
    update message q set sid = coalesce(q.sid, o.sid),
      state = case when q.state = 'sending' then o.state else q.state end,
      error = case when q.state = 'sending' and o.state = 'failed' then o.error else q.error end,
      sent_at = case when q.state = 'sending' and o.state = 'queued' then null else q.sent_at end
    from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as o (mail_id, state, error, sid)
    where q.mail_id = o.mail_id`,
  values: columnsOf(outcomes, 'mail_id', 'state', 'error', 'sid'),
});

export const giveUpMessages = (batchId: string): Statement => ({
  text: `
    update message q set state = 'failed', error = 'gave_up' from mail m
    where m.id = q.mail_id and m.batch_id = $1 and q.state in ('queued', 'sending')`,
  values: [batchId],
});

/** What the provider says about a message. */
export type MessageReport = {
  mail_id: string;
  state: 'sent' | 'delivered' | 'undelivered' | 'failed';
  error: string | null;
  sid: string;
};

/**
 * Records what the provider reports, in whatever order reports arrive. A message whose outcome was unknown was sent if
 * the provider reports about it.
 */
export const recordMessageReport = ({ mail_id, state, error, sid }: MessageReport): Statement => ({
  name: 'record_message_report',
  text: `
    update message set state = $2, error = $3, sid = coalesce(sid, $4)
    where mail_id = $1 and (
      state in ('queued', 'sending') or state = 'failed' and error = 'unknown_outcome' or state = 'sent' and $2 <> 'sent'
    )`,
  values: [mail_id, state, error, sid],
});

/** Returns messages whose price the provider has not named yet. Each is asked about once an hour, for two days. */
export const claimUnpricedMessages = (limitRows: number): Statement<{ mail_id: string; sid: string }> => ({
  name: 'claim_unpriced_messages',
  text: `
    update message set checked_at = now()
    where mail_id in (
      select mail_id from message
      where sid is not null and price is null and state <> 'failed'
        and sent_at between now() - interval '2 days' and now() - interval '1 minute'
        and coalesce(checked_at < now() - interval '1 hour', true)
      order by sent_at limit $1 for update skip locked
    )
    returning mail_id, sid`,
  values: [limitRows],
});

export const recordMessagePrice = (mailId: string, price: number, unit: string): Statement => ({
  text: 'update message set price = $2, price_unit = $3 where mail_id = $1',
  values: [mailId, price, unit],
});

/** Records that a number answered STOP, or START after it. */
export const recordOptOut = (number: string): Statement => ({
  text: 'insert into message_opt_out (number) values ($1) on conflict do nothing',
  values: [number],
});
export const forgetOptOut = (number: string): Statement => ({
  text: 'delete from message_opt_out where number = $1',
  values: [number],
});

/** The candidate's link that a short link stands for. */
type MessageLink = {
  enrolment_id: string;
  interview_id: string;
  link_generation: number;
  is_test: boolean;
  hide_menu: boolean;
  hide_iframe: boolean;
  portal_domain: string | null;
  interview_available_till: string | null;
  sent_at: string;
};

export const openMessageLink = (codeHash: Buffer): Statement<MessageLink> => ({
  name: 'open_message_link',
  text: 'select * from app.open_message_link($1)',
  values: [codeHash],
});
