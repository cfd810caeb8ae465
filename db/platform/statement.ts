import type { Knex } from 'knex';

/** SQL with its parameters. A statement with a name is prepared once per connection. `Row` is the type of its rows. */
export type Statement<Row = unknown> = {
  name?: string;
  /**
   * True if Postgres makes one plan for all values on each connection, instead of planning each call. Meant for
   * statements that find rows by id, and whose planning takes longer than running them. Such a statement has a name.
   */
  isPlannedOnce?: true;
  text: string;
  values?: unknown[];
  readonly row?: Row;
};
/** A statement, or a query that knex builds. */
export type Query<Row = unknown> = Statement<Row> | ((Knex.QueryBuilder | Knex.Raw) & { readonly row?: Row });
