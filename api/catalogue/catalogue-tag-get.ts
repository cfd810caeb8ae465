import { z } from 'zod';
import { maxListBytes, readDirectory } from '../../db/catalogue/catalogue-list';
import type { DirectoryWithContents } from '../../db/catalogue/catalogue-list';
import { defineOperation } from '../platform/operation/define-operation';
import { defineMirrored } from '../platform/operation/mirrored';
import { readers } from '../platform/operation/vocabulary';
import {
  catalogueDirectory,
  catalogueUrl,
  directoryExample,
  directoryId,
  matchedSession,
  subDirectory,
} from './directory-fields';
import { unknownDirectory } from './directory-of';

/** The most sessions that are returned for one directory. */
const maxMatchedSessions = 200;

const reply = catalogueDirectory.extend({
  content_md: z
    .string()
    .nullable()
    .meta({ description: 'The page in Markdown, as it was sent. Null: the page shows the grid.' }),
  catalogue_url: catalogueUrl,
  sub_directories: z
    .array(subDirectory)
    .meta({ description: 'The nested directories, in the order they are shown.' }),
  sub_directories_truncated: z.boolean().meta({
    description: `True if \`sub_directories\` was cut at ${maxListBytes / 1024} KiB. \`catalogue-tag-list\` with \`parent_tag\` lists all of them.`,
  }),
  matched_sessions: z.array(matchedSession).meta({
    description: `The sessions that the directory lists, ordered by name, at most ${maxMatchedSessions}.`,
  }),
  matched_sessions_truncated: z.boolean().meta({
    description: `True if the directory lists more than ${maxMatchedSessions} sessions, or more than ${maxListBytes / 1024} KiB of them.`,
  }),
});

export const catalogueTagGet = defineOperation({
  name: 'catalogue-tag-get',
  method: 'GET',
  tag: 'Catalogue',
  summary: 'Read a directory of the coaching catalogue',
  description: `Returns a directory of the coaching catalogue with its page, the directories it nests and the sessions it lists.

\`sub_directories\` are the directories in \`tags_sub\` that exist and that the caller can see, in that order and in every status. \`matched_sessions\` are the merchant's
active coaching and persona sessions in the credential's environment that have the visibility public or merchant_public and every tag in
\`tags_interview_set_filter\`, ordered by name. Each list is cut at ${maxListBytes / 1024} KiB; \`sub_directories_truncated\` or \`matched_sessions_truncated\` is then true.
\`catalogue-tag-list\` with \`parent_tag\` lists all \`sub_directories\` page by page. Platform admins can read platform-wide directories without a \`merchant_id\`; to read a
directory of a merchant they must send it.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: false,
  input: z.object({ id: directoryId }),
  example: { id: 'leadership-en' },
  reply,
  replyExample: {
    ...directoryExample,
    content_md: null,
    catalogue_url: 'https://learn.example.com/catalogue/leadership-basics-en',
    sub_directories: [],
    sub_directories_truncated: false,
    matched_sessions: [
      {
        id: '01a1fcf7-b13e-74de-bd85-c2fc187618e5',
        name: 'Give difficult feedback',
        type: 'coaching',
        status: 'active',
        visibility: 'merchant_public',
        tags: ['leadership'],
      },
    ],
    matched_sessions_truncated: false,
  },
  statuses: [404],
  /** Reads a directory in one round trip (docs/catalogue.md#sessions-of-a-directory). */
  async handle({ input, caller }, { database }) {
    const [row] = await database.query(caller, readDirectory(input.id, maxMatchedSessions));
    if (!row) throw unknownDirectory(caller);
    return toDirectory(row);
  },
});

/** The merchant's own directories as `GET /sync` returns them. */
export const mirroredDirectories = defineMirrored({
  body: reply,
  serviceKeys: true,
  async read(trx, ids) {
    const found = await Promise.all(ids.map((id) => trx.rows(readDirectory(id, maxMatchedSessions))));
    return new Map(found.flatMap(([row]) => (row ? [[row.id, toDirectory(row)]] : [])));
  },
});

const toDirectory = (row: DirectoryWithContents) => ({
  ...row,
  matched_sessions: row.matched_sessions.slice(0, maxMatchedSessions),
  matched_sessions_truncated:
    row.matched_sessions_truncated || row.matched_sessions.length > maxMatchedSessions,
});
