import knex from 'knex';
import type { Pool, PoolClient } from 'pg';
import { hotWorkerScope, scopeStatement, workerScope } from './caller';
import type { Caller, RequestMeter, TransactionMode, ProvenScope } from './caller';
import type { Query, Statement } from './statement';
import { queryAndCommit, runAndCommit } from './transaction';
import type { Transaction } from './transaction';

export type {
  AvatarCaller,
  Caller,
  LinkCaller,
  LiveCaller,
  MerchantScope,
  RequestMeter,
  ProvenScope,
  Requester,
} from './caller';
export { createQueries, toStatement } from './transaction';
export type { Queries, Transaction } from './transaction';

/** Builds SQL but never runs it. Queries go through `Transaction`. */
export const sql = knex({ client: 'pg' });

const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

const serializationFailures = new Set(['40001', '40P01']);

/** True when a statement exceeded the time limit of its transaction. */
export const isStatementTimeout = (error: unknown): boolean => codeOf(error) === '57014';

/** True when row-level security rejected a write. Any other error 42501 means that a grant is missing. */
export const isPolicyError = (error: unknown): boolean =>
  codeOf(error) === '42501' &&
  typeof error === 'object' &&
  error !== null &&
  'routine' in error &&
  error.routine === 'ExecWithCheckOptions';

/** True when the caller's session, key or candidate link does not exist or has ended. */
export const isCredentialError = (error: unknown): boolean => codeOf(error) === 'PA401';

/** True when a valid credential asked for a merchant or a role that it does not have. */
export const isScopeError = (error: unknown): boolean => ['PA403', 'PA422'].includes(codeOf(error) ?? '');

const connectionErrorCodes =
  /^(08.*|57P0.*|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/**
 * True when Postgres has run out of disk, memory or connections. The same statement succeeds once these are available
 * again.
 */
export const isOutOfResources = (error: unknown): boolean => codeOf(error)?.startsWith('53') === true;

/** True when Postgres ended a transaction in favor of another one: a deadlock or a serialization failure. */
export const isSerializationFailure = (error: unknown): boolean =>
  serializationFailures.has(codeOf(error) ?? '');

/** True when a value was invalid (SQLSTATE classes 22 and 23), so that the same statement would fail again. */
export const isInvalidValue = (error: unknown): boolean => /^2[23]/.test(codeOf(error) ?? '');

/** True when the error means that the connection failed, not that a statement was wrong. */
export function isConnectionError(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined && connectionErrorCodes.test(code)) return true;
  return (
    error instanceof Error &&
    /^(Connection terminated|Client has encountered|timeout exceeded|Query read timeout)/.test(error.message)
  );
}

/** True when the cause is the state of the database, not the statement, so that it ends by itself. */
export const isTemporary = (error: unknown): boolean =>
  isConnectionError(error) || isOutOfResources(error) || isSerializationFailure(error);

/** True when Postgres did not respond within `queryTimeoutMs`. Postgres may still be running the statement. */
const isQueryTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** Thrown when the connection broke before the reply to `begin`, so no statement has changed anything. */
class NotBegun extends Error {
  constructor(readonly reason: unknown) {
    super('the connection broke before the transaction began');
  }
}

/** Thrown when `signal` aborts before the work of a transaction is done. */
export class CallerGone extends Error {
  constructor() {
    super('Connection terminated: the caller is gone');
  }
}

const ignore = () => undefined;

async function onClient<T>(
  pool: Pool,
  begin: string,
  scopeOf: Statement,
  meter: RequestMeter | undefined,
  work: (client: PoolClient, scope: Promise<ProvenScope | null>) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  if (signal?.aborted) throw new CallerGone();
  const startedAt = performance.now();
  const client = await pool.connect();
  if (signal?.aborted) {
    client.release();
    throw new CallerGone();
  }
  let broken: Error | undefined;
  // Closes the connection. Postgres notices this within a second and cancels the query (pool.ts). `client.end()` would
  // wait for the query, because queries are pipelined.
  const { stream } = client.connection;
  const abandon = () => stream.destroy();
  signal?.addEventListener('abort', abandon);
  // Without this listener, an error on a connection in use would end the process.
  const onLost = (error: Error) => (broken = error);
  client.on('error', onLost);
  try {
    // What is sent without waiting for a reply is written at once.
    stream.cork();
    process.nextTick(() => stream.uncork());
    const began = client.query(begin);
    const scope = client
      .query<ProvenScope | { begin_as: string } | { merchant_id: string }>(scopeOf)
      .then(({ rows: [row] }) => {
        const proven = row && 'caller_id' in row ? row : null;
        if (meter && row && 'merchant_id' in row) {
          meter.merchantId = row.merchant_id;
          meter.callerId = proven?.caller_id ?? null;
        }
        return proven;
      });
    began.catch(ignore);
    scope.catch(ignore);
    try {
      const value = await work(client, scope);
      await scope;
      signal?.throwIfAborted();
      return value;
    } catch (error) {
      if (signal?.aborted) throw new CallerGone();
      // If the first statement, which sets the caller's scope, has failed, all later statements fail with 25P02. Only
      // the first error says what is wrong, so it is the one to throw.
      const cause: unknown = await began
        .then(() => scope)
        .then(
          () => error,
          (reason: unknown) => reason,
        );
      // On a lost connection, a rollback would never get a reply.
      if (cause instanceof Error && isConnectionError(cause)) broken = cause;
      else await client.query('rollback').catch((reason: Error) => (broken = reason));
      // A timeout is not retried, because a server that hangs would probably hang on the next connection, too.
      const notBegun =
        isConnectionError(cause) &&
        !isQueryTimeout(cause) &&
        (await began.then(
          () => false,
          () => true,
        ));
      throw notBegun ? new NotBegun(cause) : cause;
    }
  } finally {
    signal?.removeEventListener('abort', abandon);
    client.off('error', onLost);
    client.release(broken ?? signal?.aborted);
    if (meter) meter.databaseMs += performance.now() - startedAt;
  }
}

