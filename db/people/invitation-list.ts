import type { Statement } from '../platform/statement';
import { candidateContains, isOfPerson } from './candidate-list';
import type { InvitationResult } from './invitations';
import { mailStatus } from './mail-status';
import type { InvitationType, MailKind, MailStatus } from './vocabulary';

export type InvitationFilter = {
  type?: InvitationType | undefined;
  mail_status?: MailStatus | undefined;
  profile_id?: string | undefined;
  /** An empty text means no filter. */
  filter_text?: string | undefined;
  limit: number;
  offset: number;
};

/**
 * A mail, or a row of a call that sent no mail. `profile_known` is false if the filter names a person whom the caller
 * cannot see. For an empty page, the query returns one row whose id is null.
 */
export type ListedInvitation = {
  total: number;
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
  sent_at: string | null;
  created_at: string;
};

/** The invitation that queued a mail to an account: both were stored in one transaction, at the same time. */
const ofMail = `v.merchant_id = m.merchant_id and v.profile_id = m.profile_id and v.invited_at = m.created_at
  and v.enrolment_id is not distinct from m.enrolment_id`;
/** The people of the team. Their rows in the index of profiles are few next to those of candidates. */
const team = `app.people_of_team(array(
  select p.id from profile p where p.role in ('merchant_owner', 'merchant', 'merchant_selection', 'user', 'mentor')
  union select a.profile_id from merchant_access a
))`;

type Bound = { type: string; status: string; profile: string; text: string };

/** SQL with the ids of the enrolments and team members whose mails match, or undefined if no filter is about people. */
function peopleOf(
  { profile_id, filter_text }: InvitationFilter,
  { profile, text }: Bound,
): string | undefined {
  if (!profile_id && !filter_text) return undefined;
  const conditions = [profile_id && isOfPerson(profile), filter_text && candidateContains(text)];
  const members = [
    profile_id && `t.id = ${profile}`,
    filter_text &&
      `(strpos(lower(t.name), lower(${text})) > 0 or strpos(lower(t.email), lower(${text})) > 0)`,
  ];
  return `candidates as materialized (select e.id from enrolment e where ${all(conditions)}),
    members as materialized (select t.id from ${team} t where ${all(members)}),`;
}

const all = (conditions: readonly unknown[]) => conditions.filter(Boolean).join(' and ') || 'true';
const ofPeople = (alias: string) =>
  `(${alias}.enrolment_id = any (array(select id from candidates))
    or ${alias}.enrolment_id is null and ${alias}.profile_id = any (array(select id from members)))`;

/** SQL that selects mails `m`. */
const mailsOf = ({ type, mail_status, ...who }: InvitationFilter, bound: Bound) =>
  all([
    type === 'candidate' && 'm.enrolment_id is not null',
    type !== undefined &&
      type !== 'candidate' &&
      `m.enrolment_id is null and exists (select from invitation v where ${ofMail} and v.type = ${bound.type})`,
    mail_status && `${mailStatus} = ${bound.status}`,
    (who.profile_id || who.filter_text) && ofPeople('m'),
  ]);

/** SQL that selects the rows `v` of calls that sent no mail. */
const othersOf = ({ type, mail_status, profile_id, filter_text }: InvitationFilter, bound: Bound) =>
  all([
    `v.channel = 'email' and v.result in ('activated', 'skipped', 'error')`,
    type && `v.type = ${bound.type}`,
    mail_status && (mail_status === 'failed' ? `v.result = 'error'` : 'false'),
    profile_id && ofPeople('v'),
    filter_text && !profile_id && `(${ofPeople('v')} or strpos(lower(v.email), lower(${bound.text})) > 0)`,
  ]);

/**
 * Lists a page of mails to people, and of rows of invitations without a mail, newest first, and the total. Both are read
 * from the ends of their indexes. The statement has no name, so Postgres plans each call for the given values.
 */
export function listInvitations(filter: InvitationFilter): Statement<ListedInvitation> {
  const { limit, offset } = filter;
  const values: unknown[] = [];
  // A parameter that the statement does not contain would be an error.
  const bind = (value: unknown, type: string) => (value ? `$${values.push(value)}::${type}` : '');
  const bound = {
    type: bind(filter.type, 'text'),
    status: bind(filter.mail_status, 'text'),
    profile: bind(filter.profile_id, 'uuid'),
    text: bind(filter.filter_text, 'text'),
  };
  const people = peopleOf(filter, bound);
  const kept = people ? 'materialized' : 'not materialized';
  const last = `order by at desc, id desc limit ${limit + offset}`;
  const profileKnown = filter.profile_id
    ? `(exists (select from profile p where p.id = ${bound.profile})
        or exists (select from app.people_of_team(array[${bound.profile}])))`
    : 'true';
  const text = `
    with ${people ?? ''} mails as ${kept} (
      select m.id, m.created_at as at, true as is_mail from mail m where ${mailsOf(filter, bound)}
    ), others as ${kept} (
      select v.id, v.invited_at as at, false as is_mail from invitation v where ${othersOf(filter, bound)}
    ), page as (
      select * from ((select * from mails ${last}) union all (select * from others ${last})) listed
      order by at desc, id desc limit ${limit} offset ${offset}
    ), shown as materialized (
      select m.id, m.created_at as at, m.kind, m.profile_id, m.enrolment_id, v.type, v.result, v.code, null as sent_to,
        null::uuid as interview_id, null::uuid as position_id, ${mailStatus} as mail_status, m.state, m.last_error,
        m.bounce_reason, m.sent_at
      from page join mail m on m.id = page.id left join invitation v on ${ofMail} where page.is_mail
      union all
      select v.id, v.invited_at, null, v.profile_id, v.enrolment_id, v.type, v.result, v.code, v.email, v.interview_id,
        v.position_id, case when v.result = 'error' then 'failed' end, null, null, null, null
      from page join invitation v on v.merchant_id = app.merchant_id() and v.id = page.id where not page.is_mail
    )
    select asked.*, s.id, s.kind, s.profile_id, case when s.enrolment_id is null then s.type else 'candidate' end as type,
      case when e.id is null then coalesce(t.email, s.sent_to) when e.profile_id = s.profile_id then e.email
        else (select q.email_key from profile q where q.id = s.profile_id) end as email,
      coalesce(e.name, t.name) as name,
      coalesce(e.position_id, s.position_id, e.interview_id, s.interview_id) as interview_id,
      coalesce(
        (select p.name from position p where p.id = coalesce(e.position_id, s.position_id)),
        (select i.name from interview i where i.id = coalesce(e.interview_id, s.interview_id))
      ) as interview_name, s.result, s.code, s.mail_status, s.state, s.last_error, s.bounce_reason,
      coalesce(e.profile_id <> s.profile_id, false) as is_readdressed, s.sent_at, s.at as created_at
    from (
      select ((select count(*) from mails) + (select count(*) from others))::int as total, ${profileKnown} as profile_known
    ) asked
    left join shown s on true
    left join enrolment e on e.merchant_id = app.merchant_id() and e.id = s.enrolment_id
    left join app.people_of_team(array(select o.profile_id from shown o where o.enrolment_id is null)) t
      on t.id = s.profile_id
    order by s.at desc, s.id desc`;
  return { text, values };
}
