import type { Knex } from 'knex';

/** SQL with its parameters; prepared once per connection where it has a name. */
export type Statement = { name?: string; text: string; values?: unknown[] };
export type Query = Statement | Knex.QueryBuilder | Knex.Raw;
