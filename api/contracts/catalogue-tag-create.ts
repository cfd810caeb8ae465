import { z } from 'zod';
import {
  catalogueUrl,
  directoryField,
  directoryId,
  maxListedBelow,
  pageMarkdown,
  refuseItself,
  visibilityMeaning,
} from './directory-fields';
import { defineOperation, isPublic } from './operation';
import { optional, withDefault, writers } from './vocabulary';

export const catalogueTagCreate = defineOperation({
  name: 'catalogue-tag-create',
  method: 'POST',
  tag: 'Catalogue',
  summary: 'Create a directory of the coaching catalogue',
  description: `A directory is a page of the coaching portal. It nests the directories of \`tags_sub\`, in that order, and lists the sessions
whose own tags contain every tag of \`tags_interview_set_filter\` (AND); an empty filter lists none. Of \`tags_sub\` an id that does not exist
yet is kept, and shown once it does. A directory leads to itself neither directly nor through others: that is 422 with the entry. It is judged
among the merchant's directories and the platform-wide ones, for a platform-wide directory among these alone. Where what \`tags_sub\` leads to lists
over ${maxListedBelow} directories, it is 422 too.

With \`parent_tag\` the new id is appended to that directory's \`tags_sub\` in the same transaction, unless it is there already. One's own
parent may be a draft or archived; one that the caller does not see is 422, a platform-wide one is 403 but for platform admins.

The id is the page's address and never changes. It is unique within the merchant, and no merchant's id is platform-wide: else 409. By
convention a directory in one language ends with the language code.

A \`public\` directory is platform-wide: shown by every merchant, owned by none (\`merchant_id\` null), and made by platform admins only, who need no
\`merchant_id\` for it; for everybody else it is 403. \`draft\` and \`archived\` directories are not served.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: (input) => !isPublic(input),
  input: z
    .object({
      id: directoryId,
      name: directoryField.name,
      description: optional(directoryField.description),
      platform_language_code: withDefault(directoryField.platform_language_code, 'en'),
      visibility: withDefault(directoryField.visibility, 'merchant_public').meta({
        description: visibilityMeaning,
      }),
      status: withDefault(directoryField.status, 'draft'),
      cover_image_url: optional(directoryField.cover_image_url),
      coach_plan: optional(directoryField.coach_plan).meta({
        description: 'The coaching plan that the directory is part of; omitted: none.',
      }),
      tags_sub: withDefault(directoryField.tags_sub, []),
      tags_interview_set_filter: withDefault(directoryField.tags_interview_set_filter, []),
      content_md: optional(directoryField.content_md).meta({ description: pageMarkdown }),
      parent_tag: optional(directoryId),
    })
    .superRefine(refuseItself)
    .refine(({ id, parent_tag }) => id !== parent_tag, {
      path: ['parent_tag'],
      error: 'must be another directory than the new one',
    }),
  example: {
    id: 'leadership-en',
    name: 'Leadership',
    description: 'Conversations that every lead has.',
    status: 'active',
    tags_interview_set_filter: ['leadership'],
  },
  reply: z.object({
    id: z.string(),
    merchant_id: z.string().nullable(),
    parent_tag: z.string().optional(),
    catalogue_url: catalogueUrl,
  }),
  statuses: [409],
});
