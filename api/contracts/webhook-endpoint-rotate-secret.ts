import { z } from 'zod';
import { defineOperation } from './operation';
import { timestamp, uuid, withDefault, writers } from './vocabulary';

/** Secrets that sign at the same time: each adds a signature to every request. */
export const maxSecrets = 5;

export const webhookEndpointRotateSecret = defineOperation({
  name: 'webhook-endpoint-rotate-secret',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Rotate the signing secret of a webhook endpoint',
  description: `Makes a new secret, shown here for the only time. The previous one signs beside it for \`overlap_hours\`, until
\`previous_expires_at\`; with 0 it ends at once. At most ${maxSecrets} sign at the same time: one more is 409 unless \`overlap_hours\` is 0.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ endpoint_id: uuid, overlap_hours: withDefault(z.number().min(0).max(168), 24) }),
  example: { endpoint_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1', overlap_hours: 24 },
  reply: z.object({ id: uuid, signing_secret: z.string(), previous_expires_at: timestamp }),
  statuses: [404, 409],
});
