import { z } from 'zod';
import {
  appendToParent,
  findDirectoryOwner,
  insertDirectory,
  lockCatalogue,
} from '../../db/catalogue/catalogue';
import type { DirectoryOwner } from '../../db/catalogue/catalogue';
import { recordAuditEntry } from '../../db/platform/audit';
import type { Transaction } from '../../db/platform/database';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation, isPublic } from '../platform/operation/define-operation';
import { optionalField, fieldWithDefault, writers } from '../platform/operation/vocabulary';
import {
  catalogueUrl,
  directoryField,
  directoryId,
  maxListedBelow,
  rejectItself,
  maxSubDirectories,
} from './directory-fields';
import { validateSubDirectories, validateParent, rejectPublicWrite } from './directory-of';

export const catalogueTagCreate = defineOperation({
  name: 'catalogue-tag-create',
  method: 'POST',
  tag: 'Catalogue',
  summary: 'Create a directory of the coaching catalogue',
  description: `Creates a directory: a page of the coaching portal. The page nests the directories in \`tags_sub\`, in that order, and lists the sessions that have every tag
in \`tags_interview_set_filter\`. With \`parent_tag\`, the same call also appends the new id to the \`tags_sub\` of that directory. The parent can be a draft or
archived. A parent that the caller cannot see is a 422, and a platform-wide parent is a 403 unless the caller is a platform admin.

The id is the address of the page and cannot be changed. It must be unique within the merchant and different from every platform-wide id; otherwise the call is a
409. By convention, the id of a directory in one language ends with the language code. A directory cannot lead to itself, directly or through others: the call is a
422 that names the entry. If the directories below \`tags_sub\` list more than ${maxListedBelow} entries, the call is a 422 too.

A directory with the visibility \`public\` is platform-wide: every merchant shows it and no merchant owns it (\`merchant_id\` is null). Only platform admins can
create one, without a \`merchant_id\`; other callers get a 403.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: (input) => !isPublic(input),
  input: z
    .object({
      id: directoryId,
      name: directoryField.name,
      description: optionalField(directoryField.description),
      platform_language_code: fieldWithDefault(directoryField.platform_language_code, 'en'),
      visibility: fieldWithDefault(directoryField.visibility, 'merchant_public'),
      status: fieldWithDefault(directoryField.status, 'draft'),
      cover_image_url: optionalField(directoryField.cover_image_url),
      coach_plan: optionalField(directoryField.coach_plan),
      tags_sub: fieldWithDefault(directoryField.tags_sub, []),
      tags_interview_set_filter: fieldWithDefault(directoryField.tags_interview_set_filter, []),
      content_md: optionalField(directoryField.content_md),
      parent_tag: optionalField(directoryId).meta({
        description: 'Id of the directory to nest the new one in. If omitted, it is not nested.',
      }),
    })
    .superRefine(rejectItself)
    .refine(({ id, parent_tag }) => id !== parent_tag, {
      path: ['parent_tag'],
      error: 'must not be the new directory itself',
      params: { code: 'conflicting_fields' },
    }),
  example: {
    id: 'leadership-basics-en',
    name: 'Leadership basics',
    description: 'Conversations that every lead has.',
    status: 'active',
    tags_interview_set_filter: ['leadership'],
  },
  reply: z.object({
    id: z.string().meta({ description: 'Id of the new directory.' }),
    merchant_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the merchant it belongs to; null when it is platform-wide.' }),
    parent_tag: z
      .string()
      .optional()
      .meta({ description: 'The directory that it was nested in. Present if `parent_tag` was sent.' }),
    catalogue_url: catalogueUrl,
  }),
  replyExample: {
    id: 'leadership-basics-en',
    merchant_id: '0198a000-0000-7000-8000-0000000000a1',
    catalogue_url: 'https://learn.example.com/catalogue/leadership-basics-en',
  },
  statuses: [409],
  /** Stores the directory and appends it to its parent in one transaction (docs/catalogue.md#the-tree). */
  handle({ input: { id, parent_tag, ...fields }, write }) {
    return write(async (trx) => {
      const isAdmin = (await trx.scope()).role === 'admin';
      // The parent's owner can be read before the lock, because the owner of a directory never changes.
      const parent =
        parent_tag === undefined ? undefined : await trx.maybeOne(findDirectoryOwner(parent_tag));
      const isPublic = fields.visibility === 'public';
      await trx.rows(
        lockCatalogue({
          isPlatforms: isAdmin && (isPublic || parent?.merchant_id === null),
          isMerchants: !isPublic || typeof parent?.merchant_id === 'string',
          newId: id,
        }),
      );
      const {
        description = null,
        cover_image_url = null,
        coach_plan = null,
        content_md = null,
        ...required
      } = fields;
      const columns = { ...required, description, cover_image_url, coach_plan, content_md };
      // The insert comes first. If row-level security rejects it, the caller gets that error and not one about the
      // parent.
      const made = await rejectPublicWrite(trx.maybeOne(insertDirectory(id, columns)));
      if (!made || made.is_taken)
        throw new ApiError('id_taken', 'A directory with this id already exists. Choose another id.', 'id');
      if (parent_tag !== undefined) await putUnder(trx, parent_tag, parent, id, isAdmin);
      const { merchant_id: merchantId } = made;
      await validateSubDirectories(trx, { merchantId, id, tags_sub: fields.tags_sub }, fields.tags_sub);
      // The check above searched for cycles only among directories of the new directory's owner. If the parent has
      // another owner, a cycle can also pass through directories of that owner.
      if (parent_tag !== undefined && parent && merchantId !== parent.merchant_id)
        await validateParent(trx, { merchantId: parent.merchant_id, id: parent_tag }, id);
      await trx.count(
        recordAuditEntry(
          'catalogue-tag-create',
          id,
          { parent_tag, is_platform_wide: merchantId === null },
          merchantId === null,
        ),
      );
      return {
        id,
        merchant_id: made.merchant_id,
        ...(parent_tag === undefined ? {} : { parent_tag }),
        catalogue_url: made.catalogue_url,
      };
    });
  },
});

async function putUnder(
  trx: Transaction,
  parentId: string,
  parent: DirectoryOwner | undefined,
  id: string,
  isAdmin: boolean,
): Promise<void> {
  if (!parent)
    throw new ApiError('unknown_id', 'parent_tag must be the id of an existing directory.', 'parent_tag');
  if (parent.merchant_id === null && !isAdmin)
    throw new ApiError(
      'admins_only',
      'parent_tag is a platform-wide directory. Only platform admins can add to it.',
      'parent_tag',
    );
  if ((await trx.count(appendToParent(parentId, id, maxSubDirectories))) === 0)
    throw new ApiError(
      'too_long',
      `parent_tag already has ${maxSubDirectories} directories, which is the maximum. Choose another parent.`,
      'parent_tag',
    );
}
