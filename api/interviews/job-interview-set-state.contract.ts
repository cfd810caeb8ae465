import { z } from 'zod';
import { field, interviewOrPositionId } from './interview-fields';
import { defineOperation, sendsChange } from '../platform/operation/define-operation';
import { interviewIdAlias, optional, writers } from '../platform/operation/vocabulary';

export const jobInterviewSetState = defineOperation({
  name: 'job-interview-set-state',
  method: 'POST',
  tag: 'Interviews',
  summary: 'Set the status of a definition or position, or provision its embed key',
  description: `Sets the status of an interview definition or a position, or provisions or revokes the embed key of a definition. Any status can
follow any other, except that \`deleted\` is final: the id is not found from then on.

\`is_embedded: true\` provisions an embed key if there is none; the reply then has \`embed_id\` and, for the only time, \`embed_signing_key\`.
\`is_embedded: false\` revokes the key. In all other cases the reply is \`{"success": true}\`. Positions have no embed key.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      position_id: interviewOrPositionId,
      status: optional(field.status),
      is_embedded: optional(z.boolean()).meta({
        description: 'True provisions an embed key where there is none, false revokes it.',
      }),
    })
    .superRefine(sendsChange(['status', 'is_embedded'])),
  aliases: interviewIdAlias,
  example: { position_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1', status: 'archived' },
  reply: z.union([
    z.object({
      embed_id: z.string().meta({ description: 'Public id of the new embed key.' }),
      embed_signing_key: z
        .string()
        .meta({ description: 'The secret of the new embed key, shown in this reply only.' }),
    }),
    z.object({ success: z.literal(true).meta({ description: 'Always true.' }) }),
  ]),
  replyExample: { success: true },
  statuses: [404],
});
