import { z } from 'zod';
import { findKnowledgeBase } from '../../db/interviews/knowledge-bases';
import { defineOperation } from '../platform/operation/define-operation';
import { defineMirrored } from '../platform/operation/mirrored';
import { interviewStatus } from '../platform/operation/named-enums';
import { readers } from '../platform/operation/vocabulary';
import {
  knowledgeBase,
  knowledgeBaseExample,
  knowledgeBaseId,
  unknownKnowledgeBase,
} from './knowledge-base-fields';

/** The maximum number of interviews that a reply lists. */
const maxInterviews = 100;

const reply = knowledgeBase.extend({
  interviews: z
    .array(
      z.object({
        interview_id: z.string().meta({ description: 'Id of the interview.' }),
        name: z.string().meta({ description: 'Name of the interview.' }),
        status: interviewStatus,
      }),
    )
    .meta({ description: `At most ${maxInterviews} of the interviews that use it.` }),
});

export const knowledgeBaseGet = defineOperation({
  name: 'knowledge-base-get',
  method: 'GET',
  tag: 'Knowledge',
  summary: 'Get a knowledge base',
  description: `Returns a knowledge base with its text, and the first ${maxInterviews} interviews that use it, by name.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ knowledge_base_id: knowledgeBaseId }),
  example: { knowledge_base_id: knowledgeBaseExample.id },
  reply,
  replyExample: {
    ...knowledgeBaseExample,
    text: '# Refunds\n\nA refund is paid within 14 days after the goods have arrived.',
    interviews: [
      { interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1', name: 'Support agent', status: 'active' },
      { interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e2', name: 'Team lead support', status: 'draft' },
    ],
  },
  statuses: [404],
  /** Reads one knowledge base and where it is used. */
  async handle({ input: { knowledge_base_id }, caller }, { database }) {
    const [found] = await database.query(caller, findKnowledgeBase(knowledge_base_id, maxInterviews));
    if (!found) throw unknownKnowledgeBase();
    return found;
  },
});

/** Knowledge bases as `GET /sync` returns them. */
export const mirroredKnowledgeBases = defineMirrored({
  body: reply,
  serviceKeys: true,
  async read(trx, ids) {
    const found = await Promise.all(ids.map((id) => trx.maybeOne(findKnowledgeBase(id, maxInterviews))));
    return new Map(found.flatMap((base) => (base ? [[base.id, base]] : [])));
  },
});
