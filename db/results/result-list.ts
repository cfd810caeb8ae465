import { candidateContains, isEnrolmentOfPerson } from '../people/public';
import { isAfterCursor } from '../platform/page-place';
import type { Statement } from '../platform/statement';
import type { interviewTypes } from '../platform/vocabulary';
import type { coachStatuses, processingStatuses, resultStatuses } from './vocabulary';

export type ResultFilter = {
  tab?: keyof typeof tabs | undefined;
  order_by: keyof typeof orders;
  interview_id?: string | undefined;
  type?: string | undefined;
  profile_id?: string | undefined;
  /** An empty text means no filter. */
  filter_text?: string | undefined;
  updated_since?: string | undefined;
  /** The place of a cursor, as JSON. */
  place?: string | null;
  limit: number;
  offset: number;
};

const tabs = {
  completed: `r.status = 'active'`,
  incomplete: `r.status = 'draft'`,
  undecided: `r.status = 'active' and r.processing_status = 'completed'
    and r.interview_status in ('completed', 'completed, stopped early') and r.recruiter_go_next_round is null`,
  shortlist: 'r.recruiter_shortlist',
  selected: 'r.recruiter_go_next_round',
  rejected: 'not r.recruiter_go_next_round',
};

const orders = {
  created_at_newest: 'created_at desc, id desc',
  created_at_oldest: 'created_at, id',
  updated_at_newest: 'updated_at desc, id desc',
  score: 'share desc nulls last, created_at desc, id desc',
};
/** By which values each order is, to find what comes after the place of a cursor. */
const places = {
  created_at_newest: isAfterCursor('$7', { 'r.created_at': 'timestamptz', 'r.id': 'uuid' }),
  created_at_oldest: isAfterCursor('$7', { 'r.created_at': 'timestamptz', 'r.id': 'uuid' }, 'asc'),
  updated_at_newest: isAfterCursor('$7', { 'r.updated_at': 'timestamptz', 'r.id': 'uuid' }),
  score: isAfterCursor('$7', {
    'coalesce(s.score, -1)': 'numeric',
    'r.created_at': 'timestamptz',
    'r.id': 'uuid',
  }),
};
const placeOf = {
  created_at_newest: 'page.created_at, page.id',
  created_at_oldest: 'page.created_at, page.id',
  updated_at_newest: 'page.updated_at, page.id',
  // As text, because JSON numbers are floating-point numbers for callers.
  score: 'coalesce(page.share, -1)::text, page.created_at, page.id',
};
/**
 * The score of the current attempt as reports have it: scaled to 0–10 by the highest score that the attempt could get.
 */
const shares =
  'left join report_attempt s on s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt';

/** The candidate of a result. */
type ResultCandidate = {
  profile_interview_id: string;
  profile_id: string;
  name: string | null;
  email: string;
  external_id: string | null;
  phone: string | null;
};

/**
 * A result in a list. `is_known` is false if the filter has an interview id and the caller has no interview with this
 * id, and `profile_known` if this is so for the person. For an empty page, the query returns one row whose id is null.
 */
type ListedResult = {
  total: number;
  place: unknown;
  is_known: boolean;
  profile_known: boolean;
  interview_result_id: string | null;
  interview_id: string;
  interview_name: string;
  type: (typeof interviewTypes)[number];
  position_id: string | null;
  status: (typeof resultStatuses)[number];
  interview_status: (typeof coachStatuses)[number] | null;
  processing_status: (typeof processingStatuses)[number] | null;
  attempt: number;
  is_test: boolean;
  is_successful: boolean | null;
  candidate: ResultCandidate | null;
  score: number | null;
  max_score: number;
  ai_analysis_recruiter_score: number | null;
  recruiter_go_next_round: boolean | null;
  recruiter_shortlist: boolean;
  submitted_at: string | null;
  scored_at: string | null;
  decided_at: string | null;
  created_at: string;
  updated_at: string;
  revision: number;
};

/**
 * Lists a page of the results and the total. The total comes from scanning one index that contains all columns for
 * tabs and orders but the score (20 ms for 100,000 results). If 100,000 results are sorted by score, the last page
 * takes 0.9 s on a busy machine, mostly for finding their scores and for sorting.
 *
 * Table rows are read only for the page. If the filter has a text, matching candidates are read once for both total
 * and page. The statement has no name, so Postgres plans each call for the given values and leaves out filters that
 * are null.
 *
 * Visits of public avatars are listed only if the filter names their interview or type.
 */
export const listResults = ({
  tab,
  order_by,
  interview_id,
  type,
  profile_id,
  filter_text,
  updated_since,
  place = null,
  limit,
  offset,
}: ResultFilter): Statement<ListedResult> => ({
  text: `
    with matching as ${filter_text ? '' : 'not'} materialized (
      select r.id, r.created_at, r.updated_at${order_by === 'score' ? ', s.score as share' : ''}
      from interview_result r left join enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
      ${order_by === 'score' ? shares : ''}
      where ${tab ? tabs[tab] : 'true'} ${interview_id || type === 'public_avatar' ? '' : 'and not r.is_visit'}
        and ($1::uuid is null or r.interview_id = $1
          or r.enrolment_id in (select c.id from enrolment c where c.scope_id = $1 and c.position_id = $1))
        and ($2::text is null or r.interview_id in (select i.id from interview i where i.type = $2))
        and ($3::text is null or ${candidateContains('$3')})
        and ($6::uuid is null or r.enrolment_id = any (array(select e.id from enrolment e where ${isEnrolmentOfPerson('$6')})))
        and ($8::timestamptz is null or r.updated_at >= $8)
        and ${places[order_by]}
    ), page as (
      select * from matching order by ${orders[order_by]} limit $4 offset $5
    )
    select asked.total, jsonb_build_array(${placeOf[order_by]}) as place, asked.is_known, asked.profile_known, r.id as interview_result_id, r.interview_id, i.name as interview_name, i.type,
      e.position_id, r.status, r.interview_status, r.processing_status, r.attempt, r.is_test, r.is_successful,
      case when e.id is not null then jsonb_build_object(
        'profile_interview_id', e.id, 'profile_id', e.profile_id, 'name', e.name, 'email', e.email,
        'external_id', e.external_id, 'phone', e.phone
      ) end as candidate,
      r.score, app.max_score_of(r.merchant_id, r.id, r.attempt)::float8 as max_score, r.ai_analysis_recruiter_score, r.recruiter_go_next_round, r.recruiter_shortlist, r.submitted_at,
      (
        select s.ended_at from score_record s
        where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.state = 'scored'
        order by s.run desc limit 1
      ) as scored_at, r.decided_at,
      r.created_at, r.updated_at, r.revision
    from (
      select (select count(*) from matching)::int as total, $1::uuid is null
        or exists (select from interview i where i.id = $1 and i.status <> 'deleted')
        or exists (select from position p where p.id = $1 and p.status <> 'deleted') as is_known,
        $6::uuid is null or exists (select from profile p where p.id = $6) as profile_known
    ) asked
    left join (
      page join interview_result r using (id)
      join interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
      left join enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
    ) on true
    order by ${orders[order_by].replaceAll(/\b(id|created_at|updated_at|share)\b/g, 'page.$1')}`,
  values: [
    interview_id ?? null,
    type ?? null,
    filter_text || null,
    limit,
    offset,
    profile_id ?? null,
    place,
    updated_since ?? null,
  ],
});
