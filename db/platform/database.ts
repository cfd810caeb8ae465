import type { Query, Statement } from './statement';
import knex from 'knex';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { hotWorkerScope, scopeStatement, workerScope } from './caller';
import type { Caller, MerchantScope, Meter, Mode, ProvenScope } from './caller';

export type { Caller, MerchantScope, Meter, ProvenScope, Requester } from './caller';

/** Runs queries one after the other on one connection. */
export type Queries = {
  rows<Row>(query: Query<Row>): Promise<Row[]>;
  /** The only row. Throws where there is none, or more than one. */
  one<Row>(query: Query<Row>): Promise<Row>;
  /** The only row, if there is one. Throws where there is more than one. */
  maybeOne<Row>(query: Query<Row>): Promise<Row | undefined>;
  /** Rows that an insert, update or delete touched. */
  count(query: Query): Promise<number>;
};

/** One transaction. */
export type Transaction = Queries & {
  /** Who calls. Throws where nobody proved a credential: in the worker, at sign-in. */
  scope(): Promise<ProvenScope>;
  /** Whose rows the caller works on. Throws where that is no merchant. */
  merchantScope(): Promise<MerchantScope>;
  /** Runs this once the transaction is committed, and never when it is not. */
  afterCommit(work: () => void): void;
};

/** Builds SQL, and runs none: queries go through `Transaction`. */
export const sql = knex({ client: 'pg' });

/** A query as Postgres takes it. */
export const toStatement = <Row>(query: Query<Row>): Statement<Row> => {
  if ('text' in query) return query;
  const { sql: text, bindings } = query.toSQL().toNative();
  return { text, values: [...bindings] };
};

const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

const serializationFailures = new Set(['40001', '40P01']);

/** True where a statement took longer than its transaction allows. */
export const isStatementTimeout = (error: unknown): boolean => codeOf(error) === '57014';

/** True where row-level security refused what was to be written; any other 42501 is a missing grant. */
export const isPolicyRefusal = (error: unknown): boolean =>
  codeOf(error) === '42501' &&
  typeof error === 'object' &&
  error !== null &&
  'routine' in error &&
  error.routine === 'ExecWithCheckOptions';

/** True where a valid credential asked for a merchant or a role that it does not have. */
export const isScopeRefusal = (error: unknown): boolean => ['PA403', 'PA422'].includes(codeOf(error) ?? '');

const connectionFaults =
  /^(08.*|57P0.*|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** True where Postgres is out of disk, memory or connections: the same statement works once there is room again. */
export const isOutOfResources = (error: unknown): boolean => codeOf(error)?.startsWith('53') === true;

/** True for an error that says that the connection, not the statement, failed. */
export function isConnectionError(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined && connectionFaults.test(code)) return true;
  return (
    error instanceof Error &&
    /^(Connection terminated|Client has encountered|timeout exceeded|Query read timeout)/.test(error.message)
  );
}

/** True where a server that hangs let a statement go unanswered (`answerLimitMs`): it may yet run it. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** Thrown where the connection broke before `begin` was answered, so that nothing can have happened. */
class NothingHappened extends Error {
  constructor(readonly reason: unknown) {
    super('the connection broke before the transaction began');
  }
}

const ignore = () => undefined;

async function onClient<T>(
  pool: Pool,
  begin: string,
  scopeOf: Statement,
  meter: Meter | undefined,
  work: (client: PoolClient, scope: Promise<ProvenScope | null>) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const client = await pool.connect();
  let broken: Error | undefined;
  // Without a listener a connection that dies in use would end the process.
  const onLost = (error: Error) => (broken = error);
  client.on('error', onLost);
  try {
    const began = client.query(begin);
    const scope = client.query<ProvenScope | { begin_as: string }>(scopeOf).then(({ rows: [row] }) => {
      const proven = row && 'merchant_id' in row ? row : null;
      if (meter && proven) {
        meter.merchantId = proven.merchant_id;
        meter.callerId = proven.caller_id;
      }
      return proven;
    });
    began.catch(ignore);
    scope.catch(ignore);
    try {
      const value = await work(client, scope);
      await scope;
      return value;
    } catch (error) {
      // Behind a refused scope every statement fails with 25P02: the refusal is the reason to tell.
      const refusal: unknown = await began
        .then(() => scope)
        .then(
          () => error,
          (reason: unknown) => reason,
        );
      // On a connection that is lost nobody would answer the rollback.
      if (refusal instanceof Error && isConnectionError(refusal)) broken = refusal;
      else await client.query('rollback').catch((reason: Error) => (broken = reason));
      // Not what a hanging server left unanswered: its next connection hangs too.
      const unbegun =
        isConnectionError(refusal) &&
        !isUnanswered(refusal) &&
        (await began.then(
          () => false,
          () => true,
        ));
      throw unbegun ? new NothingHappened(refusal) : refusal;
    }
  } finally {
    client.off('error', onLost);
    client.release(broken);
    if (meter) meter.databaseMs += performance.now() - startedAt;
  }
}

