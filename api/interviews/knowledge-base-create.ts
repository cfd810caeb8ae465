import { z } from 'zod';
import { insertKnowledgeBase } from '../../db/interviews/knowledge-bases';
import { recordAuditEntry } from '../../db/platform/audit';
import { defineOperation } from '../platform/operation/define-operation';
import { fieldWithDefault, writers } from '../platform/operation/vocabulary';
import { knowledgeBaseExample, knowledgeBaseId, knowledgeField } from './knowledge-base-fields';

export const knowledgeBaseCreate = defineOperation({
  name: 'knowledge-base-create',
  method: 'POST',
  tag: 'Knowledge',
  summary: 'Create a knowledge base',
  description: `Creates a knowledge base, which interviews name as \`knowledge_base_store_id\` and questions as \`knowledge_base_id\`. It belongs to the account and can be
used in all environments. The AI drafts questions and chooses follow-ups with it; with \`is_for_candidates\` it also answers candidates' questions from it. An
answer to a question with a \`knowledge_base_id\` is compared with it, and what contradicts it is shown to recruiters.

A body has at most 1 MiB. Send texts in other scripts as UTF-8 and not as \`\\u\` escapes, which take twice as many bytes.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    name: knowledgeField.name,
    text: knowledgeField.text,
    is_for_candidates: fieldWithDefault(knowledgeField.is_for_candidates, false),
  }),
  example: {
    name: 'Returns and refunds',
    text: '# Refunds\n\nA refund is paid within 14 days after the goods have arrived.',
  },
  reply: z.object({ id: knowledgeBaseId }),
  replyExample: { id: knowledgeBaseExample.id },
  statuses: [],
  /** Stores the text of a knowledge base (docs/interviews.md#knowledge-bases). */
  handle({ input, write }) {
    return write(async (trx) => {
      const { id } = await trx.one(insertKnowledgeBase(input));
      await trx.count(recordAuditEntry('knowledge-base-create', id));
      return { id };
    });
  },
});
