import { z } from 'zod';
import { field } from './interview-fields';
import { defineOperation } from './operation';
import { optional, uuid, writers } from './vocabulary';

export const jobInterviewSetState = defineOperation({
  name: 'job-interview-set-state',
  method: 'POST',
  tag: 'Interviews',
  summary: 'Set the status of a definition or position, or provision its embed key',
  description: `Any status may follow any other, but nothing comes back from \`deleted\`: the id is not found from then on.
\`is_embedded: true\` provisions an embed key where there is none and answers it, its signing key for the only time;
\`false\` revokes it. Positions have no embed key.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      position_id: uuid,
      status: optional(field.status),
      is_embedded: optional(z.boolean()),
    })
    .refine((input) => input.status !== undefined || input.is_embedded !== undefined, {
      path: ['status'],
      error: 'or is_embedded is required',
    }),
  example: { position_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1', status: 'archived' },
  reply: z.union([
    z.object({ embed_id: z.string(), embed_signing_key: z.string() }),
    z.object({ success: z.literal(true) }),
  ]),
  statuses: [404, 409],
});
