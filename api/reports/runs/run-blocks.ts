import { isStatementTimeout } from '../../../db/platform/database';
import type { CheckedBlock, CheckedFilters } from '../../../db/reports/checked-report';
import { compileBlock, findFirstInstant } from '../../../db/reports/compile-block';
import type { Dataset } from '../../../db/reports/dataset';
import type { DaySumsState } from '../../../db/reports/day-sums';
import { limits } from '../language/limits';
import { toBlockData } from './block-data';
import type { BlockData, BlockRows } from './block-data';
import type { ReadRows } from './read-rows';

/** The outcome of a block: its data, or one sentence that says why the block has no data. */
export type BlockOutcome = { data: BlockData } | { error: string };

type RunOptions = {
  filters: CheckedFilters;
  rollup: DaySumsState | null;
  now: Date;
  /** When the time limit of the whole report ends, in milliseconds since 1970. */
  endsAt: number;
};

/**
 * Runs the queries of blocks one after another, with a time limit for each block (docs/reports.md#how-it-runs). A
 * block that takes too long or whose numbers overflow fails alone; any other error is thrown.
 */
export async function runBlocks(
  read: ReadRows,
  blocks: readonly CheckedBlock[],
  options: RunOptions,
): Promise<BlockOutcome[]> {
  const outcomes: BlockOutcome[] = [];
  for (const [index, block] of blocks.entries()) {
    const timeoutMs = timeLeft(options.endsAt);
    outcomes.push(
      timeoutMs <= 0
        ? usedUp
        : await runBlock(read, block, options, { timeoutMs, isLast: index === blocks.length - 1 }),
    );
  }
  return outcomes;
}

const timeLeft = (endsAt: number): number => Math.min(limits.block_timeout_ms, endsAt - Date.now());

const usedUp: BlockOutcome = {
  error: `The ${limits.report_timeout_ms / 1_000} s of a report were used up before this block. Use fewer blocks or a shorter period.`,
};

async function runBlock(
  read: ReadRows,
  block: CheckedBlock,
  { filters, rollup, now }: RunOptions,
  { timeoutMs, isLast }: { timeoutMs: number; isLast: boolean },
): Promise<BlockOutcome> {
  const statements = compileBlock(block, filters, rollup);
  const asked = (['rows', 'previous', 'totals', 'previousTotals', 'others'] as const).flatMap((name) =>
    statements[name] ? [{ name, statement: statements[name] }] : [],
  );
  try {
    const found = await read(
      asked.map(({ statement }) => statement),
      timeoutMs,
      isLast,
    );
    const rows = Object.fromEntries(asked.map(({ name }, at) => [name, found[at]])) as Partial<BlockRows>;
    return { data: toBlockData(block, filters, { rows: [], ...rows }, now) };
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
 * Returns the instant of a dataset's first row, or null if the dataset has no rows. If the query takes longer than a
 * block may, returns an error as the outcome of all blocks that need this instant.
 */
export async function findFirstRow(
  read: ReadRows,
  dataset: Dataset,
  endsAt: number,
): Promise<{ first: Date | null } | { outcome: BlockOutcome }> {
  const timeoutMs = timeLeft(endsAt);
  if (timeoutMs <= 0) return { outcome: usedUp };
  try {
    const [[row] = []] = await read([findFirstInstant(dataset)], timeoutMs);
    return { first: row?.first ? new Date(row.first) : null };
  } catch (error) {
    if (isStatementTimeout(error)) return { outcome: tooSlow(timeoutMs) };
    throw error;
  }
}

/** True for SQLSTATE class 22, which means that a value is invalid, such as a number that overflows. */
const isOutOfRange = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('22');
