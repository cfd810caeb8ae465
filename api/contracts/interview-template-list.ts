import { z } from 'zod';
import { defineOperation } from './operation';
import { languageCode, pagination, paging, readers, templateTypes, uuid } from './vocabulary';

export const interviewTemplateList = defineOperation({
  name: 'interview-template-list',
  method: 'GET',
  tag: 'Interviews',
  summary: 'List the interview templates',
  description: `The templates a new interview can name as \`interview_template_id\`, ordered by type. One that is not \`usable\` is
kept for the interviews that have it. \`platform_language_code\` null means every language.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object(paging),
  example: { limit: '20' },
  reply: z.object({
    data: z.array(
      z
        .object({
          id: uuid,
          name: z.string(),
          type: z.enum(templateTypes),
          platform_language_code: languageCode.nullable(),
          status: z.enum(['active', 'archived']),
          usable: z.boolean(),
        })
        .meta({ id: 'InterviewTemplate' }),
    ),
    pagination,
  }),
  statuses: [],
});
