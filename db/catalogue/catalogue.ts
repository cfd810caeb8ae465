import type { DirectoryRow } from './directory-row';
import { sql } from '../platform/database';
import type { Query, Statement } from '../platform/statement';

/** What a writer sets of a directory. */
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

/** Address of a directory's page at the portal of the merchant that is acted for, null without a portal domain. */
export const catalogueUrl = (id: string) =>
  `(select 'https://' || m.portal_domain || '/catalogue/' || ${id} from merchant m where m.id = (select app.merchant_id()))`;

/** Whose ids or `tags_sub` a transaction writes, and the id that it makes. */
export type CatalogueWrite = { isPlatforms: boolean; isMerchants: boolean; newId: string | null };

/** Taken once, before anything is written, and held until the transaction ends; nobody waits long for it: 503. */
export const lockCatalogue = ({ isPlatforms, isMerchants, newId }: CatalogueWrite): Statement => ({
  name: 'lock_catalogue',
  text: 'select app.lock_catalogue($1, $2, $3)',
  values: [isPlatforms, isMerchants, newId],
});

/** `is_taken`: by a platform-wide directory, or a new platform-wide one by a merchant's. */
export type NewDirectory = { merchant_id: string | null; catalogue_url: string | null; is_taken: boolean };

/**
 * A new directory, platform-wide where it is public; no row where the merchant has the id, or it is platform-wide among such.
 * Row-level security refuses a public one to whoever is no platform admin.
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

/** Whose a directory is that the caller sees; no row where there is none. */
export type DirectoryOwner = { merchant_id: string | null };
export const findDirectoryOwner = (id: string): Statement<DirectoryOwner> => ({
  name: 'find_directory_owner',
  text: 'select merchant_id from catalogue_directory where id = $1',
  values: [id],
});

/** Appends to the parent's `tags_sub` what is not there yet; counts 0 where that is full. */
export const appendToParent = (parentId: string, id: string, maxSubDirectories: number): Statement => ({
  name: 'append_to_parent',
  text: `
    update catalogue_directory set tags_sub = case when $2 = any (tags_sub) then tags_sub else tags_sub || $2::text end
    where id = $1 and ($2 = any (tags_sub) or cardinality(tags_sub) < $3)`,
  values: [parentId, id, maxSubDirectories],
});

/** Whether one of these is the directory or leads to it; null where more than `maxEntries` would have to be looked at. */
export const leadsToDirectory = (
  ids: readonly string[],
  merchantId: string | null,
  id: string,
  maxEntries: number,
): Statement<{ leads: boolean | null }> => ({
  name: 'leads_to_directory',
  text: 'select app.leads_to_directory($1, $2, $3, $4) as leads',
  values: [ids, merchantId, id, maxEntries],
});

export type LockedDirectory = DirectoryColumns & { merchant_id: string | null; catalogue_url: string | null };
/** The directory with what can be changed of it, locked; no row where the caller may not change it. */
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