/**
 * Retries once if the failed attempt has changed nothing: after a serialization failure, or when the connection broke
 * before any statement ran.
 */
async function withOneRetry<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof NotBegun) && !isSerializationFailure(error)) throw error;
    return await attempt().catch((second: unknown) => {
      throw second instanceof NotBegun ? second.reason : second;
    });
  }
}

/** The only access to the database: all reads and writes use these functions. */
export type Database = ReturnType<typeof openDatabase>;

/**
 * Opens transactions over a pool. With the API's login, use `read`, `write` and `query`; with the worker's login,
 * `writeAsWorker` and `queryAsWorker`.
 */
export function openDatabase(pool: Pool) {
  const inScope = <T>(
    caller: Caller,
    mode: TransactionMode,
    begin: string,
    work: (trx: Transaction) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> =>
    withOneRetry(() => {
      const run = (client: PoolClient, scope: Promise<ProvenScope | null>) =>
        runAndCommit(client, scope, work);
      return onClient(pool, begin, scopeStatement(caller, mode), caller.meter, run, signal);
    });
  return {
    /**
     * Runs one read-only transaction in the caller's scope. Throws Postgres errors with the codes PA401, PA403 and
     * PA422 if the credential does not allow it (see `app.check_credential`).
     */
    read: <T>(caller: Caller, work: (trx: Transaction) => Promise<T>): Promise<T> =>
      inScope(caller, 'read', 'begin read only', work),

    /**
     * Runs one read-only transaction in the caller's scope. All its statements see the same state of the database.
     * Meant for reads that take seconds: when `signal` aborts, the running query is
     * cancelled and `CallerGone` thrown.
     */
    snapshot: <T>(caller: Caller, work: (trx: Transaction) => Promise<T>, signal: AbortSignal): Promise<T> =>
      inScope(caller, 'report', 'begin isolation level repeatable read read only', work, signal),

    /**
     * Runs one transaction in the caller's scope. After a serialization failure `work` runs again, so it must change
     * nothing except through `trx`.
     */
    write: <T>(caller: Caller, work: (trx: Transaction) => Promise<T>): Promise<T> =>
      inScope(caller, 'write', 'begin', work),

    /**
     * Runs one read in the caller's scope, sent together with begin, scope and commit: one round trip instead of two.
     */
    query: <Row>(caller: Caller, query: Query<Row>): Promise<Row[]> =>
      withOneRetry(() =>
        onClient(pool, 'begin read only', scopeStatement(caller, 'read'), caller.meter, (client) =>
          queryAndCommit(client, query),
        ),
      ),

    /**
     * Runs one transaction of the worker process, which sees every merchant's rows and has only the grants of
     * `app_worker`.
     */
    writeAsWorker: <T>(work: (trx: Transaction) => Promise<T>): Promise<T> =>
      withOneRetry(() =>
        onClient(pool, 'begin', workerScope, undefined, (client, scope) => runAndCommit(client, scope, work)),
      ),

    /**
     * Runs one statement of the worker process in its own transaction, sent together with begin, scope and commit in
     * one round trip. Meant for named statements that run many times a second.
     */
    queryAsWorker: <Row>(query: Query<Row>): Promise<Row[]> =>
      withOneRetry(() =>
        onClient(pool, 'begin', hotWorkerScope, undefined, (client) => queryAndCommit(client, query)),
      ),

    /** Throws unless the database responds. */
    ping: async (): Promise<void> => {
      await pool.query('select 1');
    },

    close: (): Promise<void> => pool.end(),
  };
}
