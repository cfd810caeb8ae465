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
        const cursor = pagination.next_cursor;
        next = cursor === null ? undefined : { ...next, offset: undefined, cursor };
      }
    },
  };
}
