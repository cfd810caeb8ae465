import { z } from 'zod';
import { defineOperation } from '../platform/operation/define-operation';
import { reportText, reportTitle } from './issue-text';
import { uuid, writers } from '../platform/operation/vocabulary';

export const merchantFeatureRequest = defineOperation({
  name: 'merchant-feature-request',
  method: 'POST',
  tag: 'Support',
  summary: 'Post a feature request on the public board',
  description: `Posts a feature request on the public feature request board, under the caller's name; the company is not named. Everybody can read it and vote,
and the board e-mails the caller what becomes of it.

Leave out personal data: a text with an e-mail address, a phone number, the name of the company, or what looks like a password or key is a 422 that names the
field. White space around both texts is removed.

Each user can post 5 in 24 hours, at all merchants together; one more is a 429. The call waits for the board, at most 20 seconds. If the board does not take the
post, the call is a 503 and nothing is stored or counted. Repeat it without fear: a post whose reply was lost is found again, not made twice.`,
  roles: writers,
  serviceKeys: false,
  needsMerchant: true,
  input: z.object({
    title: reportTitle(5, 120).meta({ description: 'One line, 5 to 120 characters.' }),
    description: reportText(10, 4_000).meta({
      description: 'What you need and why, 10 to 4,000 characters of plain text.',
    }),
  }),
  example: {
    title: 'Export the shortlist as a spreadsheet',
    description:
      'Hiring managers compare candidates offline. One file with names and scores would save an hour.',
  },
  reply: z.object({
    id: uuid.meta({ description: 'Id of the feature request.' }),
    status: z.literal('posted').meta({ description: 'Always `posted`: it is on the board.' }),
  }),
  replyExample: { id: '01a1fcf7-b13e-74de-bd85-c2fc187618d1', status: 'posted' },
  statuses: [],
});
