import { z } from 'zod';
import type { Seal } from '../../../db/platform/sealed';
import { dateTime } from '../text/date-time';
import { ApiError } from './api-error';
import { pagingInteger, text } from './vocabulary';

/** The input of a list (docs/guide/pagination.md). */
export const paging = {
  limit: pagingInteger(1, 1000, 50).meta({ description: 'Maximum number of entries to return, 1 to 1,000.' }),
  offset: pagingInteger(0, 999_999_999, 0).meta({ description: 'Entries to skip.' }),
  cursor: text(1000).optional().meta({
    description:
      '`next_cursor` of the last page, for the entries after it. `total` then counts these. Send the same filters and order, and no `offset`.',
  }),
};
export const updatedSince = dateTime.optional().meta({
  description:
    'Only entries that were changed at or after this time. Deleted entries are missing, and so can be one that was being changed during an earlier call.',
});

const pagination = z
  .object({
    total: z.int().meta({ description: 'Matching entries on all pages.' }),
    limit: z.int().meta({
      description:
        'Maximum number of entries on this page: the requested `limit`, or less if the page was cut because of its size. With offsets, the next page begins at `offset + limit`.',
    }),
    offset: z.int().meta({ description: 'Entries before this page.' }),
    has_more: z.boolean().meta({ description: 'True if there is a next page.' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'The `cursor` of the next page. Null on the last one.' }),
  })
  .meta({ id: 'Pagination', description: 'Where this page is in the list.' });
/** The reply of a list of such entries. */
export const pageOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.object({ data: z.array(entry).meta({ description: 'The entries of this page.' }), pagination });

type Asked = { cursor?: string | undefined; limit: number; offset: number };
type Placed = { place: unknown };

/**
 * Opens the page that a call of a list asks for. Throws 422 if its cursor was not made by the same list with the same order,
 * or comes with an `offset`. Cursors are sealed, because a list can be ordered by what its reader may not see.
 */
export function openListPage(seal: Seal, list: string, asked: Asked) {
  const context = `cursor of ${list}`;
  return {
    /** The values of the last entry before the page by which the list is ordered, as JSON. Null without a cursor. */
    place: openPlace(seal, context, asked),
    /** Returns the reply. Each row has in `place` the values by which the list is ordered. */
    reply: <Row extends Placed>(
      data: Row[],
      total: number,
      has_more = asked.offset + data.length < total,
    ) => {
      const last = data.at(-1);
      const next_cursor =
        has_more && last ? seal.seal(JSON.stringify(last.place), context).toString('base64url') : null;
      return { data, pagination: { total, limit: asked.limit, offset: asked.offset, has_more, next_cursor } };
    },
  };
}

/**
 * Reads a page with `list`, whose rows contain the total. A page beyond the end has no rows, so the first row of the list is
 * then read for the total.
 */
export async function readPage<Row extends { total: number }>(
  list: (limit: number, offset: number) => Promise<Row[]>,
  { limit, offset }: Omit<Asked, 'cursor'>,
): Promise<{ rows: Row[]; total: number }> {
  const rows = await list(limit, offset);
  const [first] = rows.length > 0 ? rows : await list(1, 0);
  return { rows, total: first?.total ?? 0 };
}

function openPlace(seal: Seal, context: string, { cursor, offset }: Asked): string | null {
  if (cursor === undefined) return null;
  if (offset > 0) throw new ApiError('invalid_value', 'Send offset or cursor, not both.', 'cursor');
  const sealed = Buffer.from(cursor, 'base64url');
  try {
    // Node ignores characters that do not belong into base64url.
    if (sealed.toString('base64url') !== cursor) throw new Error('the cursor was changed');
    return seal.open(sealed, context);
  } catch {
    throw new ApiError(
      'invalid_value',
      'cursor must be next_cursor of a page of this list with the same order. Leave it out to begin.',
      'cursor',
    );
  }
}
