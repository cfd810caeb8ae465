import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import type { Transaction } from '../../db/platform/database';
import { insertWorkflowStart } from '../../db/platform/workflow-starts';
import {
  countReportSchedules,
  insertReportSchedule,
  intervals,
  listRecipients,
  stopReportSchedules,
  updateReportSchedule,
} from '../../db/reports/report-schedules';
import type { ScheduleSettings } from '../../db/reports/report-schedules';
import { findReport } from '../../db/reports/reports';
import { deliveryScheduleId } from '../../workflows/ids';
import { ApiError, throwAll } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { optionalField, text, uuid, writers } from '../platform/operation/vocabulary';
import { reportId } from './report-fields';
import {
  fileFormat,
  readSchedules,
  reportSchedule,
  scheduleExample,
  scheduleId,
} from './report-schedule-fields';
import { lockEditableReport } from './take-report';

/** The maximum number of people that a report can be mailed to. The database has the same limit. */
const maxRecipients = 50;
const maxSchedules = 20;
const maxOfMerchant = 200;
/** The maximum number of people to read from the team. No team has as many, so the list of people is never cut. */
const maxTeam = 10_000;

export const reportScheduleOperation = defineOperation({
  name: 'report-schedule',
  method: 'POST',
  tag: 'Reports',
  summary: 'Mail a report every week or month',
  description: `Mails a report to people of the team on Mondays, or on the first day of the month, at 07:00. Every recipient gets the same file, which the report makes
with the rights of the person who called this, and with that person's saved filters. The schedule pauses while that person can no longer edit the report or custom
reports are off, and ends when the report is archived.

- Without \`schedule_id\` a schedule is added. A report has at most ${maxSchedules}, and a merchant ${maxOfMerchant} in all environments; further calls are a 409.
- With \`schedule_id\` the schedule gets all of the settings that are sent, and runs with the rights of the caller from then on, which also ends a pause.
- \`every: "off"\` stops the schedule, or all schedules of the report in this environment if there is no \`schedule_id\`.

Only the person who created a report and owners can call this; for others who can run it, it is a 403. A service key may not, because a schedule needs a person.
\`report-get\` lists the schedules with their latest run.`,
  roles: writers,
  serviceKeys: false,
  needsMerchant: true,
  input: z.object({
    id: reportId,
    schedule_id: optionalField(scheduleId).meta({ description: 'The schedule to change or stop.' }),
    every: z.enum([...intervals, 'off']).meta({ description: 'How often to mail it; `off` stops.' }),
    format: optionalField(fileFormat).meta({ description: 'Required unless `every` is `off`.' }),
    recipients: optionalField(z.array(uuid).min(1).max(maxRecipients)).meta({
      description: `Profile ids of 1 to ${maxRecipients} people of the team. Required unless \`every\` is \`off\`.`,
    }),
    block_id: optionalField(text(100)).meta({
      description: 'Mail only this block. Required with the format `csv`.',
    }),
  }),
  check: (sent) => missingFields(sent),
  example: {
    id: '01a1fcf7-b13e-74de-bd85-c2fc18761801',
    every: 'week',
    format: 'pdf',
    recipients: ['01a1fcf7-b13e-74de-bd85-c2fc18760001'],
  },
  reply: z.object({
    id: reportId,
    schedule_id: scheduleId.nullable().meta({
      description: 'The schedule that was added, changed or stopped. Null if all were stopped.',
    }),
    schedules: z.array(reportSchedule).meta({ description: 'The schedules of the report now.' }),
  }),
  replyExample: {
    id: '01a1fcf7-b13e-74de-bd85-c2fc18761801',
    schedule_id: scheduleExample.schedule_id,
    schedules: [{ ...scheduleExample, last_run: null }],
  },
  statuses: [404, 409],
  handle({ input, write }) {
    const { id, schedule_id: asked, every, format, recipients, block_id: blockId = null } = input;
    return write(async (trx) => {
      await lockEditableReport(trx, id);
      const before = await readSchedules(trx, id);
      if (asked !== undefined && !before.some((each) => each.schedule_id === asked.toLowerCase()))
        throw new ApiError('unknown_id', 'There is no such schedule of this report.', 'schedule_id');
      if (every === 'off' || !format || !recipients) {
        await stopSchedules(trx, id, asked ?? null);
        return { id, schedule_id: asked ?? null, schedules: await readSchedules(trx, id) };
      }
      await checkRecipients(trx, recipients);
      if (blockId !== null) await checkBlock(trx, id, blockId, format === 'csv');
      const settings = {
        every,
        format,
        blockId,
        recipients: [...new Set(recipients.map((each) => each.toLowerCase()))],
      };
      if (asked === undefined && before.length >= maxSchedules)
        throw new ApiError(
          'limit_reached',
          `This report already has ${maxSchedules} schedules. Stop one first.`,
        );
      if (asked === undefined) await checkCount(trx);
      const schedule = await storeSchedule(trx, id, asked, settings);
      await trx.count(recordAuditEntry('report-schedule', id, { every, format }));
      return { id, schedule_id: schedule, schedules: await readSchedules(trx, id) };
    });
  },
});

