import type { Statement } from '../platform/statement';
import type {
  Environment,
  interviewStatuses,
  interviewTypes,
  LanguageCode,
  templateTypes,
  visibilities,
} from '../platform/vocabulary';
import { positionOfInterview } from './positions';

export type InterviewFilter = {
  status?: string | undefined;
  type?: string | undefined;
  is_multistage?: boolean | undefined;
  tag?: string | undefined;
  position_id?: string | undefined;
  /** An empty text means no filter. */
  filter_text?: string | undefined;
  updated_since?: string | undefined;
  /** The place of a cursor, as JSON. */
  place?: string | null;
  limit: number;
  offset: number;
  /** The number up to which matches are counted. */
  counted: number;
};

/**
 * An interview or position in a list. `is_known` is false if the filter has a position id and the caller has no position
 * with this id. For an empty page, the query returns one row whose id is null.
 */
type ListedInterview = {
  total: number;
  has_more: boolean;
  place: unknown;
  is_known: boolean;
  id: string;
  name: string;
  is_multistage: boolean;
  position_id: string | null;
  type: (typeof interviewTypes)[number] | null;
  status: (typeof interviewStatuses)[number];
  visibility: (typeof visibilities)[number];
  environment: Environment;
  code: string | null;
  tags: string[] | null;
  interview_template_type: (typeof templateTypes)[number] | null;
  platform_language_code: LanguageCode;
  question_count: number | null;
  result_count: number;
  created_at: string;
  updated_at: string;
};

/**
 * Lists a page of interviews and positions, newest first, and the number of matches, which stops at `counted`.
 * `app.find_interviews` finds them by index.
 */
export const listInterviews = ({
  limit,
  offset,
  counted,
  ...filter
}: InterviewFilter): Statement<ListedInterview> => ({
  name: 'list_interviews',
  text: `
    with found as materialized (
      select id, is_multistage, created_at from app.find_interviews($1, $2, $3, $4, $5, $6, $7, ($11::jsonb ->> 0)::timestamptz, ($11::jsonb ->> 1)::uuid, $12)
    ),
    page as materialized (select * from found order by created_at desc, id desc limit $8 offset $9),
    counts as (
      select scope_id as id, sum(value)::int as results from (
        select scope_id, value from account_count
        where folded and metric in ('results', 'step_results') and scope_id in (select id from page)
        union all
        select scope_id, value from account_count
        where not folded and metric in ('results', 'step_results') and scope_id in (select id from page)
        union all
        select scope_id, value from app.count_positions() where metric in ('results', 'step_results')
      ) counted group by 1
    )
    select facts.*, shown.*, jsonb_build_array(shown.created_at, shown.id) as place, coalesce(counts.results, 0) as result_count
    from (
      select least(count(*), $10)::int as total, count(*) > $8 + $9 as has_more,
        $5::uuid is null or exists (select from position p where p.id = $5 and p.status <> 'deleted') as is_known
      from found
    ) facts
    left join (
      select i.id, i.name, false as is_multistage, ${positionOfInterview} as position_id, i.type, i.status, i.visibility,
        i.environment, i.code, i.tags, t.type as interview_template_type, i.platform_language_code, (
          select count(*)::int from interview_question l join question q on q.id = l.question_id
          where l.interview_id = i.id and q.view = 'question'
        ) as question_count, i.created_at, i.updated_at
      from interview i join interview_template t on t.id = i.interview_template_id
      where i.id in (select id from page where not is_multistage)
      union all
      select p.id, p.name, true, null, null, p.status, p.visibility, p.environment, p.code, null, null,
        p.platform_language_code, null, p.created_at, p.updated_at
      from position p where p.id in (select id from page where is_multistage)
    ) shown on true
    left join counts on counts.id = shown.id
    order by shown.created_at desc, shown.id desc`,
  values: [
    filter.status ?? null,
    filter.type ?? null,
    filter.is_multistage ?? null,
    filter.tag ?? null,
    filter.position_id ?? null,
    filter.filter_text || null,
    Math.max(counted, offset + limit) + 1,
    limit,
    offset,
    counted,
    filter.place ?? null,
    filter.updated_since ?? null,
  ],
});
