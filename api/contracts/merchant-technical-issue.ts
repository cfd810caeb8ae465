import { z } from 'zod';
import { defineOperation } from './operation';
import { reportText } from './report-text';
import { optional, uuid, writers } from './vocabulary';

export const merchantTechnicalIssue = defineOperation({
  name: 'merchant-technical-issue',
  method: 'POST',
  tag: 'Support',
  summary: 'Report a technical issue to support',
  description: `Opens a support conversation from the caller's account (its e-mail address) with the company and the given ids; support
answers in that conversation. \`sent\` has its number as \`reference\`. \`queued\`: support was not reached within 8 seconds, the
report is stored and goes out by itself, once, for up to 7 days; an \`Idempotency-Key\` makes a repeated call safe.

\`interview_id\` takes an interview or a position. A text with what looks like a password or key (a private key, a token, an API
key, \`password: x\`) is refused and not stored. Each user makes 5 reports in 24 hours, at all merchants together; the next one is 429
until the oldest is a day old. 503: this deployment has no support desk.`,
  roles: writers,
  serviceKeys: false,
  needsMerchant: true,
  input: z.object({
    description: reportText(10, 4_000).meta({
      description: 'Plain text; blank lines separate paragraphs',
    }),
    interview_id: optional(uuid).meta({ description: 'The interview or position concerned' }),
    result_id: optional(uuid).meta({ description: 'The interview result concerned' }),
  }),
  example: {
    description: 'The page of an interview stays blank after the second question.\n\nIt worked yesterday.',
    interview_id: null,
    result_id: null,
  },
  reply: z.object({
    id: z.string(),
    status: z.enum(['sent', 'queued']),
    reference: z
      .string()
      .nullable()
      .meta({ examples: ['#1042'] }),
  }),
  statuses: [],
});
