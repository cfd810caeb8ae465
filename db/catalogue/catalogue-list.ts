import { sql } from '../platform/database';
import type { Query, Statement } from '../platform/statement';
import { catalogueUrl } from './catalogue';
import type { DirectoryRow, MatchedSession, SubDirectory } from './directory-row';

/**
 * `is_known` is false when the filter names a parent directory that the caller cannot see. For an empty page, the
 * query returns one row whose id is null.
 */
type ListedDirectory = Omit<DirectoryRow, 'id'> & {
  id: string | null;
  is_known: boolean;
  total: number;
  place: unknown;
};

type DirectoryFilter = {
  status?: string | undefined;
  visibility?: string | undefined;
  platform_language_code?: string | undefined;
  /** An empty text means no filter. */
  filter_text?: string | undefined;
  parent_tag?: string | undefined;
  include_public: boolean;
  /** The place of a cursor, as JSON: the id of the last directory and, with a parent, its position there. */
  place: string | null;
  limit: number;
  offset: number;
};

/**
 * A list ends with the first entry that makes it reach this size, so it has at least one entry. The size is enough
 * for 1,000 directories with short texts. A page of 1 MiB with 130,000 short ids in `tags_sub` blocked the event loop
 * for 100 ms.
 */
export const maxListBytes = 640 * 1024;

/** The columns that are returned for a directory `d`. */
const shown: Record<keyof DirectoryRow, string> = {
  id: 'd.id',
  has_content_page: 'd.content_md is not null',
  is_start_directory: `coalesce(
    d.id = (select m.start_directory from merchant m where m.id = (select app.merchant_id())), false)`,
  name: 'd.name',
  description: 'd.description',
  platform_language_code: 'd.platform_language_code',
  visibility: 'd.visibility',
  status: 'd.status',
  coach_plan: 'd.coach_plan',
  cover_image_url: 'd.cover_image_url',
  merchant_id: 'd.merchant_id',
  tags_sub: 'd.tags_sub',
  tags_interview_set_filter: 'd.tags_interview_set_filter',
  created_at: 'd.created_at',
  updated_at: 'd.updated_at',
};
const shownColumns = Object.entries(shown)
  .map(([name, expression]) => `${expression} as ${name}`)
  .join(', ');
const pageColumns = Object.keys(shown)
  .map((name) => `page.${name}`)
  .join(', ');

/** The subselect makes Postgres evaluate `app.merchant_id()` once per statement instead of once per row. */
const own = 'd.merchant_id = (select app.merchant_id())';
const platformWide = 'd.merchant_id is null';

/**
 * Lists a page of the catalogue and the total. The merchant's directories and the platform-wide ones are separate
 * queries, so that each reads the unique index in order. That index also contains the filtered columns, so finding
 * the ids and the total reads no table rows.
 *
 * Rows are then read only for the page and only up to the byte limit, because Postgres stores long lists separately
 * and reads them slowly. The statement has no name and is not prepared, because its text depends on the filters that
 * were requested.
 */
