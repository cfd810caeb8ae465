import { z } from 'zod';
import { defineOperation } from '../platform/operation/define-operation';
import { reportText } from './issue-text';
import { optional, uuid, writers } from '../platform/operation/vocabulary';

export const merchantTechnicalIssue = defineOperation({
  name: 'merchant-technical-issue',
  method: 'POST',
  tag: 'Support',
  summary: 'Report a technical issue to support',
  description: `Reports a technical issue: opens a support conversation from the caller's e-mail address, with the company and the given ids. Support answers in
that conversation. If support cannot be reached within 8 seconds, the report is stored (\`queued\`) and sent later, for up to 7 days. Send an
\`Idempotency-Key\` to make a repeated call safe.

A text with what looks like a password or key (a private key, a token, an API key, \`password: x\`) is a 422 and is not stored. Each user can report 5 issues in 24
hours, at all merchants together; one more is a 429. A deployment without a support desk returns a 503.`,
  roles: writers,
  serviceKeys: false,
  needsMerchant: true,
  input: z.object({
    description: reportText(10, 4_000).meta({
      description:
        'What happened, 10 to 4,000 characters of plain text; blank lines separate paragraphs. Without passwords and keys.',
    }),
    interview_id: optional(uuid).meta({ description: 'Id of the interview or position that it is about.' }),
    result_id: optional(uuid).meta({ description: 'Id of the interview result that it is about.' }),
  }),
  example: {
    description: 'The page of an interview stays blank after the second question.\n\nIt worked yesterday.',
    interview_id: null,
    result_id: null,
  },
  reply: z.object({
    id: z.string().meta({ description: 'Id of the report.' }),
    status: z.enum(['sent', 'queued']).meta({
      description:
        '`sent`: support has it. `queued`: it is stored, and sent as soon as support can be reached.',
    }),
    reference: z
      .string()
      .nullable()
      .meta({
        description: 'Number of the support conversation; null while the report is queued.',
        examples: ['#1042'],
      }),
  }),
  replyExample: { id: '01a1fcf7-b13e-74de-bd85-c2fc187618c1', status: 'sent', reference: '#1042' },
  statuses: [],
});
