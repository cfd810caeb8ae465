import { newPeriod } from './ask';
import type { AnswerRow, Sources } from './ask';
import type { Question } from './questions';

const periods = 3;

/**
 * Compares the answers of the two sources row for row, for several periods, and returns the number of rows. Throws at
 * the first difference.
 */
export async function compareAnswers(sources: Sources, question: Question): Promise<number> {
  let compared = 0;
  for (let time = 0; time < periods; time++) {
    const period = newPeriod(question);
    const [ours, sql] = [await sources.preview(question, period), await sources.runSql(question, period)];
    for (const [at, { id, dimensions = [], measures }] of question.blocks.entries()) {
      const read = (rows: AnswerRow[] | undefined, keys: readonly string[]) =>
        (rows ?? []).map((row) => keys.map((key) => toValue(row[key])));
      const names = [...dimensions.map(nameOf), ...measures];
      const place = `${question.name}, block ${id}, ${JSON.stringify(period)}`;
      const columns = names.map((_, column) => `c${column + 1}`);
      const answered = read(ours[at], names);
      assertSame(`${place}: the operation and SQL`, answered, read(sql[at], columns));
      compared += answered.length;
    }
  }
  return compared;
}

const nameOf = (dimension: unknown): string =>
  typeof dimension === 'string' ? dimension : (dimension as { field: string }).field;

/** Some numbers and days of an answer are text, and days can have a time. */
function toValue(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  if (/^\d{4}-\d{2}-\d{2}/.test(value)) return value.slice(0, 10);
  return value !== '' && !Number.isNaN(Number(value)) ? Number(value) : value;
}

const byText = (one: unknown[], other: unknown[]) => {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
  return a < b ? -1 : Number(a > b);
};

function assertSame(place: string, one: unknown[][], other: unknown[][]): void {
  const isSame = (a: unknown, b: unknown) =>
    typeof a === 'number' && typeof b === 'number'
      ? Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a))
      : a === b;
  const [rows, others] = [one.toSorted(byText), other.toSorted(byText)];
  const differs = rows.findIndex((row, at) =>
    row.some((value, column) => !isSame(value, others[at]?.[column])),
  );
  if (rows.length === others.length && differs === -1) return;
  const at = Math.max(0, differs);
  throw new Error(
    `${place} differ: ${rows.length} and ${others.length} rows, ${JSON.stringify(rows[at])} and ${JSON.stringify(others[at])}`,
  );
}
