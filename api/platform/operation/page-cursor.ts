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
    /**
     * Returns the reply. Each row has in `place` the values by which the list is ordered. `has_more` is computed from the
     * total if it is left out.
     */
    reply: <Row extends Placed>(data: Row[], total: number, has_more?: boolean) => {
      const { pagination: counted } = toPage(data, total, asked);
      const hasMore = has_more ?? counted.has_more;
      const last = data.at(-1);
      const next_cursor =
        hasMore && last ? seal.seal(JSON.stringify(last.place), context).toString('base64url') : null;
      return { data, pagination: { ...counted, has_more: hasMore, next_cursor } };
    },
  };
}

function openPlace(seal: Seal, context: string, { cursor, offset }: Asked): string | null {
  if (cursor === undefined) return null;
  if (offset > 0) throw new ApiError('invalid_value', 'Send offset or cursor, not both.', 'cursor');
  try {
    return seal.open(Buffer.from(cursor, 'base64url'), context);
  } catch {
    throw new ApiError(
      'invalid_value',
      'cursor must be next_cursor of a page of this list with the same order. Leave it out to begin.',
      'cursor',
    );
  }
}
