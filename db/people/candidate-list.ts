import type { Statement } from '../platform/statement';
import type { stages } from '../platform/vocabulary';
import type { candidateStatuses, MailStatus } from './vocabulary';

export type CandidateFilter = {
  status?: (typeof candidateStatuses)[number] | undefined;
  /** The interview that candidates take now, or the interview or position in which they are enrolled. */
  interview_id?: string | undefined;
  profile_id?: string | undefined;
  profile_interview_id?: string | undefined;
  updated_since?: string | undefined;
  /** The place of a cursor, as JSON. */
  place?: string | null;
  /** An empty text means no filter. */
  filter_text?: string | undefined;
  limit: number;
  offset: number;
  /** The number up to which matches are counted. */
  counted: number;
};

/**
 * A candidate in a list. `interview_known`, `profile_known` and `enrolment_known` are false if the filter names an object
 * that the caller cannot see. For an empty page, the query returns one row whose id is null.
 */
type ListedCandidate = Omit<ShownCandidate, 'profile_interview_id'> & {
  total: number;
  has_more: boolean;
  place: unknown;
  interview_known: boolean;
  profile_known: boolean;
  enrolment_known: boolean;
  profile_interview_id: string | null;
};

type ShownCandidate = {
  profile_interview_id: string;
  profile_id: string;
  name: string | null;
  email: string;
  phone: string | null;
  external_id: string | null;
  interview_id: string;
  interview_name: string;
  position_id: string | null;
  status: (typeof candidateStatuses)[number];
  stage: (typeof stages)[number] | null;
  mail_status: MailStatus | null;
  invited_at: string | null;
  interview_result_id: string | null;
  created_at: string;
  updated_at: string;
};

/** SQL that selects what is shown of candidates `e`. */
const shown = `select e.id as profile_interview_id, e.profile_id, e.name, e.email, e.phone, e.external_id, e.interview_id,
        coalesce(s.name, i.name) as interview_name, e.position_id, e.status, g.stage, e.invited_at, e.created_at,
        e.updated_at,
        (
          select m.status from mail m where m.merchant_id = e.merchant_id and m.enrolment_id = e.id
          order by m.state = 'withdrawn', m.created_at desc limit 1
        ) as mail_status,
        (
          select r.id from interview_result r
          where r.merchant_id = e.merchant_id and r.enrolment_id = e.id and r.interview_id = e.interview_id
            and not r.is_test
        ) as interview_result_id
      from enrolment e
      join interview i on i.merchant_id = e.merchant_id and i.id = e.interview_id
      left join position s on s.merchant_id = e.merchant_id and s.id = e.position_id
      left join enrolment_stage g on g.merchant_id = e.merchant_id and g.enrolment_id = e.id and g.left_at is null`;

/** Reads candidates as lists show them. */
export const findCandidates = (ids: readonly string[]): Statement<ShownCandidate> => ({
  name: 'find_candidates',
  text: `${shown} where e.id = any ($1)`,
  values: [ids],
});

/**
 * Lists a page of candidates, newest first, and the number of matches, which stops at `counted`. `app.find_candidates`
 * finds them by index.
 */
export const listCandidates = ({
  limit,
  offset,
  counted,
  ...filter
}: CandidateFilter): Statement<ListedCandidate> => ({
  name: 'list_candidates',
  text: `
    with found as materialized (
      select id, created_at from app.find_candidates($1, $2, $3, $4, $5, $6, ($10::jsonb ->> 0)::timestamptz, ($10::jsonb ->> 1)::uuid, $11)
    ),
    page as materialized (select id from found order by created_at desc, id desc limit $7 offset $8)
    select facts.*, shown.*, jsonb_build_array(shown.created_at, shown.profile_interview_id) as place
    from (
      select least(count(*), $9)::int as total, count(*) > $7 + $8 as has_more,
        $2::uuid is null or exists (select from interview i where i.id = $2 and i.status <> 'deleted')
          or exists (select from position p where p.id = $2 and p.status <> 'deleted') as interview_known,
        $3::uuid is null or exists (select from profile p where p.id = $3) as profile_known,
        $4::uuid is null or exists (select from enrolment e where e.id = $4) as enrolment_known
      from found
    ) facts
    left join (
      ${shown}
      where e.id in (select id from page)
    ) shown on true
    order by shown.created_at desc, shown.profile_interview_id desc`,
  values: [
    filter.status ?? null,
    filter.interview_id ?? null,
    filter.profile_id ?? null,
    filter.profile_interview_id ?? null,
    filter.filter_text || null,
    Math.max(counted, offset + limit) + 1,
    limit,
    offset,
    counted,
    filter.place ?? null,
    filter.updated_since ?? null,
  ],
});

/** SQL that is true if the name, address or reference of the candidate `e` contains the text of the parameter. */
export const candidateContains = (text: string): string => `strpos(e.search_text, lower(${text})) > 0`;

/** SQL that selects the enrolments `e` of a person, whom the index of addresses finds. */
export const isEnrolmentOfPerson = (profileId: string): string =>
  `(e.profile_id = ${profileId} and e.email_key = (select p.email_key from profile p where p.id = ${profileId}))`;
