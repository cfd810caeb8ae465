import { z } from 'zod';
import type { Seal } from '../../../db/platform/sealed';
import { dateTime } from '../text/date-time';
import { ApiError } from './api-error';
import { pagination, paging, text, toPage } from './vocabulary';

/** The input of a list that takes a `cursor` (docs/guide/pagination.md#cursors). */
export const cursorPaging = {
  ...paging,
  cursor: text(1000).optional().meta({
    description:
      '`next_cursor` of the last page, for the entries after it. `total` then counts these. Send the same filters and order, and no `offset`.',
  }),
};
export const updatedSince = dateTime.optional().meta({
  description:
    'Only entries that were changed at or after this time. Deleted entries are missing, and so can be one that was being changed during an earlier call.',
});

export const cursorPagination = pagination
  .extend({
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'The `cursor` of the next page. Null on the last one.' }),
  })
  .meta({ id: 'CursorPagination', description: 'Where this page is in the list.' });
/** The reply of a list of such entries that takes a `cursor`. */
export const cursorPageOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.object({
    data: z.array(entry).meta({ description: 'The entries of this page.' }),
    pagination: cursorPagination,
  });

const contextOf = (list: string): string => `cursor of ${list}`;

/**
 * Opens the cursor of a call: the values of the last entry by which the list is ordered, as JSON. Null without a cursor.
 * Throws 422 if it was not made by the same list with the same order, or comes with an `offset`.
 */
export function openPlace(
  seal: Seal,
  list: string,
  { cursor, offset }: { cursor?: string | undefined; offset: number },
): string | null {
  if (cursor === undefined) return null;
  if (offset > 0) throw new ApiError('invalid_value', 'Send offset or cursor, not both.', 'cursor');
  try {
    return seal.open(Buffer.from(cursor, 'base64url'), contextOf(list));
  } catch {
    throw new ApiError(
      'invalid_value',
      'cursor must be next_cursor of a page of this list with the same order. Leave it out to begin.',
      'cursor',
    );
  }
}

type Placed = { place: unknown };
/** Where a page is. `has_more` is computed from the total if it is left out. */
type Found = { total: number; limit: number; offset: number; has_more?: boolean };

/**
 * Returns the page of a list, whose rows have in `place` the values by which the list is ordered. They are sealed, because
 * a list can be ordered by what its reader may not see.
 */
export function toCursorPage<Row extends Placed>(
  seal: Seal,
  list: string,
  data: Row[],
  { total, limit, offset, has_more }: Found,
) {
  const page = toPage(data, total, { limit, offset });
  const hasMore = has_more ?? page.pagination.has_more;
  const last = data.at(-1);
  const next_cursor =
    hasMore && last ? seal.seal(JSON.stringify(last.place), contextOf(list)).toString('base64url') : null;
  return { data, pagination: { ...page.pagination, has_more: hasMore, next_cursor } };
}
