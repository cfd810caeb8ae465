import { z } from 'zod';
import {
  catalogueDirectory,
  catalogueUrl,
  directoryId,
  matchedSession,
  subDirectory,
} from './directory-fields';
import { defineOperation } from './operation';
import { readers } from './vocabulary';

/** Sessions that are told of one directory. */
export const maxMatchedSessions = 200;

export const catalogueTagGet = defineOperation({
  name: 'catalogue-tag-get',
  method: 'GET',
  tag: 'Catalogue',
  summary: 'Read a directory of the coaching catalogue',
  description: `The directory with its page, the directories it nests and the sessions it lists.

\`sub_directories\` are those of \`tags_sub\` that exist and that the caller sees, in that order, whatever their status. \`matched_sessions\` are the merchant's active sessions of
type coaching or persona with visibility public or merchant_public, in the credential's environment, whose tags contain every tag of
\`tags_interview_set_filter\`: by name, at most ${maxMatchedSessions}, and \`matched_sessions_truncated\` tells of more. An empty filter lists none.

A platform admin without a merchant reads platform-wide directories; another id needs \`merchant_id\`.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: false,
  input: z.object({ id: directoryId }),
  example: { id: 'leadership-en' },
  reply: catalogueDirectory.extend({
    content_md: z
      .string()
      .nullable()
      .meta({ description: 'As it was written (catalogue-tag-create); null: the grid.' }),
    catalogue_url: catalogueUrl,
    sub_directories: z.array(subDirectory),
    matched_sessions: z.array(matchedSession),
    matched_sessions_truncated: z.boolean(),
  }),
  statuses: [404],
});
