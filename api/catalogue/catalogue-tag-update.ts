import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  findDirectoryOwner,
  lockCatalogue,
  lockDirectory,
  updateDirectory,
} from '../../db/catalogue/catalogue';
import type { DirectoryColumns } from '../../db/catalogue/catalogue';
import { recordAuditEntry } from '../../db/platform/audit';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation, requireOneOf } from '../platform/operation/define-operation';
import { writers } from '../platform/operation/vocabulary';
import { withoutUndefined } from '../platform/operation/without-undefined';
import { catalogueTagGet } from './catalogue-tag-get';
import { catalogueUrl, directoryField, directoryId, rejectItself } from './directory-fields';
import { validateSubDirectories, rejectPublicWrite, unknownDirectory } from './directory-of';

const fields = {
  name: directoryField.name.optional(),
  description: directoryField.description.nullish(),
  platform_language_code: directoryField.platform_language_code.optional(),
  visibility: directoryField.visibility.optional(),
  status: directoryField.status.optional(),
  cover_image_url: directoryField.cover_image_url.nullish(),
  coach_plan: directoryField.coach_plan.nullish(),
  tags_sub: directoryField.tags_sub.nullish(),
  tags_interview_set_filter: directoryField.tags_interview_set_filter.nullish(),
  content_md: directoryField.content_md.nullish(),
};
const updatableDirectoryFields = Object.keys(fields) as (keyof typeof fields)[];

export const catalogueTagUpdate = defineOperation({
  name: 'catalogue-tag-update',
  method: 'POST',
  tag: 'Catalogue',
  summary: 'Change a directory of the coaching catalogue',
  description: `Changes the fields that are sent; other fields keep their value. Null clears a nullable field and empties a list. \`tags_sub\` and
\`tags_interview_set_filter\` replace the whole list; new entries of \`tags_sub\` follow the rules of \`catalogue-tag-create\`. The id cannot be changed. To nest a
directory in another one, change the \`tags_sub\` of the outer directory. Directories cannot be deleted: set the status to \`archived\`.

Only platform admins can change a platform-wide directory, without a \`merchant_id\`. Other callers get a 403, also for the visibility \`public\`. A directory of
a merchant cannot become platform-wide, and a platform-wide directory cannot become a merchant's: create another directory instead.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: false,
  input: z
    .object({ id: directoryId, ...fields })
    .superRefine(requireOneOf(updatableDirectoryFields))
    .superRefine(rejectItself),
  example: { id: 'leadership-en', status: 'active', tags_sub: ['feedback-en', 'negotiation-en'] },
  reads: ({ id }) => ({ operation: catalogueTagGet, input: { id } }),
  reply: z.object({
    id: z.string().meta({ description: 'Id of the directory.' }),
    updated_fields: z
      .array(z.string().meta({ description: 'Name of a field.' }))
      .meta({ description: 'The fields whose value changed.' }),
    catalogue_url: catalogueUrl,
  }),
  replyExample: {
    id: 'leadership-basics-en',
    updated_fields: ['status', 'tags_sub'],
    catalogue_url: 'https://learn.example.com/catalogue/leadership-basics-en',
  },
  statuses: [404],
  /** Changes the fields whose sent values differ from the stored ones (docs/catalogue.md#the-tree). */
  handle({ input: { id, tags_sub, tags_interview_set_filter, ...sent }, caller, write, requireMatch }) {
    return write(async (trx) => {
      const isAdmin = (await trx.scope()).role === 'admin';
      const owner = await trx.maybeOne(findDirectoryOwner(id));
      if (!owner) throw unknownDirectory(caller);
      const isPlatformWide = owner.merchant_id === null;
      if (isPlatformWide && !isAdmin)
        throw new ApiError(
          'admins_only',
          'This directory is platform-wide. Only platform admins can change it.',
          'id',
        );
      if (isAdmin && sent.visibility && (sent.visibility === 'public') !== isPlatformWide)
        throw new ApiError(
          'immutable_field',
          isPlatformWide
            ? 'visibility of a platform-wide directory must stay public. Create another directory for a merchant.'
            : 'visibility of a merchant’s directory cannot become public. Create another directory.',
          'visibility',
        );
      if (tags_sub !== undefined)
        await trx.rows(
          lockCatalogue({ isPlatforms: isPlatformWide, isMerchants: !isPlatformWide, newId: null }),
        );
      const before = await trx.maybeOne(lockDirectory(id));
      if (!before) throw unknownDirectory(caller);
      await requireMatch(trx);

      const fields: Partial<DirectoryColumns> = withoutUndefined({
        ...sent,
        // Null empties a list.
        ...(tags_sub === undefined ? {} : { tags_sub: tags_sub ?? [] }),
        ...(tags_interview_set_filter === undefined
          ? {}
          : { tags_interview_set_filter: tags_interview_set_filter ?? [] }),
      });
      const updated_fields = updatableDirectoryFields.filter(
        (field) => field in fields && !isDeepStrictEqual(fields[field], before[field]),
      );
      const changes: Partial<DirectoryColumns> = Object.fromEntries(
        updated_fields.map((field) => [field, fields[field]]),
      );
      if (updated_fields.length > 0) await rejectPublicWrite(trx.count(updateDirectory(id, changes)));
      if (changes.tags_sub) {
        const known = new Set(before.tags_sub);
        const added = changes.tags_sub.filter((entry) => !known.has(entry));
        await validateSubDirectories(
          trx,
          { merchantId: owner.merchant_id, id, tags_sub: changes.tags_sub },
          added,
        );
      }
      if (updated_fields.length > 0)
        await trx.count(
          recordAuditEntry(
            'catalogue-tag-update',
            id,
            { updated_fields, is_platform_wide: isPlatformWide },
            isPlatformWide,
          ),
        );
      return { id, updated_fields, catalogue_url: before.catalogue_url };
    });
  },
});
