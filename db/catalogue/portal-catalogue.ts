import type { Statement } from '../platform/statement';
import type { LanguageCode } from '../platform/vocabulary';
import { coachPlans } from '../platform/vocabulary';
import type { Practice } from './practice';

/*
 * The catalogue as visitors of a portal see it. Row-level security (sql/access.sql) limits all queries to the
 * portal's merchant and to the rows that the visitor may see. The queries in this file show an unlisted directory
 * only on its own page, and an unlisted session only on its page and its cards.
 */

/** SQL that is true for the sessions `i` that lists show. It is the predicate of an index. */
const isListed = `i.visibility in ('public', 'merchant_public')`;

/** The facts about the merchant and the visitor that every page of a portal shows. */
export type PortalFacts = {
  merchant_id: string;
  merchant_name: string;
  start_directory: string | null;
  accent_color: string | null;
  /** The path of the merchant's logo in the object store. */
  logo_path: string | null;
  is_learner: boolean;
  /** True if the portal lists open jobs. */
  has_jobs: boolean;
  /** True if the portal lists the public sessions of all merchants, and there are any. */
  has_sessions: boolean;
};
export const portalFacts = `m.id as merchant_id, m.name as merchant_name, m.start_directory, m.accent_color, m.logo_path,
      app.profile_id() is not null as is_learner, app.has_jobs() as has_jobs,
      app.has_public_sessions() as has_sessions`;

/** Returns the portal that the visitor opened, or no row when the host name belongs to no merchant. */
export const findPortal: Statement<PortalFacts> = {
  name: 'find_portal',
  text: `select ${portalFacts} from merchant m`,
};

/** The portal domains of all merchants. Any caller may read them. */
export const listPortalDomains: Statement<{ domain: string }> = {
  name: 'list_portal_domains',
  text: 'select app.list_portal_domains() as domain',
};

export type PortalDirectory = PortalFacts & {
  row_id: string;
  id: string;
  name: string;
  description: string | null;
  platform_language_code: LanguageCode;
  cover_image_url: string | null;
  tags_sub: string[];
  tags_interview_set_filter: string[];
  /** True if the directory has a content page, which is shown instead of the grid. */
  has_content: boolean;
  /** A text that changes whenever the directory changes. */
  version: string;
};

/** Returns the directory if this visitor may open it. */
export const findDirectoryForVisitor = (id: string): Statement<PortalDirectory> => ({
  name: 'find_portal_directory',
  text: `
    select ${portalFacts}, d.row_id, d.id, d.name, d.description, d.platform_language_code, d.cover_image_url, d.tags_sub,
      d.tags_interview_set_filter, d.content_md is not null as has_content, d.updated_at::text as version
    from merchant m join catalogue_directory d on d.id = $1`,
  values: [id],
});

/** Returns a directory's Markdown and the version of the directory to which the Markdown belongs. */
export const readDirectoryContent = (rowId: string): Statement<{ content_md: string; version: string }> => ({
  name: 'read_directory_content',
  text: `select coalesce(content_md, '') as content_md, updated_at::text as version from catalogue_directory where row_id = $1`,
  values: [rowId],
});

export type DirectoryCard = {
  id: string;
  name: string;
  description: string | null;
  cover_image_url: string | null;
};

/**
 * Returns the directories with these ids, in no particular order. Leaves out unlisted directories, which appear only
 * on their own page.
 */
export const listDirectoryCards = (ids: string[]): Statement<DirectoryCard> => ({
  name: 'list_directory_cards',
  text: `
    select id, name, left(description, 400) as description, cover_image_url
    from catalogue_directory where id = any($1) and visibility <> 'merchant_unlisted'`,
  values: [ids],
});

export type SessionCard = DirectoryCard & { tags: string[] | null; max_duration: number | null };
const sessionCard = `i.id, i.name, left(i.description, 400) as description, i.cover_image_url, i.tags[1:8] as tags,
      i.max_duration`;

/** Lists sessions that have all of these tags, sorted by name. */
export const listSessionsByTags = (tags: string[], limitRows: number): Statement<SessionCard> => ({
  name: 'list_sessions_by_tags',
  text: `select ${sessionCard} from interview i where i.tags @> $1 and ${isListed} order by i.name, i.id limit $2`,
  values: [tags, limitRows],
});

