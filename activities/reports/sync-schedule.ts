import { ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Client, ScheduleSpec } from '@temporalio/client';
import type { Database, Transaction } from '../../db/platform/database';
import {
  findScheduleSync,
  lockScheduleSync,
  queueScheduleSyncs,
  recordScheduleSync,
} from '../../db/reports/report-deliveries';
import { deliveryScheduleId, scopeAttributes, workflowSummaries } from '../../workflows/ids';
import type { TaskQueues } from '../../workflows/ids';

/**
 * Returns a function that updates a report's Temporal Schedule to match its row in Postgres, and records the update
 * in the same transaction. Calling the function again is safe (docs/reports.md#deliveries).
 */
export const createScheduleSync =
  ({ client, queues }: { client: Client; queues: TaskQueues }) =>
  async (trx: Transaction, id: string): Promise<void> => {
    await trx.count(lockScheduleSync(id));
    const found = await trx.maybeOne(findScheduleSync(id));
    if (!found || found.wanted === found.synced) return;
    await setTemporalSchedule(client, queues, { schedule_id: id, ...found });
    await trx.count(recordScheduleSync(id, found.wanted));
  };

/**
 * Queues an update of every Temporal Schedule that differs from its row in Postgres. Takes 0.1 s for 10,000
 * schedules.
 */
export const queueChangedSchedules = (database: Pick<Database, 'writeAsWorker'>): Promise<number> =>
  database.writeAsWorker((trx) => trx.count(queueScheduleSyncs('reportDelivery', deliveryScheduleId(''))));

type WantedSchedule = {
  schedule_id: string;
  merchant_id: string;
  environment: string;
  /**
   * What the Temporal Schedule should be: its interval, state and time zone, for example `week active Europe/Paris`,
   * or `none` if there should be none.
   */
  wanted: string;
};

/**
 * Creates, updates or deletes the Temporal Schedule. Temporal then skips workflow starts that are more than a day
 * late, and starts that are due while the previous workflow is still running.
 */
async function setTemporalSchedule(
  client: Client,
  queues: TaskQueues,
  { schedule_id, merchant_id, environment, wanted }: WantedSchedule,
): Promise<void> {
  const scheduleId = deliveryScheduleId(schedule_id);
  const handle = client.schedule.getHandle(scheduleId);
  const [every, state, zone = 'UTC'] = wanted.split(' ');
  if (every === 'none') {
    await handle.delete().catch(ignoreMissing);
    return;
  }
  const scope = scopeAttributes(merchant_id, environment);
  const isPaused = state === 'paused';
  const schedule = {
    spec: { calendars: [every === 'month' ? firstOfMonth : monday], timezone: zone } satisfies ScheduleSpec,
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 day' as const },
    state: { paused: isPaused, note: isPaused ? 'Its creator may not run it now, or reports are off.' : '' },
    action: {
      type: 'startWorkflow' as const,
      workflowType: 'reportDelivery',
      workflowId: scheduleId,
      args: [{ schedule_id }],
      taskQueue: queues.main,
      typedSearchAttributes: scope,
      staticSummary: workflowSummaries['reportDelivery'],
    },
  };
  const isChanged = await handle.update(() => schedule).then(() => true, ignoreMissing);
  if (!isChanged) await client.schedule.create({ ...schedule, scheduleId, typedSearchAttributes: scope });
}

const monday = { dayOfWeek: 'MONDAY' as const, hour: 7 };
const firstOfMonth = { dayOfMonth: 1, hour: 7 };

function ignoreMissing(error: unknown): false {
  if (!(error instanceof ScheduleNotFoundError)) throw error;
  return false;
}
