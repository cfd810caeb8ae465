import { z } from 'zod';
import type { Transaction } from '../../db/platform/database';
import { fileFormats, intervals, listReportSchedules } from '../../db/reports/report-schedules';
import type { ListedSchedule, ScheduleObstacle } from '../../db/reports/report-schedules';
import { namedEnum } from '../platform/operation/named-enums';
import { timestamp, uuid } from '../platform/operation/vocabulary';

/* The schedules of a report, as report-get and report-schedule return them. */

export const scheduleId = uuid.meta({ description: 'Id of the schedule.' });

export const fileFormat = namedEnum('ReportFileFormat', fileFormats, 'The kind of file that is mailed.', {
  pdf: 'all blocks as a document',
  csv: 'the rows of one block',
});

const outcomes = ['sending', 'sent', 'failed', 'paused'] as const;

export const reportSchedule = z
  .object({
    schedule_id: scheduleId,
    every: namedEnum('ReportInterval', intervals, 'How often a report is mailed.', {
      week: 'on Mondays at 07:00',
      month: 'on the first day of the month at 07:00',
    }),
    format: fileFormat,
    block_id: z.string().nullable().meta({ description: 'The only block that is mailed. Null for all.' }),
    recipients: z
      .array(
        z.object({
          profile_id: uuid.meta({ description: 'Id of the person.' }),
          name: z.string().nullable().meta({ description: 'Name. Null for somebody who left the team.' }),
        }),
      )
      .meta({ description: 'The people who get a mail, while they are in the team.' }),
    timezone: z.string().meta({
      description: "The time zone of 07:00: that of the report's filters, else the merchant's.",
    }),
    created_by_name: z.string().nullable().meta({
      description: 'The person with whose rights the report runs. Null for an operator of the platform.',
    }),
    paused_because: z
      .string()
      .nullable()
      .meta({ description: 'One sentence about why the schedule does not run now. Null if it runs.' }),
    next_run_at: timestamp.nullable().meta({ description: 'When it runs next. Null while it does not run.' }),
    last_run: z
      .object({
        started_at: timestamp.meta({ description: 'When the run began.' }),
        outcome: namedEnum('ReportRunOutcome', outcomes, 'What became of a run.', {
          sending: 'still at work, perhaps retrying',
          sent: 'at least one mail was accepted by the mail provider',
          failed: 'nothing was mailed',
          paused: 'the schedule was paused when the run was due',
        }),
        message: z.string().meta({ description: 'What became of it in one sentence.' }),
        delivered: z
          .int()
          .meta({ description: 'Mails that arrived, as far as the mail provider has reported.' }),
        bounced: z
          .int()
          .meta({ description: 'Mails that did not arrive, as the mail provider has reported.' }),
      })
      .nullable()
      .meta({ description: 'The latest run. Null before the first one.' }),
  })
  .meta({ id: 'ReportSchedule', description: 'A schedule by which a report is mailed.' });

export type ReportSchedule = z.input<typeof reportSchedule>;

/** Reads the schedules of a report that the caller may edit. */
export const readSchedules = async (trx: Transaction, id: string): Promise<ReportSchedule[]> =>
  (await trx.rows(listReportSchedules(id))).map(toSchedule);

function toSchedule({ obstacle, last, recipients, ...row }: ListedSchedule): ReportSchedule {
  return {
    ...row,
    recipients,
    paused_because: obstacle && obstacleSentence(obstacle, row.created_by_name),
    last_run: last && {
      started_at: new Date(last.started_at).toISOString(),
      outcome: last.state === 'preparing' ? 'sending' : last.state,
      message: messageOf(last),
      delivered: last.delivered,
      bounced: last.bounced,
    },
  };
}

/** Says why a schedule does not run. */
export const obstacleSentence = (obstacle: ScheduleObstacle, creator: string | null): string =>
  obstacles[obstacle](creator ?? 'The person who scheduled it');

const obstacles: Record<ScheduleObstacle, (creator: string) => string> = {
  stopped: () => 'The schedule was stopped.',
  report_archived: () => 'The report is archived.',
  reports_off: () => 'Custom reports are not enabled for this account.',
  creator_left: (creator) => `${creator} can no longer sign in to this account.`,
  creator_may_not_edit: (creator) => `${creator} can no longer edit this report.`,
};

type LastRun = NonNullable<ListedSchedule['last']>;

function messageOf(run: LastRun): string {
  const { bounced, bounce_reason: reason } = run;
  if (bounced === 0) return sentMessageOf(run);
  const mails = bounced === 1 ? '1 mail' : `${bounced} mails`;
  return `${sentMessageOf(run)} ${mails} did not arrive${reason === null ? '.' : `: ${reason}`}`;
}

function sentMessageOf({ state, error, mails, sent, last_error }: LastRun): string {
  if (error !== null) return error;
  if (state === 'preparing') return 'The report is being prepared.';
  const people = `${sent} of ${mails} ${mails === 1 ? 'person' : 'people'}`;
  if (state === 'sending')
    return last_error === null
      ? `Mailing: ${people} so far.`
      : `Mailed to ${people} so far; trying again, because ${last_error}.`;
  return last_error === null
    ? `Mailed to ${mails} ${mails === 1 ? 'person' : 'people'}.`
    : `Mailed to ${people}; the others got none, because ${last_error}.`;
}

export const scheduleExample: ReportSchedule = {
  schedule_id: '01a1fcf7-b13e-74de-bd85-c2fc18761901',
  every: 'week',
  format: 'pdf',
  block_id: null,
  recipients: [{ profile_id: '01a1fcf7-b13e-74de-bd85-c2fc18760001', name: 'Jan de Vries' }],
  timezone: 'Europe/Amsterdam',
  created_by_name: 'Jan de Vries',
  paused_because: null,
  next_run_at: '2026-01-19T06:00:00.000Z',
  last_run: {
    started_at: '2026-01-12T06:00:00.000Z',
    outcome: 'sent',
    message: 'Mailed to 1 person.',
    delivered: 1,
    bounced: 0,
  },
};