/** Once more, where that is safe: a serialization failure, or a connection that broke before anything ran. */
async function withOneRetry<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    const code = codeOf(error);
    const again = error instanceof NothingHappened || (code !== undefined && serializationFailures.has(code));
    if (!again) throw error;
    return await attempt().catch((second: unknown) => {
      throw second instanceof NothingHappened ? second.reason : second;
    });
  }
}

/** The queries of a transaction on this connection. */
export function queriesOn(client: ClientBase): Queries {
  const rows = async <Row>(query: Query<Row>) => (await client.query(toStatement(query))).rows as Row[];
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
    count: async (query) => (await client.query(toStatement(query))).rowCount ?? 0,
  };
}

async function runWork<T>(
  client: PoolClient,
  scope: Promise<ProvenScope | null>,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  const onCommit: (() => void)[] = [];
  const provenScope = async () => {
    const proven = await scope;
    if (!proven) throw new Error('this transaction has no caller');
    return proven;
  };
  const value = await work({
    ...queriesOn(client),
    scope: provenScope,
    merchantScope: async () => {
      const { merchant_id, environment } = await provenScope();
      if (merchant_id === null) throw new Error('this transaction is of no merchant');
      return { merchant_id, environment };
    },
    afterCommit: (run) => void onCommit.push(run),
  });
  // A transaction in which a statement failed answers COMMIT with ROLLBACK and no error.
  const { command } = await client.query('commit');
  if (command !== 'COMMIT')
    throw new Error('the transaction was rolled back: a failed statement went unnoticed');
  for (const run of onCommit) run();
  return value;
}

/** The only way to the database. Nothing is read or written outside of these functions. */
export type Database = ReturnType<typeof openDatabase>;

/** Transactions over a pool of the API's login (`read`, `write`, `query`) or of the worker's (`writeAsWorker`, `queryAsWorker`). */
export function openDatabase(pool: Pool) {
  const inScope = <T>(caller: Caller, mode: Mode, work: (trx: Transaction) => Promise<T>): Promise<T> =>
    withOneRetry(() =>
      onClient(
        pool,
        mode === 'read' ? 'begin read only' : 'begin',
        scopeStatement(caller, mode),
        caller.meter,
        (client, scope) => runWork(client, scope, work),
      ),
    );
  return {
    /** One READ ONLY transaction in the caller's scope. Throws PA401, PA403, PA422 as Postgres errors (see `app.check_credential`). */
    read: <T>(caller: Caller, work: (trx: Transaction) => Promise<T>): Promise<T> =>
      inScope(caller, 'read', work),

    /** One transaction in the caller's scope. `work` may run twice (serialization failure), so it touches nothing but `trx`. */
    write: <T>(caller: Caller, work: (trx: Transaction) => Promise<T>): Promise<T> =>
      inScope(caller, 'write', work),

    /** One read in the caller's scope, its four statements sent together: one round trip in place of two. */
    query: <Row>(caller: Caller, query: Query<Row>): Promise<Row[]> =>
      withOneRetry(() =>
        onClient(pool, 'begin read only', scopeStatement(caller, 'read'), caller.meter, async (client) => {
          const result = client.query(toStatement(query));
          const committed = client.query('commit');
          committed.catch(ignore);
          const { rows } = await result;
          await committed;
          return rows as Row[];
        }),
      ),

    /** One transaction of the worker process: every merchant's rows, and only the grants of `app_worker`. */
    writeAsWorker: <T>(work: (trx: Transaction) => Promise<T>): Promise<T> =>
      withOneRetry(() =>
        onClient(pool, 'begin', workerScope, undefined, (client, scope) => runWork(client, scope, work)),
      ),

    /**
     * One statement of the worker process in a transaction of its own, the four sent together: one round trip. Meant for
     * named statements that run many times a second.
     */
    queryAsWorker: <Row>(query: Query<Row>): Promise<Row[]> =>
      withOneRetry(() =>
        onClient(pool, 'begin', hotWorkerScope, undefined, async (client) => {
          const result = client.query(toStatement(query));
          const committed = client.query('commit');
          committed.catch(ignore);
          const { rows } = await result;
          const { command } = await committed;
          if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
          return rows as Row[];
        }),
      ),

    /** Throws unless the database answers. */
    ping: async (): Promise<void> => {
      await pool.query('select 1');
    },

    close: (): Promise<void> => pool.end(),
  };
}
