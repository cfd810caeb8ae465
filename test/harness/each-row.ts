import { inspect } from 'node:util';

/**
 * Runs a check for each row of a table, and fails with the first row for which the check fails. The values of a row
 * that is a list are the arguments of the check. Use it in place of `it.each` if all rows are cases of one promise.
 */
export async function eachRow<Row extends readonly [unknown, ...unknown[]]>(
  rows: readonly Row[],
  check: (...row: Row extends readonly [...infer Values] ? Values : never) => unknown,
): Promise<void>;
export async function eachRow<Row>(rows: readonly Row[], check: (row: Row) => unknown): Promise<void>;
export async function eachRow(rows: readonly unknown[], check: (...row: never[]) => unknown): Promise<void> {
  for (const row of rows)
    await named(row, async () => check(...((Array.isArray(row) ? row : [row]) as never[])));
}

/** Runs a check for each entry, eight at a time, and fails with the first entry for which the check fails. */
export async function eachOf<T>(entries: readonly T[], check: (entry: T) => Promise<unknown>): Promise<void> {
  const left = [...entries];
  const work = async () => {
    for (let entry = left.shift(); entry !== undefined; entry = left.shift()) {
      const checked = entry;
      await named(checked, () => check(checked));
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

async function named(row: unknown, check: () => Promise<unknown>): Promise<void> {
  try {
    await check();
  } catch (error) {
    const what = inspect(row, { depth: 2 }).slice(0, 200);
    throw new Error(`For ${what}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
