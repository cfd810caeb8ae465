import { z } from 'zod';
import { listKnowledgeBases } from '../../db/interviews/knowledge-bases';
import { defineOperation } from '../platform/operation/define-operation';
import { openListPage, pageOf, paging, updatedSince } from '../platform/operation/page-cursor';
import { readers, text } from '../platform/operation/vocabulary';
import { knowledgeBase, knowledgeBaseExample, knowledgeField } from './knowledge-base-fields';

export const knowledgeBaseList = defineOperation({
  name: 'knowledge-base-list',
  method: 'GET',
  tag: 'Knowledge',
  summary: 'List the knowledge bases',
  description: 'Lists the knowledge bases of the account without their texts, latest first.',
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    status: knowledgeField.status.optional().meta({ description: 'Only those of this status.' }),
    filter_text: text(200)
      .optional()
      .meta({ description: 'Only those whose name contains this text. Case is ignored.' }),
    updated_since: updatedSince,
    ...paging,
  }),
  example: { status: 'active' },
  reply: pageOf(
    knowledgeBase
      .omit({ text: true })
      .extend({
        character_count: z.int().meta({ description: 'Number of characters of the text.' }),
      })
      .meta({ id: 'ListedKnowledgeBase', description: 'A knowledge base in a list.' }),
  ),
  replyExample: {
    data: [{ ...knowledgeBaseExample, character_count: 74 }],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false, next_cursor: null },
  },
  statuses: [],
  /** Lists knowledge bases, one page per round trip. */
  async handle({ input, caller }, { database, seal }) {
    const { place, reply } = openListPage(seal, 'knowledge-base-list', input);
    const rows = await database.query(caller, listKnowledgeBases({ ...input, place }));
    const total = rows[0]?.total ?? 0;
    const data = rows.flatMap((row) => (row.id === null ? [] : [{ ...row, id: row.id }]));
    return reply(data, total);
  },
});