/** Returns an error for each field that this call needs and does not have. */
function missingFields({ every, format, recipients, block_id: blockId }: Readonly<Record<string, unknown>>) {
  const isMissing = (value: unknown) => value === undefined || value === null;
  const missing = [
    ...(every !== 'off' && isMissing(format) ? ['format'] : []),
    ...(every !== 'off' && isMissing(recipients) ? ['recipients'] : []),
    ...(every !== 'off' && format === 'csv' && isMissing(blockId) ? ['block_id'] : []),
  ];
  return missing.map((name) => ({ name, code: 'required' as const, error: `${name} is required.` }));
}

async function storeSchedule(
  trx: Transaction,
  id: string,
  asked: string | undefined,
  settings: ScheduleSettings,
): Promise<string> {
  if (asked !== undefined) await trx.count(updateReportSchedule(id, asked, settings));
  const schedule = asked ?? (await trx.one(insertReportSchedule(id, settings))).id;
  await queueSync(trx, schedule);
  return schedule;
}

async function stopSchedules(trx: Transaction, id: string, asked: string | null): Promise<void> {
  const stopped = await trx.rows(stopReportSchedules(id, asked));
  for (const { id: schedule } of stopped) await queueSync(trx, schedule);
  if (stopped.length > 0) await trx.count(recordAuditEntry('report-schedule', id, { every: 'off' }));
}

/** Makes the worker update the Temporal Schedule to match the row of the schedule. */
const queueSync = (trx: Transaction, schedule: string) =>
  trx.count(insertWorkflowStart('reportDelivery', deliveryScheduleId(schedule), { schedule_id: schedule }));

async function checkRecipients(trx: Transaction, recipients: readonly string[]): Promise<void> {
  const team = new Set((await trx.rows(listRecipients(maxTeam))).map((person) => person.id));
  throwAll(
    recipients.flatMap((recipient, at) =>
      team.has(recipient.toLowerCase())
        ? []
        : [
            new ApiError(
              'unknown_id',
              'There is no such person in the team, or the person cannot sign in to the console.',
              `recipients[${at}]`,
            ),
          ],
    ),
  );
}

/** Throws a 409 if the merchant already has the maximum number of schedules. */
async function checkCount(trx: Transaction): Promise<void> {
  const { count } = await trx.one(countReportSchedules);
  if (count >= maxOfMerchant)
    throw new ApiError(
      'limit_reached',
      `This account already has ${maxOfMerchant} schedules of reports, which is the maximum. Stop one first.`,
    );
}

const blocks = z.object({ blocks: z.array(z.object({ id: z.string(), type: z.string() })) });

/**
 * Throws a 422 unless the published report has this block. With `needsRows`, which a CSV file requires, a text block
 * is rejected too.
 */
async function checkBlock(trx: Transaction, id: string, blockId: string, needsRows: boolean): Promise<void> {
  const { definition } = await trx.one(findReport(id));
  const known = blocks
    .parse(definition)
    .blocks.filter(({ type }) => !needsRows || type !== 'text')
    .map((block) => block.id);
  if (!known.includes(blockId))
    throw new ApiError('invalid_value', `block_id must be one of ${known.join(', ') || 'none'}.`, 'block_id');
}
