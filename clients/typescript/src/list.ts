import type { List, Page, Query } from './call.js';

/** The rows of a page when the caller reads all of them. */
const limitOfPages = 200;

/** Returns a list that reads each page when it is needed. */
export function createList<Row>(read: (query: Query) => Promise<Page<Row>>, query: Query = {}): List<Row> {
  return {
    page: () => read(query),
    async *[Symbol.asyncIterator]() {
      let next: Query | undefined = { limit: limitOfPages, ...query };
      while (next) {
        const { data, pagination }: Page<Row> = await read(next);
        yield* data;
        next = nextPage(next, pagination);
      }
    },
  };
}

/** Returns the query of the next page, or undefined after the last one. Servers without cursors count rows. */
function nextPage(query: Query, pagination: Page<unknown>['pagination']): Query | undefined {
  const { next_cursor: cursor, has_more, offset, limit } = pagination;
  if (typeof cursor === 'string') return { ...query, offset: undefined, cursor };
  return cursor === undefined && has_more ? { ...query, offset: offset + limit } : undefined;
}
