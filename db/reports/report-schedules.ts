import type { Statement } from '../platform/statement';

/*
 * Statements for people who edit a report: they list and change the report's mail schedules
 * (docs/reports.md#deliveries).
 */

export const intervals = ['week', 'month'] as const;
type Interval = (typeof intervals)[number];
export const fileFormats = ['pdf', 'csv'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** The reason why a schedule does not run. */
export type ScheduleObstacle =
  | 'stopped'
  | 'report_archived'
  | 'reports_off'
  | 'creator_left'
  | 'creator_may_not_edit';

export type ScheduleSettings = {
  every: Interval;
  format: FileFormat;
  blockId: string | null;
  recipients: readonly string[];
};

/**
 * Counts the active schedules of the caller's merchant in all environments. Also takes a lock until the transaction
 * ends, so that no other call changes the count.
 */
export const countReportSchedules: Statement<{ count: number }> = {
  name: 'count_report_schedules',
  text: 'select app.count_report_schedules() as count',
};

/** Creates a schedule that runs with the rights of the caller. */
export const insertReportSchedule = (
  reportId: string,
  { every, format, blockId, recipients }: ScheduleSettings,
): Statement<{ id: string }> => ({
  name: 'insert_report_schedule',
  text: `
    insert into report_schedule (report_id, every, format, block_id, recipients) values ($1, $2, $3, $4, $5) returning id`,
  values: [reportId, every, format, blockId, recipients],
});

/** Changes a schedule, which from then on runs with the rights of the caller. */
export const updateReportSchedule = (
  reportId: string,
  id: string,
  { every, format, blockId, recipients }: ScheduleSettings,
): Statement => ({
  name: 'update_report_schedule',
  text: `
    update report_schedule set creator_id = app.profile_id(), every = $3, format = $4, block_id = $5, recipients = $6
    where merchant_id = app.merchant_id() and report_id = $1 and id = $2 and stopped_at is null`,
  values: [reportId, id, every, format, blockId, recipients],
});

/**
 * Stops one schedule, or all schedules of the report in the caller's environment. Returns the ids of the stopped
 * schedules.
 */
export const stopReportSchedules = (reportId: string, id: string | null): Statement<{ id: string }> => ({
  name: 'stop_report_schedules',
  text: `
    update report_schedule set stopped_at = now()
    where merchant_id = app.merchant_id() and report_id = $1 and ($2::uuid is null or id = $2) and stopped_at is null
    returning id`,
  values: [reportId, id],
});

export type Recipient = { id: string; name: string };

/** Lists the people of the caller's merchant to whom reports can be mailed, sorted by name. */
export const listRecipients = (limitRows: number): Statement<Recipient> => ({
  name: 'list_report_recipients',
  text: 'select * from app.list_report_recipients($1)',
  values: [limitRows],
});

export type ListedSchedule = {
  schedule_id: string;
  every: Interval;
  format: FileFormat;
  block_id: string | null;
  recipients: { profile_id: string; name: string | null }[];
  timezone: string;
  created_by_name: string | null;
  obstacle: ScheduleObstacle | null;
  /** Null while the schedule does not run. */
  next_run_at: string | null;
  /** The latest run of the schedule. */
  last: {
    state: 'preparing' | 'sending' | 'sent' | 'failed' | 'paused';
    error: string | null;
    started_at: string;
    mails: number;
    sent: number;
    last_error: string | null;
    delivered: number;
    bounced: number;
    bounce_reason: string | null;
  } | null;
};

/**
 * Lists the schedules of a report in the caller's environment that were not stopped, oldest first. A schedule runs at
 * 07:00 on Mondays or on the first day of the month.
 */
export const listReportSchedules = (reportId: string): Statement<ListedSchedule> => ({
  name: 'list_report_schedules',
  text: `
    select s.id as schedule_id, s.every, s.format, s.block_id, w.zone as timezone, w.obstacle,
      (select n.name from app.names_of_team(array[s.creator_id]) n) as created_by_name,
      (
        select jsonb_agg(jsonb_build_object('profile_id', r.id, 'name', n.name) order by r.place)
        from unnest(s.recipients) with ordinality r (id, place)
        left join app.names_of_team(s.recipients) n on n.id = r.id
      ) as recipients,
      case when w.obstacle is null then (
        date_trunc(s.every, (now() at time zone w.zone) - interval '7 hours') + ('1 ' || s.every)::interval + interval '7 hours'
      ) at time zone w.zone end as next_run_at,
      (
        select jsonb_build_object(
          'state', d.state, 'error', d.error, 'started_at', d.created_at, 'mails', c.mails, 'sent', c.sent,
          'last_error', c.last_error, 'delivered', c.delivered, 'bounced', c.bounced, 'bounce_reason', c.bounce_reason
        )
        from report_delivery d cross join lateral (
          select count(*) as mails, count(*) filter (where m.state = 'sent') as sent,
            max(m.last_error) filter (where m.state <> 'sent') as last_error,
            count(*) filter (where m.bounced_at is null and m.delivered_at is not null) as delivered,
            count(m.bounced_at) as bounced, max(m.bounce_reason) as bounce_reason
          from report_mail m where m.merchant_id = d.merchant_id and m.delivery_id = d.id
        ) c
        where d.merchant_id = s.merchant_id and d.schedule_id = s.id order by d.id desc limit 1
      ) as last
    from report_schedule s
    cross join lateral app.report_schedule_states(array[s.id]) w
    where s.merchant_id = app.merchant_id() and s.report_id = $1 and s.stopped_at is null
    order by s.id`,
  values: [reportId],
});
