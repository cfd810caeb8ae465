import { z } from 'zod';
import { catalogueUrl, directoryField, directoryId, maxListedBelow, refuseItself } from './directory-fields';
import { defineOperation, isPublic } from '../platform/operation/define-operation';
import { optional, withDefault, writers } from '../platform/operation/vocabulary';

export const catalogueTagCreate = defineOperation({
  name: 'catalogue-tag-create',
  method: 'POST',
  tag: 'Catalogue',
  summary: 'Create a directory of the coaching catalogue',
  description: `Creates a directory: a page of the coaching portal that nests the directories of \`tags_sub\`, in that order, and lists the sessions that have every tag
of \`tags_interview_set_filter\`. With \`parent_tag\`, the new id is appended to that directory's \`tags_sub\` in the same transaction. The parent can be a draft or
archived; one that the caller cannot see is a 422, and a platform-wide one is a 403 except for platform admins.

The id is the address of the page and cannot be changed. It must be unique within the merchant and different from every platform-wide id, or the call is a 409. By
convention, a directory in one language ends with the language code. A directory cannot lead to itself, directly or through others: the call is a 422 that names the
entry. It is a 422 too if the directories below \`tags_sub\` list more than ${maxListedBelow} entries.

A directory with the visibility \`public\` is platform-wide: every merchant shows it and none owns it (\`merchant_id\` is null). Only platform admins can create one, and
they need no \`merchant_id\` for it; for everybody else it is a 403.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: (input) => !isPublic(input),
  input: z
    .object({
      id: directoryId,
      name: directoryField.name,
      description: optional(directoryField.description),
      platform_language_code: withDefault(directoryField.platform_language_code, 'en'),
      visibility: withDefault(directoryField.visibility, 'merchant_public'),
      status: withDefault(directoryField.status, 'draft'),
      cover_image_url: optional(directoryField.cover_image_url),
      coach_plan: optional(directoryField.coach_plan),
      tags_sub: withDefault(directoryField.tags_sub, []),
      tags_interview_set_filter: withDefault(directoryField.tags_interview_set_filter, []),
      content_md: optional(directoryField.content_md),
      parent_tag: optional(directoryId).meta({
        description: 'Id of the directory to nest the new one in; left out: none.',
      }),
    })
    .superRefine(refuseItself)
    .refine(({ id, parent_tag }) => id !== parent_tag, {
      path: ['parent_tag'],
      error: 'must be another directory than the new one',
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
      .meta({ description: 'The directory it was nested in. Present when `parent_tag` was sent.' }),
    catalogue_url: catalogueUrl,
  }),
  replyExample: {
    id: 'leadership-basics-en',
    merchant_id: '0198a000-0000-7000-8000-0000000000a1',
    catalogue_url: 'https://learn.example.com/catalogue/leadership-basics-en',
  },
  statuses: [409],
});
