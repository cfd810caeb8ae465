import { z } from 'zod';
import { catalogueDirectory, directoryField, directoryId } from './directory-fields';
import { defineOperation, isPublic } from './operation';
import { pagination, paging, queryBoolean, readers, text } from './vocabulary';

export const catalogueTagList = defineOperation({
  name: 'catalogue-tag-list',
  method: 'GET',
  tag: 'Catalogue',
  summary: 'List the directories of the coaching catalogue',
  description: `The merchant's own directories in every status, and the platform-wide ones that are served (platform admins see all of those) unless
\`include_public\` is false. Ordered by id, under \`parent_tag\` in the order of that directory. \`parent_tag\` lists what is directly nested under it, and is
422 where the caller sees no such directory. \`filter_text\` is looked for in id, name and description, without regard to case.

A platform admin without a merchant lists the platform-wide directories with \`visibility\` public. \`content_md\` is left out: catalogue-tag-get reads it.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: (input) => !isPublic(input),
  input: z.object({
    status: directoryField.status.optional(),
    visibility: directoryField.visibility.optional(),
    platform_language_code: directoryField.platform_language_code.optional(),
    filter_text: text(200).optional(),
    parent_tag: directoryId.optional(),
    include_public: queryBoolean
      .optional()
      .transform((value) => value ?? true)
      .meta({ type: 'boolean', enum: [true, false], default: true }),
    ...paging,
  }),
  example: { status: 'active', filter_text: 'lead' },
  reply: z.object({ data: z.array(catalogueDirectory), pagination }),
  statuses: [],
});
