import { z } from 'zod';
import { defineOperation } from './operation';
import { reportText, reportTitle } from './report-text';
import { uuid, writers } from './vocabulary';

export const merchantFeatureRequest = defineOperation({
  name: 'merchant-feature-request',
  method: 'POST',
  tag: 'Support',
  summary: 'Post a feature request on the public board',
  description: `Posts it on the public feature request board under the caller's name, which follows from the account's e-mail;
the company is not named. Everybody can read and vote; the board mails the caller what becomes of it.

Blanks around \`title\` and \`description\` are left out; a title is one line without invisible characters. A text with an e-mail address, a phone number or the name of the
caller's own company, or of the one that is acted for, is 422 that names the field, and so is one with what looks like a password or key. A company that is called by one ordinary word, as "Target", is named
where the word is written as a name, not in "a target date".

Each user may make 5 in 24 hours, at whichever merchant; one more is 429 with \`Retry-After\`.

The call waits for the board, at most 20 seconds. When the board does not take it, or the deployment has none, it answers
503: nothing is stored and nothing counted. Made again, it finds a post whose answer was lost, by its author, title and
description, and makes no second one. Service keys may not call it: a feature request is somebody's.`,
  roles: writers,
  serviceKeys: false,
  needsMerchant: true,
  input: z.object({ title: reportTitle(5, 120), description: reportText(10, 4_000) }),
  example: {
    title: 'Export the shortlist as a spreadsheet',
    description:
      'Hiring managers compare candidates offline. One file with names and scores would save an hour.',
  },
  reply: z.object({ id: uuid, status: z.literal('posted') }),
  statuses: [],
});
