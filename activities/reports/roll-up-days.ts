import type { Database } from '../../db/platform/database';
import {
  deleteAllDaySums,
  deleteDaySums,
  deleteOldChanges,
  findDaySumsToWrite,
  insertDaySumsState,
  lockDaySumsState,
  changeDaySumsTimeZone,
  setDaySumsUntil,
  takeChangedDays,
  writeDaySums,
} from '../../db/reports/write-day-sums';
import type { DaySumsToWrite } from '../../db/reports/write-day-sums';

const merchantsPerRun = 200;
/** The maximum number of days whose sums one transaction computes. */
const daysPerStep = 400;
const dayMs = 86_400_000;

/**
 * Computes the sums of days whose attempts have all ended, and computes them again for days whose attempts have
 * changed (docs/reports.md#rollup). Also deletes old records of changes (`deleteOldChanges`). If the work for a
 * merchant fails, the error is passed to `onError`, and the next merchant is handled.
 */
export async function updateDaySums(
  database: Pick<Database, 'writeAsWorker' | 'queryAsWorker'>,
  { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
): Promise<void> {
  await database.queryAsWorker(deleteOldChanges);
  const due = await database.writeAsWorker((trx) => trx.rows(findDaySumsToWrite(merchantsPerRun)));
  for (const work of due) {
    try {
      let isDone = false;
      while (!isDone && !signal.aborted) isDone = await rollUp(database, work);
    } catch (error) {
      onError(error);
    }
  }
}

/**
 * Computes the sums of a merchant's next days. Returns true when no days are left, or when another worker handles the
 * merchant.
 */
const rollUp = (database: Pick<Database, 'writeAsWorker'>, work: DaySumsToWrite): Promise<boolean> =>
  database.writeAsWorker(async (trx) => {
    await trx.count(insertDaySumsState(work));
    const found = await trx.maybeOne(lockDaySumsState(work));
    if (!found) return true;
    let { until } = found;
    if (found.time_zone !== work.time_zone) {
      await trx.count(deleteAllDaySums(work));
      ({ until } = await trx.one(changeDaySumsTimeZone(work)));
    }
    // The changes are taken before the sums are computed, so the sums include at least these changes.
    const days = (await trx.rows(takeChangedDays(work, until))).map(({ day }) => day);
    const next = nextOf(until, work.closed);
    await trx.count(deleteDaySums(work, days));
    await trx.count(writeDaySums(work, { until, next, days }));
    await trx.count(setDaySumsUntil(work, next));
    return next >= work.closed;
  });

/** Days are text like `2026-01-31`, which sorts by time. */
function nextOf(until: string, closed: string): string {
  if (until >= closed) return until;
  const next = new Date(Date.parse(until) + daysPerStep * dayMs).toISOString().slice(0, 10);
  return next < closed ? next : closed;
}
