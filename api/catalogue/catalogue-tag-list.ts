import { z } from 'zod';
import { maxListBytes, listDirectories } from '../../db/catalogue/catalogue-list';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation, isPublic } from '../platform/operation/define-operation';
import { openListPage, pageOf, paging } from '../platform/operation/page-cursor';
import { queryBoolean, readers, text } from '../platform/operation/vocabulary';
import { catalogueDirectory, directoryExample, directoryField, directoryId } from './directory-fields';

export const catalogueTagList = defineOperation({
  name: 'catalogue-tag-list',
  method: 'GET',
  tag: 'Catalogue',
  summary: 'List the directories of the coaching catalogue',
  description: `Lists the directories of the coaching catalogue: the merchant's directories in every status and, unless \`include_public\` is false, the active platform-wide
directories (platform admins see these in every status). They are ordered by id or, with \`parent_tag\`, in the order of that directory. The reply does not contain
their Markdown pages; \`catalogue-tag-get\` returns them. Platform admins can list the platform-wide directories without a merchant with \`visibility=public\`.

A page ends early if its directories exceed ${maxListBytes / 1024} KiB in total. In that case \`pagination.limit\` is the number of directories on the page, so the next
page always begins at \`offset + limit\`.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: (input) => !isPublic(input),
  input: z.object({
    status: directoryField.status.optional().meta({ description: 'Only directories with this status.' }),
    visibility: directoryField.visibility
      .optional()
      .meta({ description: 'Only directories with this visibility.' }),
    platform_language_code: directoryField.platform_language_code
      .optional()
      .meta({ description: 'Only directories in this language.' }),
    filter_text: text(200).optional().meta({
      description: 'Only directories whose id, name or description contains this text. Case is ignored.',
    }),
    parent_tag: directoryId.optional().meta({
      description:
        'Only directories that are directly nested in this one. If the caller cannot see this directory, the call is a 422.',
    }),
    include_public: queryBoolean
      .optional()
      .transform((value) => value ?? true)
      .meta({
        type: 'boolean',
        default: true,
        description: 'False excludes platform-wide directories.',
      }),
    ...paging,
  }),
  example: { status: 'active', filter_text: 'lead' },
  reply: pageOf(catalogueDirectory),
  replyExample: {
    data: [directoryExample],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false, next_cursor: null },
  },
  statuses: [],
  /** Reads one page of directories with one database query (docs/catalogue.md#directories). */
  async handle({ input, caller }, { database, seal }) {
    const { parent_tag: parent } = input;
    const { place, reply } = openListPage(
      seal,
      parent ? `directories of ${parent}` : 'catalogue-tag-list',
      input,
    );
    const rows = await database.query(caller, listDirectories({ ...input, place }));
    const { total = 0, is_known } = rows[0] ?? {};
    if (!is_known)
      throw new ApiError('unknown_id', 'parent_tag must be the id of an existing directory.', 'parent_tag');
    const data = rows.flatMap((row) => (row.id === null ? [] : [{ ...row, id: row.id }]));
    const { pagination } = reply(data, total);
    // If the byte limit made the page shorter, `limit` is the number of its rows, so that `offset + limit` is the start
    // of the next page.
    return {
      data,
      pagination: { ...pagination, limit: pagination.has_more ? data.length : pagination.limit },
    };
  },
});
