import { isAfterCursor } from './page-place';
import type { Statement } from './statement';

/**
 * Records in the caller's transaction what the caller has done, with the caller's merchant, environment, id and role.
 * `act` is the name of the operation. `details` holds what changed, but never a secret or a person's name or address.
 * Platform-wide entries belong to no merchant.
 */
export const recordAuditEntry = (
  act: string,
  subjectId: string | null,
  details: Record<string, unknown> = {},
  isPlatformWide = false,
): Statement => ({
  name: 'record_act',
  text: `
    insert into audit_entry (merchant_id, act, subject_id, details)
    values (case when not $4::boolean then app.merchant_id() end, $1, $2, $3)`,
  values: [act, subjectId, JSON.stringify(details), isPlatformWide],
});

export type NewAuditEntry = { act: string; subjectId: string | null; details?: Record<string, unknown> };

/** Records several entries in one statement, like `recordAuditEntry`. */
export const recordAuditEntries = (entries: readonly NewAuditEntry[]): Statement => ({
  name: 'record_acts',
  text: `
    insert into audit_entry (act, subject_id, details)
    select act, subject_id, details from jsonb_to_recordset($1) as sent (act text, subject_id text, details jsonb)`,
  values: [
    JSON.stringify(
      entries.map(({ act, subjectId, details = {} }) => ({ act, subject_id: subjectId, details })),
    ),
  ],
});

export type AuditEntry = {
  id: string;
  act: string;
  subject_id: string | null;
  details: Record<string, unknown>;
  created_at: string;
  actor_role: string;
  /** The name of the person or key that acted. Null for a platform admin, an operator or a platform key. */
  actor_name: string | null;
  /** The name of the agent through which the actor acted. Null if the actor used no agent. */
  agent: string | null;
};

export type AuditFilter = {
  /** A person or service key. */
  actor: string | null;
  act: string | null;
  subjectId: string | null;
  /** ISO 8601 times. The first is included, the second is not. */
  since: string | null;
  until: string | null;
  /** The place of a cursor, as JSON. */
  place?: string | null;
};

/**
 * An entry in a list. `is_known` is false if the filter has an actor whom the caller's merchant does not know. An empty
 * page has one row whose id is null.
 */
type ListedAuditEntry = Omit<AuditEntry, 'id'> & {
  place: unknown;
  total: number;
  is_known: boolean;
  id: string | null;
  actor_id: string;
};

const matching = `(merchant_id = app.merchant_id() or merchant_id is null) and (environment = app.environment() or is_of_account)
  and ($1::uuid is null or actor_id = $1) and ($2::text is null or act = $2) and ($3::text is null or subject_id = $3)
  and ($4::timestamptz is null or created_at >= $4) and ($5::timestamptz is null or created_at < $5)
  and ${isAfterCursor('$8', { id: 'uuid' })}`;

/**
 * Lists the entries of the caller's merchant in the caller's environment, and those about what all environments share,
 * latest first. Platform admins also see platform-wide entries. The statement has no name, so Postgres plans each call
 * without the filters that are null.
 */
export const listAuditEntries = (
  { actor, act, subjectId, since, until, place = null }: AuditFilter,
  limitRows: number,
  offset: number,
): Statement<ListedAuditEntry> => ({
  text: `
    with page as materialized (
      select id, act, subject_id, details, created_at, actor_role, actor_id, agent from audit_entry
      where ${matching} order by id desc limit $6 offset $7
    ),
    counted as (select count(*) as total from audit_entry where ${matching})
    select counted.total, page.*, jsonb_build_array(page.id) as place, named.name as actor_name,
      $1::uuid is null or counted.total > 0 or exists (select from app.names_of_actors(array[$1::uuid])) as is_known
    from counted left join page on true
    left join app.names_of_actors((select array_agg(distinct actor_id) from page)) named on named.id = page.actor_id
    order by page.id desc`,
  values: [actor, act, subjectId, since, until, limitRows, offset, place],
});

/** Reads entries of the caller's merchant as lists show them. */
export const findAuditEntries = (ids: readonly string[]): Statement<AuditEntry & { actor_id: string }> => ({
  name: 'find_audit_entries',
  text: `
    with found as materialized (
      select id, act, subject_id, details, created_at, actor_role, actor_id, agent from audit_entry
      where merchant_id = app.merchant_id() and id = any ($1)
    )
    select found.*, named.name as actor_name from found
    left join app.names_of_actors((select array_agg(distinct actor_id) from found)) named on named.id = found.actor_id`,
  values: [ids],
});

/**
 * Lists the last 100 entries about a subject of the caller's merchant, latest first. Hiring managers who may see only some
 * positions get only the entries of what they did themselves.
 */
export const listAuditEntriesAbout = (subjectId: string): Statement<AuditEntry> => ({
  name: 'list_acts_on',
  text: `
    select a.id, a.act, a.subject_id, a.details, a.created_at, a.actor_role, a.agent,
      coalesce(p.name, p.email, k.name) as actor_name
    from audit_entry a
    left join profile p on p.id = a.actor_id and p.merchant_id = a.merchant_id
    left join service_key k on k.id = a.actor_id and k.merchant_id = a.merchant_id
    where a.merchant_id = app.merchant_id() and a.environment = app.environment() and a.subject_id = $1
    order by a.id desc limit 100`,
  values: [subjectId],
});

export type SubjectName = {
  kind:
    | 'interview'
    | 'person'
    | 'result'
    | 'endpoint'
    | 'deleted_endpoint'
    | 'directory'
    | 'report'
    | 'knowledge_base';
  id: string;
  name: string;
};

/**
 * Returns the names of the objects that entries refer to, if the caller can see the objects. A result has the name of its
 * candidate. A deleted endpoint keeps its row, so it still has a name.
 */
export const findSubjectNames = (ids: readonly string[]): Statement<SubjectName> => {
  const uuids = ids.filter((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id));
  return {
    name: 'name_subjects',
    text: `
      select 'interview' as kind, id::text, name from interview
      where merchant_id = app.merchant_id() and id = any ($1::uuid[])
      union all
      select 'interview', id::text, name from position where merchant_id = app.merchant_id() and id = any ($1::uuid[])
      union all
      select 'person', id::text, name from app.names_of_team($1::uuid[])
      union all
      select 'result', r.id::text, coalesce(nullif(e.name, ''), e.email)
      from interview_result r join enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
      where r.merchant_id = app.merchant_id() and r.id = any ($1::uuid[])
      union all
      select case when deleted_at is null then 'endpoint' else 'deleted_endpoint' end, id::text,
        coalesce(nullif(btrim(description), ''), split_part(url, '/', 3))
      from webhook_endpoint where merchant_id = app.merchant_id() and id = any ($1::uuid[])
      union all
      select 'knowledge_base', id::text, name from knowledge_base
      where merchant_id = app.merchant_id() and id = any ($1::uuid[])
      union all
      select 'report', id::text, title from report where merchant_id = app.merchant_id() and id = any ($1::uuid[])
      union all
      select 'directory', id, name from catalogue_directory
      where (merchant_id = app.merchant_id() or merchant_id is null) and id = any ($2::text[])`,
    values: [uuids, ids],
  };
};
