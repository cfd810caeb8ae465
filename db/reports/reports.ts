import { isAfterCursor } from '../platform/page-place';
import type { Statement } from '../platform/statement';

/** The settings of the caller's merchant that reports depend on. */
type ReportSettings = { reports_enabled: boolean; time_zone: string | null; is_unlimited: boolean };

/** SQL that is true if the plan of the caller's account charges nothing. */
export const isPlanUnlimited = `exists (select from credit_account a where a.plan = 'Special')`;

export const findReportSettings: Statement<ReportSettings> = {
  name: 'find_report_settings',
  text: `select reports_enabled, time_zone, ${isPlanUnlimited} as is_unlimited from merchant where id = app.merchant_id()`,
};

export type StoredReport = {
  id: string;
  title: string;
  version: number;
  published_version: number;
  draft_version: number | null;
  is_shared: boolean;
  is_archived: boolean;
  can_edit: boolean;
  definition: unknown;
  /** The definition of the draft. Null if there is no draft or the caller cannot edit the report. */
  draft: unknown;
  created_at: string;
  updated_at: string;
};

/** Finds a report that the caller may see, with its definitions. */
export const findReport = (id: string): Statement<StoredReport> => ({
  name: 'find_report',
  text: `
    select r.id, r.title, r.version, r.published_version, r.draft_version, r.is_shared, r.archived_at is not null as is_archived,
      app.may_edit_report(r.creator_id) as can_edit, p.definition, d.definition as draft, r.created_at, r.updated_at
    from report r
    join report_version p on p.merchant_id = r.merchant_id and p.report_id = r.id and p.version = r.published_version
    left join report_version d on d.merchant_id = r.merchant_id and d.report_id = r.id and d.version = r.draft_version
    where r.merchant_id = app.merchant_id() and r.id = $1`,
  values: [id],
});

/** Locks a report that the caller may edit, until the transaction ends. */
export const lockReport = (
  id: string,
): Statement<{ id: string; version: number; is_shared: boolean; is_archived: boolean }> => ({
  name: 'lock_report',
  text: `
    select id, version, is_shared, archived_at is not null as is_archived from report
    where merchant_id = app.merchant_id() and id = $1 and app.may_edit_report(creator_id) for update`,
  values: [id],
});

/**
 * Counts the reports of the caller's merchant that are not archived. Other calls that create a report wait until the
 * transaction ends.
 */
export const countReports: Statement<{ count: number }> = {
  name: 'count_reports',
  text: `
    select (select count(*)::int from report where merchant_id = app.merchant_id() and archived_at is null) as count
    from (select pg_advisory_xact_lock(hashtextextended('reports ' || app.merchant_id(), 0))) locked`,
};

/** Creates a private report. The caller then adds its first version with `insertReportVersion`. */
export const insertReport = (title: string): Statement<{ id: string }> => ({
  name: 'insert_report',
  text: 'insert into report (title) values ($1) returning id',
  values: [title],
});

export const insertReportVersion = (id: string, version: number, definition: unknown): Statement => ({
  name: 'insert_report_version',
  text: 'insert into report_version (report_id, version, definition) values ($1, $2, $3)',
  values: [id, version, JSON.stringify(definition)],
});

/** Makes a version the report's draft, or publishes the version and removes the draft. */
export const setReportVersion = (
  id: string,
  version: number,
  target: 'published' | 'draft',
  title: string,
): Statement => ({
  name: 'set_report_version',
  text: `
    update report set version = $2,
      published_version = case when $4::boolean then $2 else published_version end,
      draft_version = case when not $4::boolean then $2 end,
      title = case when $4::boolean then $3 else title end
    where merchant_id = app.merchant_id() and id = $1`,
  values: [id, version, title, target === 'published'],
});

export const setReportShared = (id: string, isShared: boolean): Statement => ({
  name: 'set_report_shared',
  text: 'update report set is_shared = $2 where merchant_id = app.merchant_id() and id = $1',
  values: [id, isShared],
});

export const archiveReport = (id: string): Statement => ({
  name: 'archive_report',
  text: 'update report set archived_at = now() where merchant_id = app.merchant_id() and id = $1',
  values: [id],
});

export type ReportVersion = { version: number; created_at: string; created_by_name: string | null };

