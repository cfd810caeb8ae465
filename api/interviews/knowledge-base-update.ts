import { z } from 'zod';
import { lockKnowledgeBase, updateKnowledgeBase } from '../../db/interviews/knowledge-bases';
import { recordAuditEntry } from '../../db/platform/audit';
import { defineOperation, requireOneOf } from '../platform/operation/define-operation';
import { writers } from '../platform/operation/vocabulary';
import {
  knowledgeBaseExample,
  knowledgeBaseId,
  knowledgeField,
  unknownKnowledgeBase,
} from './knowledge-base-fields';
import { knowledgeBaseGet } from './knowledge-base-get';

const fields = ['name', 'text', 'is_for_candidates', 'status'] as const;

export const knowledgeBaseUpdate = defineOperation({
  name: 'knowledge-base-update',
  method: 'POST',
  tag: 'Knowledge',
  summary: 'Change, archive or reactivate a knowledge base',
  description: `Changes the fields that are sent; other fields keep their value. A change reaches the next question that is asked, also in interviews that somebody is
taking, and answers that are scored from then on.

\`status: archived\` hides nothing from the interviews that use it. A call that newly names an archived knowledge base is a 422.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      knowledge_base_id: knowledgeBaseId,
      name: knowledgeField.name.optional(),
      text: knowledgeField.text.optional(),
      is_for_candidates: knowledgeField.is_for_candidates.optional(),
      status: knowledgeField.status.optional(),
    })
    .superRefine(requireOneOf(fields)),
  example: { knowledge_base_id: knowledgeBaseExample.id, is_for_candidates: true },
  reads: ({ knowledge_base_id }) => ({ operation: knowledgeBaseGet, input: { knowledge_base_id } }),
  reply: z.object({
    id: knowledgeBaseId,
    updated_fields: z
      .array(z.string().meta({ description: 'Name of a field.' }))
      .meta({ description: 'The fields whose value changed.' }),
  }),
  replyExample: { id: knowledgeBaseExample.id, updated_fields: ['is_for_candidates'] },
  statuses: [404],
  /** Changes the fields whose sent values differ from the stored ones (docs/interviews.md#knowledge-bases). */
  handle({ input, write, requireMatch }) {
    return write(async (trx) => {
      const before = await trx.maybeOne(lockKnowledgeBase(input.knowledge_base_id));
      if (!before) throw unknownKnowledgeBase();
      await requireMatch(trx);
      const updated_fields = fields.filter(
        (field) => input[field] !== undefined && input[field] !== before[field],
      );
      if (updated_fields.length > 0) {
        const columns = Object.fromEntries(updated_fields.map((field) => [field, input[field]]));
        await trx.count(updateKnowledgeBase(before.id, columns));
        await trx.count(
          recordAuditEntry('knowledge-base-update', before.id, { updated_fields, status: columns['status'] }),
        );
      }
      return { id: before.id, updated_fields };
    });
  },
});
