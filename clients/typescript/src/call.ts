import type { Pagination } from './generated/types.js';

export type CallOptions = {
  /** Makes a POST safe to repeat after a crash of your own. If left out, each call gets a new key for its retries. */
  idempotencyKey?: string | undefined;
  /** Ends the call and its retries. */
  signal?: AbortSignal | undefined;
  /** Headers to add, such as `if-match`. */
  headers?: Record<string, string> | undefined;
};

/** An input whose `Field` can be sent under another name. */
export type WithAlias<Input, Field extends keyof Input, Alias extends keyof Input> =
  | Input
  | (Omit<Input, Field> & Required<Pick<Input, Alias>>);

/** Lists are sent with commas. */
export type Query = Record<string, string | number | boolean | readonly string[] | null | undefined>;
/** A body of bytes is sent as it is, any other as JSON. */
export type Sent = { query?: Query | undefined; body?: unknown; options?: CallOptions | undefined };

/** One page of a list, as the API returns it. */
export type Page<Row> = { data: Row[]; pagination: Pagination };

/** A list: `for await` reads all its rows page by page, and `page` only the page that the query asks for. */
export type List<Row> = AsyncIterable<Row> & { page: () => Promise<Page<Row>> };