/** Lists the newest 50 versions of a report that the caller may edit, newest first. */
export const listReportVersions = (id: string): Statement<ReportVersion> => ({
  name: 'list_report_versions',
  text: `
    select v.version, v.created_at, p.name as created_by_name
    from report_version v left join profile p on p.id = v.created_by and p.merchant_id = v.merchant_id
    where v.merchant_id = app.merchant_id() and v.report_id = $1 order by v.version desc limit 50`,
  values: [id],
});

/** Finds the definition of one version of a report. Only those who can edit the report see versions that are not published. */
export const findReportVersion = (id: string, version: number): Statement<{ definition: unknown }> => ({
  name: 'find_report_version',
  text: `
    select definition from report_version
    where merchant_id = app.merchant_id() and report_id = $1 and version = $2`,
  values: [id, version],
});

/** Returns the filters that the caller saved for a report or template. */
export const findSavedFilters = (id: string): Statement<{ filters: unknown }> => ({
  name: 'find_saved_filters',
  text: `
    select filters from report_filters
    where merchant_id = app.merchant_id() and profile_id = app.profile_id() and report_id = $1`,
  values: [id],
});

export const saveFilters = (id: string, filters: unknown): Statement => ({
  name: 'save_report_filters',
  text: `
    insert into report_filters (report_id, filters) values ($1, $2)
    on conflict (merchant_id, report_id, profile_id) do update set filters = excluded.filters, updated_at = now()`,
  values: [id, JSON.stringify(filters)],
});

export const deleteFilters = (id: string): Statement => ({
  name: 'delete_report_filters',
  text: `
    delete from report_filters
    where merchant_id = app.merchant_id() and profile_id = app.profile_id() and report_id = $1`,
  values: [id],
});

/** A report in a list. For an empty page, the query returns one row whose id is null. */
export type ListedReport = {
  place: unknown;
  id: string | null;
  title: string;
  version: number;
  is_shared: boolean;
  has_draft: boolean;
  can_edit: boolean;
  creator_name: string | null;
  updated_at: string;
  total: number;
};

/**
 * Lists reports that are not archived, latest change first. `mine` selects the caller's reports, `shared` those that
 * others share.
 */
export const listReports = (
  scope: 'all' | 'mine' | 'shared',
  filterText: string,
  limit: number,
  offset: number,
  place: string | null,
): Statement<ListedReport> => ({
  name: 'list_reports',
  text: `
    with found as materialized (
      select * from report
      where merchant_id = app.merchant_id() and archived_at is null
        and ($1 <> 'mine' or creator_id is not distinct from app.profile_id())
        and ($1 <> 'shared' or (is_shared and creator_id is distinct from app.profile_id()))
        and strpos(lower(title), lower($2)) > 0
        and ${isAfterCursor('$5', { updated_at: 'timestamptz', id: 'uuid' })}
    )
    select counted.total, page.*, jsonb_build_array(page.updated_at, page.id) as place
    from (select count(*)::int as total from found) counted
    left join (
      select r.id, r.title, r.version, r.is_shared, r.draft_version is not null and e.can_edit as has_draft,
        e.can_edit, p.name as creator_name, r.updated_at
      from found r cross join lateral (select app.may_edit_report(r.creator_id) as can_edit) e
      left join profile p on p.id = r.creator_id and p.merchant_id = r.merchant_id
      order by r.updated_at desc, r.id desc limit $3 offset $4
    ) page on true
    order by page.updated_at desc, page.id desc`,
  values: [scope, filterText, limit, offset, place],
});

type ReportLayout = { id: string; blocks: { type: unknown; width: unknown }[] };

/** Returns the type and width of each block of reports that the caller may see. */
export const listReportLayouts = (ids: readonly string[]): Statement<ReportLayout> => ({
  name: 'list_report_layouts',
  text: `
    select r.id, (
      select coalesce(jsonb_agg(jsonb_build_object('type', b.block -> 'type', 'width', b.block -> 'width') order by b.place), '[]')
      from jsonb_path_query(v.definition, '$.blocks[*]') with ordinality as b (block, place)
    ) as blocks
    from report r
    join report_version v on v.merchant_id = r.merchant_id and v.report_id = r.id and v.version = r.published_version
    where r.merchant_id = app.merchant_id() and r.id = any ($1)`,
  values: [ids],
});
