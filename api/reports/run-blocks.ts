import { compileBlock, findFirstInstant } from '../../db/reports/compile-block';
import type { CheckedBlock, CheckedFilters } from '../../db/reports/checked-report';
import type { Dataset } from '../../db/reports/dataset';
import { isStatementTimeout } from '../../db/platform/database';
import type { Transaction } from '../../db/platform/database';
import type { Statement } from '../../db/platform/statement';
import { toData } from './block-data';
import type { BlockData, Found } from './block-data';
import { limits } from './limits';

/** What became of a block: its data, or one sentence that says why there is none. */
export type BlockOutcome = { data: BlockData } | { error: string };

/**
 * Runs blocks one after another in a transaction that the caller has begun, each in a savepoint with its own time limit
 * (docs/reports.md#how-it-runs). A block that takes too long, or whose numbers leave their range, fails alone; any other
 * error is thrown.
 */
export async function runBlocks(
  trx: Transaction,
  blocks: readonly CheckedBlock[],
  filters: CheckedFilters,
  { now, endsAt }: { now: Date; endsAt: number },
): Promise<BlockOutcome[]> {
  const outcomes: BlockOutcome[] = [];
  for (const block of blocks) {
    const timeoutMs = Math.min(limits.block_timeout_ms, endsAt - Date.now());
    outcomes.push(
      timeoutMs <= 0
        ? {
            error: `The ${limits.report_timeout_ms / 1_000} s of a report were used up before this block. Use fewer blocks or a shorter period.`,
          }
        : await runBlock(trx, block, filters, { now, timeoutMs }),
    );
  }
  return outcomes;
}

async function runBlock(
  trx: Transaction,
  block: CheckedBlock,
  filters: CheckedFilters,
  { now, timeoutMs }: { now: Date; timeoutMs: number },
): Promise<BlockOutcome> {
  const statements = compileBlock(block, filters);
  const asked = (['rows', 'previous', 'totals', 'previousTotals', 'others'] as const).flatMap((name) =>
    statements[name] ? [{ name, statement: statements[name] }] : [],
  );
  try {
    const found = await inSavepoint(
      trx,
      timeoutMs,
      asked.map(({ statement }) => statement),
    );
    const read = Object.fromEntries(asked.map(({ name }, at) => [name, found[at]])) as Partial<Found>;
    return { data: toData(block, filters, { rows: [], ...read }, now) };
  } catch (error) {
    if (isStatementTimeout(error)) return tooSlow(timeoutMs);
    if (isOutOfRange(error))
      return {
        error:
          'This block has a value that the database cannot compute with, such as a number that is too large or a time zone that it does not know.',
      };
    throw error;
  }
}

const tooSlow = (timeoutMs: number): BlockOutcome => ({
  error: `This block took longer than ${Math.ceil(timeoutMs / 1_000)} s. Choose a shorter period, more filters or fewer fields.`,
});

/**
 * Finds the first instant of a dataset, null without rows. Returns what becomes of its blocks if that takes too long, because
 * they would be wrong without it.
 */
export async function findFirstRow(
  trx: Transaction,
  dataset: Dataset,
  timeoutMs: number,
): Promise<{ first: Date | null } | { outcome: BlockOutcome }> {
  try {
    const [[row] = []] = await inSavepoint(trx, timeoutMs, [findFirstInstant(dataset)]);
    return { first: row?.first ? new Date(row.first) : null };
  } catch (error) {
    if (isStatementTimeout(error)) return { outcome: tooSlow(timeoutMs) };
    throw error;
  }
}

/**
 * Runs statements that share a time limit. A connection allows a statement 15 s from the moment it is sent, so the next one
 * is sent only when the one before has returned.
 */
async function inSavepoint<R>(
  trx: Transaction,
  timeoutMs: number,
  statements: readonly Statement<R>[],
): Promise<R[][]> {
  const endsAt = performance.now() + timeoutMs;
  const found: R[][] = [];
  for (const [index, statement] of statements.entries()) {
    const limitMs = Math.max(1, Math.ceil(endsAt - performance.now()));
    const before = index === 0 ? [trx.count({ text: 'savepoint block' })] : [];
    const limit = trx.rows({
      name: 'set_block_timeout',
      text: `select set_config('statement_timeout', $1, true)`,
      values: [String(limitMs)],
    });
    const work = trx.rows(statement);
    const after = index === statements.length - 1 ? [trx.count({ text: 'release savepoint block' })] : [];
    const settled = await Promise.allSettled([...before, limit, work, ...after]);
    const failed = settled.find((each) => each.status === 'rejected');
    if (failed) {
      await trx.count({ text: 'rollback to savepoint block' });
      throw failed.reason;
    }
    found.push(await work);
  }
  return found;
}

/** Class 22 of Postgres: a value is invalid, such as a number that overflows. */
const isOutOfRange = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('22');
