import { z } from 'zod';
import { catalogueUrl, directoryField, directoryId, refuseItself } from './directory-fields';
import { defineOperation } from './operation';
import { writers } from './vocabulary';

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
export const updatableDirectoryFields = Object.keys(fields) as (keyof typeof fields)[];

export const catalogueTagUpdate = defineOperation({
  name: 'catalogue-tag-update',
  method: 'POST',
  tag: 'Catalogue',
  summary: 'Change a directory of the coaching catalogue',
  description: `Changes only the fields that are sent; \`updated_fields\` names those whose value changed. null clears a field that may be null, and empties a list.
\`tags_sub\` and \`tags_interview_set_filter\` replace the whole list. The id never changes; a directory is put under another one by the \`tags_sub\` of that one, and
is not deleted but \`archived\`. What \`visibility\` means and what \`content_md\` may hold is told of catalogue-tag-create; what is new in
\`tags_sub\` is judged as there.

A platform-wide directory is changed by platform admins only, who need no \`merchant_id\` for it; for everybody else it is 403, and so is
\`visibility\` public. A merchant's directory does not become platform-wide, nor the other way round: create another one.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: false,
  input: z
    .object({ id: directoryId, ...fields })
    .refine((input) => updatableDirectoryFields.some((field) => input[field] !== undefined), {
      path: ['id'],
      error: `Send at least one field to change: ${updatableDirectoryFields.join(', ')}`,
    })
    .superRefine(refuseItself),
  example: { id: 'leadership-en', status: 'active', tags_sub: ['feedback-en', 'negotiation-en'] },
  reply: z.object({
    id: z.string(),
    updated_fields: z.array(z.string()),
    catalogue_url: catalogueUrl,
  }),
  statuses: [404],
});