/** Returns the sessions with these ids that the visitor may open, in no particular order. They need not be listed. */
export const listSessionsById = (ids: string[]): Statement<SessionCard> => ({
  name: 'list_sessions_by_id',
  text: `select ${sessionCard} from interview i where i.id = any($1)`,
  values: [ids],
});

/** A session of a merchant that may be another than that of the portal. */
export type PublicSession = SessionCard & {
  merchant_name: string;
  /** The verified portal domain of the merchant. Null for the merchant of the deployment's own portal. */
  portal_domain: string | null;
};

/** Lists the public sessions of all merchants, the newest first (docs/catalogue.md#sessions-of-all-merchants). */
export const listPublicSessions = (limit: number, offset: number): Statement<PublicSession> => ({
  name: 'list_public_sessions',
  text: 'select * from app.list_public_sessions($1, $2)',
  values: [limit, offset],
});

type FoundSession = SessionCard & { nth: number };

/**
 * Finds sessions with a term in their name, in a tag or in the part of the description that cards show, ignoring
 * case. Sorts them by name. `nth` is the index of the term, from 0.
 *
 * One query searches for all terms: five terms in 10,000 sessions with descriptions of 10 KB took 150 ms. Searching
 * whole descriptions took over a second.
 */
export const findSessionsByTerms = (terms: string[], limitRows: number[]): Statement<FoundSession> => ({
  name: 'find_sessions_by_terms',
  text: `
    with session as materialized (
      select i.id, i.name, lower(concat_ws(e'\\n', i.name, left(i.description, 400), array_to_string(i.tags, e'\\n'))) as text
      from interview i where ${isListed}
    ), found as (
      select term.nth, s.id, term.limit_rows, row_number() over (partition by term.nth order by s.name, s.id) as place
      from unnest($1::text[], $2::int[]) with ordinality as term (text, limit_rows, nth)
      join session s on position(lower(term.text) in s.text) > 0
    )
    select (f.nth - 1)::int as nth, ${sessionCard}
    from found f join interview i on i.id = f.id where f.place <= f.limit_rows order by f.nth, f.place`,
  values: [terms, limitRows],
});

/** Lists the ids of the sessions that the learner has completed. */
export const listCompletedSessions: Statement<{ id: string }> = {
  name: 'list_completed_sessions',
  text: 'select interview_id as id from app.list_completed_sessions()',
};

export type PlanStage = { id: string; name: string; sessions: number; completed: number };

const maxStages = 50;

/**
 * Lists the directories of the learner's plan in the order of its stages. Each has its number of sessions and how
 * many of these sessions the learner has completed.
 */
export const listPlanStages: Statement<PlanStage> = {
  name: 'list_plan_stages',
  text: `
    with stage as materialized (
      select row_id, id, name, tags_interview_set_filter as tags, array_position($1::text[], coach_plan) as place
      from catalogue_directory where coach_plan is not null and visibility <> 'merchant_unlisted'
      order by place, name, id limit $2
    ), session as (
      select distinct s.row_id, i.id
      from interview i cross join lateral unnest(i.tags) as tag (name)
      join stage s on s.tags[1] = tag.name and i.tags @> s.tags where ${isListed}
    )
    select s.id, s.name, count(session.id)::int as sessions, count(c.interview_id)::int as completed
    from stage s
    left join session on session.row_id = s.row_id
    left join app.list_completed_sessions() c on c.interview_id = session.id
    group by s.row_id, s.id, s.name, s.place order by s.place, s.name, s.id`,
  values: [coachPlans, maxStages],
};

export type PortalSession = PortalFacts &
  SessionCard & {
    interview_description_long: string | null;
    platform_language_code: LanguageCode;
    is_completed: boolean;
    interview_available_till: string | null;
    /** Null if the visitor is not a learner. */
    practice: Practice | null;
  };

/** Finds one session that the visitor may see, with everything its page shows. */
export const findPortalSession = (id: string): Statement<PortalSession> => ({
  name: 'find_portal_session',
  text: `
    select ${portalFacts}, i.id, i.name, i.description, i.interview_description_long, i.cover_image_url, i.tags,
      i.max_duration, i.platform_language_code, i.interview_available_till,
      i.id in (select c.interview_id from app.list_completed_sessions() c) as is_completed,
      (select to_jsonb(p) from app.practice_state(i.id) p) as practice
    from merchant m join interview i on i.id = $1`,
  values: [id],
});
