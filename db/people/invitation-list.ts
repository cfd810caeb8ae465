import type { Statement } from '../platform/statement';
import type { InvitationResult } from './invitations';
import type { InvitationType, MailKind, MailStatus, MessageChannel, MessageStatus } from './vocabulary';

export type InvitationFilter = {
  type?: InvitationType | undefined;
  mail_status?: MailStatus | undefined;
  profile_id?: string | undefined;
  /** An empty text means no filter. */
  filter_text?: string | undefined;
  /** The place of a cursor, as JSON. */
  place?: string | null;
  limit: number;
  offset: number;
  /** The number up to which matches are counted. */
  counted: number;
};

/**
 * A mail, or a row of a call that sent no mail. `profile_known` is false if the filter names a person whom the caller
 * cannot see. For an empty page, the query returns one row whose id is null.
 */
export type ListedInvitation = {
  total: number;
  has_more: boolean;
  place: unknown;
  profile_known: boolean;
  id: string | null;
  /** Null if no mail was sent. */
  kind: MailKind | null;
  profile_id: string | null;
  email: string | null;
  name: string | null;
  type: InvitationType | null;
  interview_id: string | null;
  interview_name: string | null;
  result: InvitationResult | null;
  code: string | null;
  mail_status: MailStatus | null;
  state: string | null;
  last_error: string | null;
  bounce_reason: string | null;
  /** True if the candidate has another address than the mail was queued for. */
  is_readdressed: boolean;
  /** The message that accompanies the mail. All of these are null without one. */
  message_channel: MessageChannel | null;
  message_status: MessageStatus | null;
  message_failure: string | null;
  message_price: number | null;
  message_price_unit: string | null;
  sent_at: string | null;
  created_at: string;
};

/** SQL of the entries of these mails, and of these rows of invitations (`others`) without a mail, as `shown`. */
const shown = (mails: string, others: string) => `entry as (
      select m.id, m.created_at, m.kind, m.profile_id, m.enrolment_id, v.type, v.result, v.code, null as sent_to,
        null::uuid as interview_id, null::uuid as position_id, m.status as mail_status, m.state, m.last_error,
        m.bounce_reason, m.sent_at
      from mail m
      left join invitation v on v.merchant_id = m.merchant_id and v.profile_id = m.profile_id
        and v.invited_at = m.created_at and v.enrolment_id is not distinct from m.enrolment_id
      where ${mails}
      union all
      select v.id, v.invited_at, null, v.profile_id, v.enrolment_id, v.type, v.result, v.code, v.email, v.interview_id,
        v.position_id, case when v.result = 'error' then 'failed' end, null, null, null, null
      from invitation v
      where v.merchant_id = app.merchant_id() and ${others}
    ),
    shown as materialized (
      select n.*, e.id is not null as is_enrolled, e.profile_id as candidate_id, e.email, e.name,
        coalesce(e.position_id, n.position_id) as at_position_id, coalesce(e.interview_id, n.interview_id) as at_interview_id
      from entry n left join enrolment e on e.merchant_id = app.merchant_id() and e.id = n.enrolment_id
    )`;

const columns = `s.id, s.kind, s.profile_id, case when s.enrolment_id is null then s.type else 'candidate' end as type,
      case when not s.is_enrolled then coalesce(t.email, s.sent_to) when s.candidate_id = s.profile_id then s.email
        else (select q.email_key from profile q where q.id = s.profile_id) end as email,
      coalesce(s.name, t.name) as name, coalesce(s.at_position_id, s.at_interview_id) as interview_id,
      coalesce(p.name, i.name) as interview_name, s.result, s.code, s.mail_status, s.state, s.last_error, s.bounce_reason,
      coalesce(s.candidate_id <> s.profile_id, false) as is_readdressed, s.sent_at, s.created_at,
      q.channel as message_channel, case q.state when 'sending' then 'queued' else q.state end as message_status,
      q.error as message_failure, q.price::float8 as message_price, q.price_unit as message_price_unit`;

const joined = `left join message q on q.mail_id = s.id
    left join position p on p.id = s.at_position_id
    left join interview i on i.id = s.at_interview_id
    left join app.people_of_team(array(select o.profile_id from shown o where o.enrolment_id is null)) t
      on t.id = s.profile_id`;

/** Reads entries as the list shows them. The rows have no facts about a filter. */
export const findInvitations = (ids: readonly string[]): Statement<ListedInvitation> => ({
  name: 'find_invitations',
  text: `
    with ${shown('m.id = any ($1)', `v.id = any ($1) and v.channel = 'email' and v.result in ('activated', 'skipped', 'error')`)}
    select ${columns} from shown s
    ${joined}`,
  values: [ids],
});

/**
 * Lists a page of mails to people, and of rows of invitations without a mail, newest first, and the number of both, which
 * stops at `counted`. `app.find_mails` finds them by index. Mails are joined to the invitation that queued them: both were
 * stored in one transaction, at the same time. Ids of interviews are computed before the names are read, because Postgres
 * uses no index for a coalesce() in a query to which row-level security applies.
 */
export const listInvitations = ({
  limit,
  offset,
  counted,
  ...filter
}: InvitationFilter): Statement<ListedInvitation> => ({
  name: 'list_invitations',
  text: `
    with found as materialized (select id, is_mail, created_at from app.find_mails($1, $2, $3, $4, $5, ($9::jsonb ->> 0)::timestamptz, ($9::jsonb ->> 1)::uuid)),
    page as materialized (select * from found order by created_at desc, id desc limit $6 offset $7),
    ${shown('m.id in (select id from page where is_mail)', 'v.id in (select id from page where not is_mail)')}
    select facts.*, jsonb_build_array(s.created_at, s.id) as place, ${columns}
    from (
      select least(count(*), $8)::int as total, count(*) > $6 + $7 as has_more,
        $3::uuid is null or exists (select from profile p where p.id = $3)
          or exists (select from app.people_of_team(array[$3])) as profile_known
      from found
    ) facts
    left join shown s on true
    ${joined}
    order by s.created_at desc, s.id desc`,
  values: [
    filter.type ?? null,
    filter.mail_status ?? null,
    filter.profile_id ?? null,
    filter.filter_text || null,
    Math.max(counted, offset + limit) + 1,
    limit,
    offset,
    counted,
    filter.place ?? null,
  ],
});
