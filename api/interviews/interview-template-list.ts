import { z } from 'zod';
import { listTemplates } from '../../db/interviews/templates';
import { defineOperation } from '../platform/operation/define-operation';
import { archiveStatus, templateType } from '../platform/operation/named-enums';
import { openListPage, pageOf, paging } from '../platform/operation/page-cursor';
import { languageCode, readers, uuid } from '../platform/operation/vocabulary';

export const interviewTemplateList = defineOperation({
  name: 'interview-template-list',
  method: 'GET',
  tag: 'Interviews',
  summary: 'List the interview templates',
  description: `Lists the interview templates, ordered by type. A new interview must name a \`usable\` template in \`interview_template_id\`. The other templates exist only for
earlier interviews.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object(paging),
  example: { limit: '20' },
  reply: pageOf(
    z
      .object({
        id: uuid.meta({ description: 'Id of the template, for `interview_template_id`.' }),
        name: z.string().meta({ description: 'Name of the template.' }),
        type: templateType,
        platform_language_code: languageCode.nullable().meta({
          description: 'The only language that the template can be used in. Null: any language.',
        }),
        status: archiveStatus.meta({
          description: '`archived`: only earlier interviews use it.',
        }),
        usable: z.boolean().meta({ description: 'True if new interviews can use it.' }),
      })
      .meta({ id: 'InterviewTemplate', description: 'A template that conducts interviews.' }),
  ),
  replyExample: {
    data: [
      {
        id: '0198a000-0000-7000-8000-000000000004',
        name: 'Interactive avatar',
        type: 'interactive_avatar_1',
        platform_language_code: null,
        status: 'active',
        usable: true,
      },
    ],
    pagination: { total: 6, limit: 20, offset: 0, has_more: false, next_cursor: null },
  },
  statuses: [],
  /** Lists the platform's templates (docs/interviews.md#templates). */
  async handle({ input, caller }, { database, seal }) {
    const { place, reply } = openListPage(seal, 'interview-template-list', input);
    const rows = await database.query(caller, listTemplates(input.limit, input.offset, place));
    const total = rows[0]?.total ?? 0;
    return reply(
      rows.filter(({ id }) => id !== null),
      total,
    );
  },
});
