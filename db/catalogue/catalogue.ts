import { sql } from '../platform/database';
import type { Query, Statement } from '../platform/statement';
import type { DirectoryRow } from './directory-row';

/** The columns that a caller can set. */
export type DirectoryColumns = Pick<
  DirectoryRow,
  | 'name'
  | 'description'
  | 'platform_language_code'
  | 'visibility'
  | 'status'
  | 'cover_image_url'
  | 'coach_plan'
  | 'tags_sub'
  | 'tags_interview_set_filter'
> & { content_md: string | null };

/**
 * SQL for the address of a directory's page in the portal of the caller's merchant; null when the merchant has no
 * portal domain.
 */
export const catalogueUrl = (id: string) =>
  `(select 'https://' || m.portal_domain || '/catalogue/' || ${id} from merchant m where m.id = (select app.merchant_id()))`;

/**
 * `isPlatforms` is true if the transaction changes ids or `tags_sub` in the platform's catalogue, and `isMerchants`
 * is true if it does so in the merchant's. `newId` is the id of the directory that the transaction creates.
 */
export type CatalogueWrite = { isPlatforms: boolean; isMerchants: boolean; newId: string | null };

/**
 * Locks the catalogues that the transaction will write, until the transaction ends. Call it once, before any write.
 * Calls that wait too long get a 503.
 */
export const lockCatalogue = ({ isPlatforms, isMerchants, newId }: CatalogueWrite): Statement => ({
  name: 'lock_catalogue',
  text: 'select app.lock_catalogue($1, $2, $3)',
  values: [isPlatforms, isMerchants, newId],
});

/**
 * `is_taken` is true if a platform-wide directory already has the id. For a new platform-wide directory, it is also
 * true if a merchant's directory has the id.
 */
type NewDirectory = { merchant_id: string | null; catalogue_url: string | null; is_taken: boolean };

/**
 * Inserts a directory. A public directory becomes platform-wide, which row-level security allows only to platform
 * admins. Returns no row when the merchant (or, for a public directory, the platform) already has a directory with
 * this id.
 */
export const insertDirectory = (id: string, columns: DirectoryColumns): Statement<NewDirectory> => ({
  name: 'insert_directory',
  text: `
    insert into catalogue_directory as d (merchant_id, id, name, description, platform_language_code, visibility, status,
      cover_image_url, coach_plan, tags_sub, tags_interview_set_filter, content_md)
    values (case when $5 <> 'public' then app.merchant_id() end, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    on conflict do nothing
    returning merchant_id, ${catalogueUrl('d.id')} as catalogue_url,
      app.meets_catalogue_id(d.id, d.merchant_id is null) as is_taken`,
  values: [
    id,
    columns.name,
    columns.description,
    columns.platform_language_code,
    columns.visibility,
    columns.status,
    columns.cover_image_url,
    columns.coach_plan,
    columns.tags_sub,
    columns.tags_interview_set_filter,
    columns.content_md,
  ],
});

/** The owner of a directory that the caller can see. `merchant_id` is null for a platform-wide one. */
export type DirectoryOwner = { merchant_id: string | null };
export const findDirectoryOwner = (id: string): Statement<DirectoryOwner> => ({
  name: 'find_directory_owner',
  text: 'select merchant_id from catalogue_directory where id = $1',
  values: [id],
});

/** Appends the id to the parent's `tags_sub` unless it is already there. Updates no row when the list is full. */
export const appendToParent = (parentId: string, id: string, maxSubDirectories: number): Statement => ({
  name: 'append_to_parent',
  text: `
    update catalogue_directory set tags_sub = case when $2 = any (tags_sub) then tags_sub else tags_sub || $2::text end
    where id = $1 and ($2 = any (tags_sub) or cardinality(tags_sub) < $3)`,
  values: [parentId, id, maxSubDirectories],
});

/**
 * `leads` is true if one of `ids` is the directory `id` itself or a directory above it. Nesting such a directory in
 * `id` would form a cycle. `leads` is null if the search reads more than `maxEntries` entries.
 */
export const wouldFormCycle = (
  ids: readonly string[],
  merchantId: string | null,
  id: string,
  maxEntries: number,
): Statement<{ leads: boolean | null }> => ({
  name: 'leads_to_directory',
  text: 'select app.leads_to_directory($1, $2, $3, $4) as leads',
  values: [ids, merchantId, id, maxEntries],
});

type LockedDirectory = DirectoryColumns & { merchant_id: string | null; catalogue_url: string | null };
/** Locks the directory and returns its editable fields. Returns no row when the caller may not change it. */
export const lockDirectory = (id: string): Statement<LockedDirectory> => ({
  name: 'lock_directory',
  text: `
    select d.merchant_id, d.name, d.description, d.platform_language_code, d.visibility, d.status, d.cover_image_url,
      d.coach_plan, d.tags_sub, d.tags_interview_set_filter, d.content_md, ${catalogueUrl('d.id')} as catalogue_url
    from catalogue_directory d where d.id = $1 for update of d`,
  values: [id],
});

export const updateDirectory = (id: string, columns: Partial<DirectoryColumns>): Query =>
  sql('catalogue_directory').where({ id }).update(columns);
