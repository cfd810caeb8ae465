import type { CatalogueDirectory, MatchedSession, SubDirectory } from '../api/contracts/directory-fields';
import { catalogueUrl } from './catalogue';
import type { Statement } from './scope';

/** `is_known` false: there is no such parent that the caller sees. A page without rows is one row whose id is null. */
export type ListedDirectory = Omit<CatalogueDirectory, 'id'> & {
  id: string | null;
  is_known: boolean;
  total: number;
};

export type DirectoryFilter = {
  status?: string | undefined;
  visibility?: string | undefined;
  platform_language_code?: string | undefined;
  /** Empty: not asked for. */
  filter_text?: string | undefined;
  parent_tag?: string | undefined;
  include_public: boolean;
  limit: number;
  offset: number;
};

const shown = `d.id, d.content_md is not null as has_content_page, d.name, d.description, d.platform_language_code,
  d.visibility, d.status, d.coach_plan, d.cover_image_url, d.merchant_id, d.tags_sub, d.tags_interview_set_filter,
  d.created_at, d.updated_at,
  coalesce(d.id = (select m.start_directory from merchant m where m.id = app.merchant_id()), false) as is_start_directory`;

/**
 * A page of the catalogue and how many there are. A merchant's and the platform-wide ones are named apart, so that each is
 * read in the order of the unique index: a page looks at its own rows only. Not prepared by name: what is not asked for is
 * not in it.
 */
export function listDirectories(filter: DirectoryFilter): Statement {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = (['status', 'visibility', 'platform_language_code'] as const).flatMap((column) =>
    filter[column] === undefined ? [] : [`d.${column} = ${bind(filter[column])}`],
  );
  if (filter.filter_text) {
    const text = `lower(${bind(filter.filter_text)})`;
    conditions.push(
      `(${['id', 'name', 'description'].map((column) => `strpos(lower(d.${column}), ${text}) > 0`).join(' or ')})`,
    );
  }
  const parent = filter.parent_tag === undefined ? undefined : bind(filter.parent_tag);
  const source = (columns: string, owner: string) =>
    parent === undefined
      ? `select ${columns}, d.id as place from catalogue_directory d where ${[owner, ...conditions].join(' and ')}`
      : `select ${columns}, tag.place from catalogue_directory p
           cross join unnest(p.tags_sub) with ordinality as tag (id, place)
           join catalogue_directory d on d.id = tag.id and ${owner} where ${[`p.id = ${parent}`, ...conditions].join(' and ')}`;
  const matching = (columns: string) =>
    [
      source(columns, 'd.merchant_id = app.merchant_id()'),
      ...(filter.include_public ? [source(columns, 'd.merchant_id is null')] : []),
    ].join(' union all ');
  return {
    text: `
      select asked.total, asked.is_known, page.* from (
        select (select count(*)::int from (${matching('d.row_id')}) matching) as total,
          ${parent === undefined ? 'true' : `exists (select from catalogue_directory p where p.id = ${parent})`} as is_known
      ) asked
      left join (
        select * from (${matching(shown)}) d order by place limit ${bind(filter.limit)} offset ${bind(filter.offset)}
      ) page on true
      order by page.place`,
    values,
  };
}

export type ReadDirectory = CatalogueDirectory & {
  content_md: string | null;
  catalogue_url: string | null;
  sub_directories: SubDirectory[];
  /** One more than asked for where there are more. */
  matched_sessions: MatchedSession[];
};

/**
 * One directory with what it nests and lists. Sessions are read in the order of their partial index, whose predicate is
 * repeated here, and no further than `maxSessions` that match.
 */
export const readDirectory = (id: string, maxSessions: number): Statement => ({
  name: 'read_directory',
  text: `
    select ${shown}, d.content_md, ${catalogueUrl('d.id')} as catalogue_url,
      array(
        select jsonb_build_object('id', s.id, 'name', s.name, 'description', s.description, 'status', s.status,
          'visibility', s.visibility, 'platform_language_code', s.platform_language_code)
        from unnest(d.tags_sub) with ordinality as tag (id, place) join catalogue_directory s on s.id = tag.id
        order by tag.place
      ) as sub_directories,
      array(
        select jsonb_build_object('id', i.id, 'name', i.name, 'type', i.type, 'status', i.status,
          'visibility', i.visibility, 'tags', i.tags)
        from interview i
        where i.merchant_id = app.merchant_id() and i.environment = app.environment()
          and i.status = 'active' and i.type in ('coaching', 'persona')
          and i.visibility in ('public', 'merchant_public') and i.built_at is not null
          and cardinality(d.tags_interview_set_filter) > 0 and i.tags @> d.tags_interview_set_filter
        order by i.name, i.id limit $2 + 1
      ) as matched_sessions
    from catalogue_directory d where d.id = $1`,
  values: [id, maxSessions],
});
