import type { Knex } from 'knex';

/** SQL with its parameters; prepared once per connection where it has a name. `Row` is what it returns. */
export type Statement<Row = unknown> = {
  name?: string;
  text: string;
  values?: unknown[];
  readonly row?: Row;
};
/** The same, or one that knex builds. */
export type Query<Row = unknown> = Statement<Row> | ((Knex.QueryBuilder | Knex.Raw) & { readonly row?: Row });
