import { Pool, types } from 'pg';
import { parseTextArray } from './text-array';

const OID = { int8: 20, numeric: 1700, timestamptz: 1184, textArray: 1009 } as const;

/** Converts `2026-01-15 09:30:00.1+00` (the session's time zone is UTC) to `2026-01-15T09:30:00.100Z`. */
const wireTimestamp = (text: string): string =>
  text.endsWith('+00')
    ? `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z`
    : new Date(text).toISOString();

const parsers = new Map<number, (text: string) => unknown>([
  [OID.int8, Number], // All int8 values of the platform are far below 2^53.
  [OID.numeric, Number],
  [OID.timestamptz, wireTimestamp],
  [OID.textArray, parseTextArray],
]);

const typeParsers = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? types.getTypeParser(oid, format),
};

/**
 * If a statement runs for this many milliseconds, its connection is closed. Postgres ends statements earlier, so only
 * a server that hangs reaches the limit. An API call may take 60 s, in which two statements can reach the limit
 * (docs/architecture.md#time-limits).
 */
export const queryTimeoutMs = { api: 15_000, worker: 25_000 } as const;

type PoolSettings = {
  url: string;
  size: number;
  applicationName: string;
  /** The time limit of a statement in milliseconds. By default, this is the limit of the API. */
  queryTimeoutMs?: number;
  /** How many milliseconds a statement waits for a connection, 4,000 by default. */
  connectTimeoutMs?: number;
  /** Called with the error of a connection that broke while idle. The pool replaces the connection by itself. */
  onIdleError: (error: Error) => void;
};

/**
 * Opens a pool. Its rows contain values in the form of API replies: timestamps as ISO 8601 text, int8 and numeric as
 * numbers. Connections are pipelined, so statements that are sent without waiting share a round trip.
 *
 * The address can be that of PgBouncer in transaction mode (docs/operations.md#pgbouncer), which may run each transaction
 * in another session. So nothing may set up a session: roles.sql has the settings of the logins.
 */
export function openPool({
  url,
  size,
  applicationName,
  queryTimeoutMs: limitMs = queryTimeoutMs.api,
  connectTimeoutMs = 4_000,
  onIdleError,
}: PoolSettings): Pool {
  const pool = new Pool({
    connectionString: url,
    max: size,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // If a statement times out on a pipelined connection, the connection is closed, so later statements fail instead
    // of waiting.
    query_timeout: limitMs,
    pipeline: true,
    types: typeParsers,
  });
  pool.on('error', onIdleError);
  // A connection can break in the moment between its opening and its first use, when nobody else listens. Without this
  // listener, the error would end the process; with it, the first statement on the connection fails.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}
