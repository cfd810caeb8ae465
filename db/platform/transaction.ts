import type { ClientBase, PoolClient } from 'pg';
import type { MerchantScope, ProvenScope } from './caller';
import type { Query, Statement } from './statement';

/** Runs queries one after another on one connection. */
export type Queries = {
  rows<Row>(query: Query<Row>): Promise<Row[]>;
  /** Returns the only row. Throws when there is no row or more than one. */
  one<Row>(query: Query<Row>): Promise<Row>;
  /** Returns the only row, if there is one. Throws when there is more than one. */
  maybeOne<Row>(query: Query<Row>): Promise<Row | undefined>;
  /** Returns the number of rows that an insert, update or delete touched. */
  count(query: Query): Promise<number>;
};

export type Transaction = Queries & {
  /**
   * Returns the caller's scope. Throws in transactions without a verified credential: those of the worker and of
   * sign-in.
   */
  scope(): Promise<ProvenScope>;
  /** Returns the merchant whose rows the caller works on. Throws when the caller has no merchant. */
  merchantScope(): Promise<MerchantScope>;
  /**
   * Sends a query and the commit together, as the last query of the transaction. If the query fails, the transaction
   * is rolled back.
   */
  last<Row>(query: Query<Row>): Promise<Row[]>;
  /** Runs `work` once the transaction has committed. Does not run it if the transaction does not commit. */
  afterCommit(work: () => void): void;
};

/** Converts a query to an object with text and values, which pg can run. */
export const toStatement = <Row>(query: Query<Row>): Statement<Row> => {
  if ('text' in query) return query;
  const { sql: text, bindings } = query.toSQL().toNative();
  return { text, values: [...bindings] };
};

const ignore = () => undefined;

/** Sends a query without waiting for the reply. */
function send<Row>(client: ClientBase, query: Query<Row>) {
  const statement = toStatement(query);
  if (!statement.isPlannedOnce) return client.query(statement);
  client.query('set local plan_cache_mode = force_generic_plan').catch(ignore);
  const result = client.query(statement);
  client.query('set local plan_cache_mode = default').catch(ignore);
  return result;
}

/** Returns functions that run queries on a connection. The calling code begins and ends the transaction. */
export function createQueries(client: ClientBase): Queries {
  const rows = async <Row>(query: Query<Row>) => (await send(client, query)).rows as Row[];
  const maybeOne = async <Row>(query: Query<Row>): Promise<Row | undefined> => {
    const found = await rows(query);
    if (found.length > 1) throw new Error(`${found.length} rows where one was expected`);
    return found[0];
  };
  return {
    rows,
    maybeOne,
    one: async <Row>(query: Query<Row>): Promise<Row> => {
      const found = await maybeOne(query);
      if (found === undefined) throw new Error('no row where one was expected');
      return found;
    },
    count: async (query) => (await send(client, query)).rowCount ?? 0,
  };
}

/** Runs `work` in the transaction that was already begun on this connection, and commits it. */
export async function runAndCommit<T>(
  client: PoolClient,
  scope: Promise<ProvenScope | null>,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  const onCommit: (() => void)[] = [];
  let ending: Promise<{ command: string }> | undefined;
  let hasFailed = false;
  const provenScope = async () => {
    const proven = await scope;
    if (!proven) throw new Error('this transaction has no caller');
    return proven;
  };
  const value = await work({
    ...createQueries(client),
    scope: provenScope,
    last: async (query) => {
      const result = send(client, query);
      ending = client.query('commit');
      ending.catch(ignore);
      const { rows } = await result.catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
      return rows as never[];
    },
    merchantScope: async () => {
      const { merchant_id, environment } = await provenScope();
      if (merchant_id === null) throw new Error('this transaction is of no merchant');
      return { merchant_id, environment };
    },
    afterCommit: (run) => void onCommit.push(run),
  });
  // If a statement has failed, Postgres replies to COMMIT with ROLLBACK, which is not an error.
  const { command } = await (ending ?? client.query('commit'));
  if (hasFailed) return value;
  if (command !== 'COMMIT')
    throw new Error('the transaction was rolled back: a failed statement went unnoticed');
  for (const run of onCommit) run();
  return value;
}

/**
 * Sends a query and the commit together. It does not wait for the replies to `begin` and to the scope statement,
 * which the calling code has already sent.
 */
export async function queryAndCommit<Row>(client: PoolClient, query: Query<Row>): Promise<Row[]> {
  const result = send(client, query);
  const committed = client.query('commit');
  committed.catch(ignore);
  const { rows } = await result;
  const { command } = await committed;
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
  return rows as Row[];
}
