import { z } from 'zod';
import { catalogueUrl, directoryField, directoryId, refuseItself } from './directory-fields';
import { defineOperation, sendsChange } from '../platform/operation/define-operation';
import { writers } from '../platform/operation/vocabulary';

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
  description: `Changes the fields of a directory of the coaching catalogue that are sent, and no others. Null clears a field that can be null, and empties a
list. \`tags_sub\` and \`tags_interview_set_filter\` replace the whole list; new entries of \`tags_sub\` follow the rules of \`catalogue-tag-create\`. The id cannot be
changed. To nest a directory in another one, change the \`tags_sub\` of that one. Directories are not deleted: set the status \`archived\`.

Only platform admins can change a platform-wide directory, and they need no \`merchant_id\` for it; for everybody else it is a 403, and so is the visibility
\`public\`. A merchant's directory cannot become platform-wide, nor the other way round: create another one.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: false,
  input: z
    .object({ id: directoryId, ...fields })
    .superRefine(sendsChange(updatableDirectoryFields))
    .superRefine(refuseItself),
  example: { id: 'leadership-en', status: 'active', tags_sub: ['feedback-en', 'negotiation-en'] },
  reply: z.object({
    id: z.string().meta({ description: 'Id of the directory.' }),
    updated_fields: z
      .array(z.string().meta({ description: 'Name of a field.' }))
      .meta({ description: 'The fields whose value is another one than before.' }),
    catalogue_url: catalogueUrl,
  }),
  replyExample: {
    id: 'leadership-basics-en',
    updated_fields: ['status', 'tags_sub'],
    catalogue_url: 'https://learn.example.com/catalogue/leadership-basics-en',
  },
  statuses: [404],
});
