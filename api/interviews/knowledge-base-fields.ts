import { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import { archiveStatus } from '../platform/operation/named-enums';
import { requiredName, requiredText, timestamp, uuid } from '../platform/operation/vocabulary';

/** The longest text of a knowledge base, in characters. */
export const maxKnowledgeCharacters = 200_000;

export const knowledgeBaseId = uuid.meta({ description: 'Id of the knowledge base.' });

/** The fields of a knowledge base that callers set (docs/interviews.md#knowledge-bases). */
export const knowledgeField = {
  name: requiredName(200).meta({ description: 'Name of the knowledge base, for the team only.' }),
  text: requiredText(maxKnowledgeCharacters).meta({
    description:
      'Plain text or Markdown. The AI gets the passages that relate to a question, not the whole of a long text.',
  }),
  is_for_candidates: z.boolean().meta({
    description:
      "True lets the AI answer candidates' questions from the text. If false, replies and follow-ups contain none of it. Drafted questions can, so read them before candidates do. An interview of type `public_avatar` answers its visitors from its knowledge base in any case.",
  }),
  status: archiveStatus.meta({
    description:
      'An archived knowledge base still serves the interviews that use it, and no other interview can name it.',
  }),
};

/** What a reply says about a knowledge base, without its text. */
export const knowledgeBase = z.object({
  id: knowledgeBaseId,
  ...knowledgeField,
  name: z.string().meta(knowledgeField.name.meta() ?? {}),
  text: z.string().meta(knowledgeField.text.meta() ?? {}),
  interview_count: z.int().meta({
    description:
      "Number of interviews in the credential's environment that use it, themselves or in one of their questions. Deleted ones do not count.",
  }),
  created_at: timestamp.meta({ description: 'When it was created.' }),
  updated_at: timestamp.meta({ description: 'When one of its fields last changed.' }),
});

export const knowledgeBaseExample = {
  id: '01a1fcf7-b13e-74de-bd85-c2fc18761907',
  name: 'Returns and refunds',
  is_for_candidates: false,
  status: 'active',
  interview_count: 2,
  created_at: '2026-01-15T09:30:00.000Z',
  updated_at: '2026-01-15T09:30:00.000Z',
} as const;

export const unknownKnowledgeBase = () =>
  new ApiError('not_found', 'There is no knowledge base with this knowledge_base_id.', 'knowledge_base_id');

/** Creates the error for a field that names a knowledge base that cannot be used. `status` is null if there is none. */
export const unusableKnowledgeBase = (field: string, status: 'archived' | null): ApiError =>
  new ApiError(
    'unknown_id',
    status === null
      ? `${field} does not name a knowledge base of the merchant.`
      : `${field} names a knowledge base that is archived. Set its status to active, or name another one.`,
    field,
  );