export function listDirectories(filter: DirectoryFilter): Query<ListedDirectory> {
  const conditions = (['status', 'visibility', 'platform_language_code'] as const).flatMap((column) =>
    filter[column] === undefined ? [] : [`d.${column} = :${column}`],
  );
  const hasParent = filter.parent_tag !== undefined;
  if (filter.filter_text) {
    const found = (column: string) => `strpos(lower(d.${column}), lower(:filter_text)) > 0`;
    conditions.push(`(${found('id')} or ${found('name')} or ${found('description')})`);
  }
  // A parent's directories can be sorted between two pages. The entries after one that was removed have moved up.
  const after = (condition: string) => (filter.place === null ? '' : ` and ${condition}`);
  const halves = [own, ...(filter.include_public ? [platformWide] : [])].map((owner) => {
    const which = [owner, ...conditions].join(' and ');
    // `offset 0` makes the planner look up each child by id instead of scanning the index.
    return !hasParent
      ? `select d.row_id, d.id as place from catalogue_directory d where ${which}${after('d.id > :place::jsonb ->> 0')}`
      : `select d.row_id, tag.place from catalogue_directory p
           cross join unnest(p.tags_sub) with ordinality as tag (id, place)
           cross join lateral (
             select d.row_id from catalogue_directory d where d.id = tag.id and ${which} offset 0
           ) d
           where p.id = :parent_tag${after(`tag.place >
             coalesce(array_position(p.tags_sub, :place::jsonb ->> 0), (:place::jsonb ->> 1)::int - 1)`)}`;
  });
  const isRanked = hasParent || Boolean(filter.filter_text);
  const matching = isRanked
    ? 'select * from matching'
    : halves.map((half) => `(${half} order by d.id limit :limit::int + :offset::int)`).join(' union all ');
  return sql.raw(
    `
      with matching as ${isRanked ? '' : 'not'} materialized (${halves.join(' union all ')})
      select asked.total, asked.is_known, ${pageColumns}, jsonb_build_array(page.id, page.place) as place from (
        select (select count(*) from matching)::int as total, ${
          hasParent ? 'exists (select from catalogue_directory p where p.id = :parent_tag)' : 'true'
        } as is_known
      ) asked
      left join (
        select * from (
          select d.*, m.place, sum(d.listed_bytes) over (order by m.place rows unbounded preceding) as through
          from (select * from (${matching}) m order by place limit :limit offset :offset) m
          cross join lateral (
            select ${shownColumns}, d.listed_bytes from catalogue_directory d where d.row_id = m.row_id offset 0
          ) d
        ) d where d.through - d.listed_bytes < ${maxListBytes}
      ) page on true
      order by page.place`,
    Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== null)),
  );
}

export type DirectoryWithContents = DirectoryRow & {
  content_md: string | null;
  catalogue_url: string | null;
  sub_directories: SubDirectory[];
  sub_directories_truncated: boolean;
  /** The matching sessions, at most the requested number plus one. The additional session shows that there are more. */
  matched_sessions: MatchedSession[];
  matched_sessions_truncated: boolean;
};

/**
 * Returns SQL that aggregates the entries (columns `place` and `entry`) up to the byte limit and reports whether some
 * entries were left out.
 */
const cutByBytes = (name: string, entries: string) => `
  select coalesce(json_agg(entry order by place) filter (where before < ${maxListBytes}), '[]') as ${name},
    coalesce(bool_or(before >= ${maxListBytes}), false) as ${name}_truncated
  from (
    select place, entry, sum(bytes) over (order by place rows unbounded preceding) - bytes as before
    from (select place, entry, octet_length(entry::text) as bytes from (${entries}) entries) sized
  ) measured`;

/**
 * Reads one directory with its subdirectories and sessions. The query repeats the predicate of the partial index on
 * sessions, so that Postgres reads sessions in the order of that index and stops after `maxSessions` matches.
 */
export const readDirectory = (id: string, maxSessions: number): Statement<DirectoryWithContents> => ({
  name: 'read_directory',
  text: `
    select ${shownColumns}, d.content_md, ${catalogueUrl('d.id')} as catalogue_url, nested.*, matched.*
    from catalogue_directory d
    cross join lateral (${cutByBytes(
      'sub_directories',
      `select tag.place, json_build_object('id', s.id, 'name', s.name, 'description', s.description,
         'status', s.status, 'visibility', s.visibility, 'platform_language_code', s.platform_language_code) as entry
       from unnest(d.tags_sub) with ordinality as tag (id, place) join catalogue_directory s on s.id = tag.id`,
    )}) nested
    cross join lateral (${cutByBytes(
      'matched_sessions',
      `select row_number() over (order by i.name, i.id) as place, json_build_object('id', i.id, 'name', i.name,
         'type', i.type, 'status', i.status, 'visibility', i.visibility, 'tags', i.tags) as entry
       from (
         select i.id, i.name, i.type, i.status, i.visibility, i.tags from interview i
         where i.merchant_id = app.merchant_id() and i.environment = app.environment()
           and i.status = 'active' and i.type in ('coaching', 'persona')
           and i.visibility in ('public', 'merchant_public') and i.built_at is not null
           and cardinality(d.tags_interview_set_filter) > 0 and i.tags @> d.tags_interview_set_filter
         order by i.name, i.id limit $2 + 1
       ) i`,
    )}) matched
    where d.id = $1`,
  values: [id, maxSessions],
});
