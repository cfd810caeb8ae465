import { sql } from '../platform/database';
import { isAfterCursor } from '../platform/page-place';
import type { Query, Statement } from '../platform/statement';
import type { archiveStatuses, interviewStatuses } from '../platform/vocabulary';

/** The columns of a knowledge base that a caller sets. */
export type KnowledgeBaseColumns = {
  name: string;
  text: string;
  is_for_candidates: boolean;
  status: (typeof archiveStatuses)[number];
};

/** What lists show of a knowledge base: everything but the text. */
type ListedKnowledgeBase = Omit<KnowledgeBaseColumns, 'text'> & {
  id: string;
  character_count: number;
  interview_count: number;
  created_at: string;
  updated_at: string;
};

const shown = 'k.id, k.name, k.is_for_candidates, k.status, k.created_at, k.updated_at';

/**
 * The interviews of the caller's environment that use the knowledge base `k`, themselves or in one of their questions.
 * Deleted interviews are left out.
 */
const uses = `
  select i.id, i.name, i.status from interview i
  where i.merchant_id = k.merchant_id and i.status <> 'deleted' and i.id in (
    select b.id from interview b where b.merchant_id = k.merchant_id and b.knowledge_base_store_id = k.id
    union
    select l.interview_id from question q
    join interview_question l on l.merchant_id = q.merchant_id and l.question_id = q.id
    where q.merchant_id = k.merchant_id and q.knowledge_base_id = k.id
  )`;

export const insertKnowledgeBase = (
  columns: Omit<KnowledgeBaseColumns, 'status'>,
): Statement<{ id: string }> => ({
  text: 'insert into knowledge_base (name, text, is_for_candidates) values ($1, $2, $3) returning id',
  values: [columns.name, columns.text, columns.is_for_candidates],
});

export const lockKnowledgeBase = (id: string): Statement<KnowledgeBaseColumns & { id: string }> => ({
  text: `select k.id, k.name, k.text, k.is_for_candidates, k.status from knowledge_base k
    where k.merchant_id = app.merchant_id() and k.id = $1 for update`,
  values: [id],
});

export const updateKnowledgeBase = (id: string, columns: Partial<KnowledgeBaseColumns>): Query =>
  sql('knowledge_base')
    .where({ id })
    .update({ ...columns, updated_at: sql.fn.now() });

/** Reads a knowledge base with its text, and the first interviews that use it, up to `maxInterviews`, by name. */
export const findKnowledgeBase = (
  id: string,
  maxInterviews: number,
): Statement<
  Omit<ListedKnowledgeBase, 'character_count'> & {
    text: string;
    interviews: { interview_id: string; name: string; status: (typeof interviewStatuses)[number] }[];
  }
> => ({
  text: `
    select ${shown}, k.text, used.interview_count, used.interviews
    from knowledge_base k cross join lateral (
      select count(*)::int as interview_count, coalesce(jsonb_agg(
          jsonb_build_object('interview_id', u.id, 'name', u.name, 'status', u.status) order by u.place
        ) filter (where u.place <= $2), '[]') as interviews
      from (select u.*, row_number() over (order by lower(u.name), u.id) as place from (${uses}) u) u
    ) used
    where k.merchant_id = app.merchant_id() and k.id = $1`,
  values: [id, maxInterviews],
});

/**
 * Lists a page of knowledge bases and the total, latest first. For an empty page, the query returns one row whose id is
 * null. Texts are not read.
 */
export const listKnowledgeBases = (filter: {
  status?: string | undefined;
  filter_text?: string | undefined;
  updated_since?: string | undefined;
  /** The place of a cursor, as JSON. */
  place?: string | null;
  limit: number;
  offset: number;
}): Statement<Omit<ListedKnowledgeBase, 'id'> & { id: string | null; total: number; place: unknown }> => ({
  text: `
    with matching as (
      select k.merchant_id, k.character_count, ${shown} from knowledge_base k
      where k.merchant_id = app.merchant_id() and ($1::text is null or k.status = $1)
        and ($2::text is null or strpos(lower(k.name), lower($2)) > 0)
        and ($6::timestamptz is null or k.updated_at >= $6)
        and ${isAfterCursor('$5', { 'k.created_at': 'timestamptz', 'k.id': 'uuid' })}
    )
    select count.total, page.*, jsonb_build_array(page.created_at, page.id) as place
    from (select count(*)::int as total from matching) count
    left join (
      select ${shown}, k.character_count, (select count(*)::int from (${uses}) u) as interview_count
      from (select * from matching order by created_at desc, id desc limit $3 offset $4) k
    ) page on true
    order by page.created_at desc, page.id desc`,
  values: [
    filter.status ?? null,
    filter.filter_text || null,
    filter.limit,
    filter.offset,
    filter.place ?? null,
    filter.updated_since ?? null,
  ],
});

/** Returns which of these ids belong to knowledge bases of the merchant, and their states. */
export const checkKnowledgeBases = (
  ids: string[],
): Statement<{ id: string; status: KnowledgeBaseColumns['status'] }> => ({
  text: 'select id, status from knowledge_base where id = any ($1)',
  values: [ids],
});
