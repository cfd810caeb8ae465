import type { Knex } from 'knex';

/** SQL with its parameters. A statement with a name is prepared once per connection. `Row` is the type of its rows. */
export type Statement<Row = unknown> = {
  name?: string;
  text: string;
  values?: unknown[];
  readonly row?: Row;
};
/** A statement, or a query that knex builds. */
export type Query<Row = unknown> = Statement<Row> | ((Knex.QueryBuilder | Knex.Raw) & { readonly row?: Row });
