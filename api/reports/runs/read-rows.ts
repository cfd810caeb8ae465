import type { Transaction } from '../../../db/platform/database';
import type { Statement } from '../../../db/platform/statement';
import { limits } from '../language/limits';
import type { ResultCache } from './result-cache';

/**
 * Runs statements that share a time limit and returns the rows of each. `isLast` is true if the transaction runs
 * nothing afterwards.
 */
export type ReadRows = <R>(
  statements: readonly Statement<R>[],
  timeoutMs: number,
  isLast?: boolean,
) => Promise<R[][]>;

/** Thrown when rows are not in the cache. */
export class NotCached extends Error {}

/**
 * Reads from the cache only. `scope` identifies everything that the rows depend on besides the statements. Throws
 * `NotCached` if the rows are not in the cache.
 */
export const readFromCache =
  (cache: ResultCache, scope: string): ReadRows =>
  async <R>(statements: readonly Statement<R>[]) => {
    const found = cache.get(scope, statements);
    if (!found) throw new NotCached('these rows are not in the cache');
    return found as R[][];
  };

/**
 * Reads rows from the cache. Reads missing rows in the transaction `trx`, which the caller has begun, and adds them
 * to the cache.
 */
export function readThroughCache(trx: Transaction, cache: ResultCache, scope: string): ReadRows {
  const { inSavepoint, asLast } = openReader(trx);
  return async <R>(statements: readonly Statement<R>[], timeoutMs: number, isLast = false) => {
    const found = cache.get(scope, statements);
    if (found) return found as R[][];
    const [only, ...others] = statements;
    const isEnd = isLast && only && others.length === 0;
    const rows = await (isEnd ? asLast(only, timeoutMs) : inSavepoint(statements, timeoutMs));
    cache.set(scope, statements, rows);
    return rows;
  };
}

/** The statement time limit that `database.snapshot` sets at the start. */
const firstLimitMs: number = limits.block_timeout_ms;
/** The time limit is set again only if it has changed by more than this, because setting it takes a statement. */
const toleranceMs = 500;

/**
 * Runs statements that share a time limit. Each statement is sent only when the previous one has returned, because
 * the connection's own limit of 15 s begins for each statement when it is sent.
 */
function openReader(trx: Transaction) {
  let limitMs = firstLimitMs;
  const setLimit = (leftMs: number): Promise<unknown>[] => {
    if (Math.abs(leftMs - limitMs) <= toleranceMs) return [];
    limitMs = Math.max(1, Math.ceil(leftMs));
    const text = `select set_config('statement_timeout', $1, true)`;
    return [trx.rows({ name: 'set_block_timeout', text, values: [String(limitMs)] })];
  };

  async function inSavepoint<R>(statements: readonly Statement<R>[], timeoutMs: number): Promise<R[][]> {
    const endsAt = performance.now() + timeoutMs;
    const found: R[][] = [];
    for (const [index, statement] of statements.entries()) {
      const before = index === 0 ? [trx.count({ text: 'savepoint block' })] : [];
      const limit = setLimit(endsAt - performance.now());
      const work = trx.rows(statement);
      const after = index === statements.length - 1 ? [trx.count({ text: 'release savepoint block' })] : [];
      const settled = await Promise.allSettled([...before, ...limit, work, ...after]);
      const failed = settled.find((each) => each.status === 'rejected');
      if (failed) {
        await trx.count({ text: 'rollback to savepoint block' });
        // The rollback has also reset the time limit, so the next statement must set it again.
        limitMs = Number.NaN;
        throw failed.reason;
      }
      found.push(await work);
    }
    return found;
  }

  /** Runs the last statement of a transaction. It needs no savepoint, because no statement follows if it fails. */
  async function asLast<R>(statement: Statement<R>, timeoutMs: number): Promise<R[][]> {
    const [, rows] = await Promise.all([Promise.all(setLimit(timeoutMs)), trx.last(statement)]);
    return [rows];
  }
  return { inSavepoint, asLast };
}
