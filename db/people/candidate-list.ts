import type { Statement } from '../platform/statement';
import { mailStatus } from './mail-status';
import type { candidateStatuses, MailStatus } from './vocabulary';

export type CandidateFilter = {
  status?: (typeof candidateStatuses)[number] | undefined;
  /** The interview that candidates take now, or the interview or position in which they are enrolled. */
  interview_id?: string | undefined;
  profile_id?: string | undefined;
  profile_interview_id?: string | undefined;
  /** An empty text means no filter. */
  filter_text?: string | undefined;
  limit: number;
  offset: number;
};

/**
 * A candidate in a list. `interview_known`, `profile_known` and `enrolment_known` are false if the filter names an object
 * that the caller cannot see. For an empty page, the query returns one row whose id is null.
 */
type ListedCandidate = {
  total: number;
  interview_known: boolean;
  profile_known: boolean;
  enrolment_known: boolean;
  profile_interview_id: string | null;
  profile_id: string;
  name: string | null;
  email: string;
  phone: string | null;
  external_id: string | null;
  interview_id: string;
  interview_name: string;
  position_id: string | null;
  status: (typeof candidateStatuses)[number];
  stage: null;
  mail_status: MailStatus | null;
  invited_at: string | null;
  interview_result_id: string | null;
  created_at: string;
  updated_at: string;
};

/**
 * Lists a page of candidates, newest first, and the total. The page is read from the end of an index. Without a filter,
 * the total is the stored count of merchant-status. Matches of status and interview are counted in that index; those of
 * a text or person are read once for both total and page. The statement has no name, so Postgres plans each call for the
 * given values.
 */
export function listCandidates(filter: CandidateFilter): Statement<ListedCandidate> {
  const { status, interview_id, profile_id, profile_interview_id, filter_text, limit, offset } = filter;
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const interview = `${bind(interview_id ?? null)}::uuid`;
  const profile = `${bind(profile_id ?? null)}::uuid`;
  const enrolment = `${bind(profile_interview_id ?? null)}::uuid`;
  const conditions = [
    status && `e.status = ${bind(status)}`,
    interview_id && `(e.scope_id = ${interview} or e.interview_id = ${interview})`,
    profile_id && isOfPerson(profile),
    profile_interview_id && `e.id = ${enrolment}`,
    filter_text && candidateContains(bind(filter_text)),
  ].filter(Boolean);
  const counted = '(select count(*) from matching)';
  const stored = (which: string) =>
    `coalesce((select sum(value) from account_count where metric = 'candidates' and scope_id is not null and ${which}), 0)`;
  // Hiring managers who may see only some positions cannot read stored counts.
  const total =
    conditions.length > 0
      ? counted
      : `case when app.position_ids() is null then ${stored('folded')} + ${stored('not folded')} else ${counted} end`;
  const text = `
    with matching as ${profile_id || profile_interview_id || filter_text ? '' : 'not'} materialized (
      select e.id, e.created_at from enrolment e where ${conditions.join(' and ') || 'true'}
    ), page as (
      select * from matching order by created_at desc, id desc limit ${bind(limit)} offset ${bind(offset)}
    )
    select asked.*, e.id as profile_interview_id, e.profile_id, e.name, e.email, e.phone, e.external_id, e.interview_id,
      coalesce(s.name, i.name) as interview_name, e.position_id, e.status, null as stage, e.invited_at, e.created_at,
      e.updated_at,
      (
        select ${mailStatus} from mail m where m.merchant_id = e.merchant_id and m.enrolment_id = e.id
        order by m.state = 'withdrawn', m.created_at desc limit 1
      ) as mail_status,
      (
        select r.id from interview_result r
        where r.merchant_id = e.merchant_id and r.enrolment_id = e.id and r.interview_id = e.interview_id and not r.is_test
      ) as interview_result_id
    from (
      select (${total})::int as total, ${interview} is null
          or exists (select from interview i where i.id = ${interview} and i.status <> 'deleted')
          or exists (select from position p where p.id = ${interview} and p.status <> 'deleted') as interview_known,
        ${profile} is null
          or exists (select from profile p where p.id = ${profile}) as profile_known,
        ${enrolment} is null or exists (select from enrolment k where k.id = ${enrolment}) as enrolment_known
    ) asked
    left join (
      page join enrolment e using (id)
      join interview i on i.merchant_id = e.merchant_id and i.id = e.interview_id
      left join position s on s.merchant_id = e.merchant_id and s.id = e.position_id
    ) on true
    order by page.created_at desc, page.id desc`;
  return { text, values };
}

/** SQL that is true if the name, address or reference of the candidate `e` contains the text of the parameter. */
export const candidateContains = (text: string): string =>
  `(strpos(lower(e.name), lower(${text})) > 0 or strpos(lower(e.email), lower(${text})) > 0
    or strpos(lower(e.external_id), lower(${text})) > 0)`;

/** SQL that selects the enrolments `e` of a person, whom the index of addresses finds. */
export const isOfPerson = (profileId: string): string =>
  `(e.profile_id = ${profileId} and e.email_key = (select p.email_key from profile p where p.id = ${profileId}))`;
