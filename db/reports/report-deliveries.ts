import { columnsOf } from '../platform/columns';
import type { Statement } from '../platform/statement';
import type { LanguageCode } from '../platform/vocabulary';
import type { FileFormat, ScheduleObstacle } from './report-schedules';

/*
 * The worker's statements that record the runs of report schedules. A schedule runs once per week or month
 * (docs/reports.md#deliveries).
 */

/**
 * `wanted` is the state that the schedule should have in Temporal (`app.report_schedule_states`), and `synced` the
 * state that was last written to Temporal.
 */
type ScheduleSync = {
  merchant_id: string;
  environment: string;
  wanted: string;
  synced: string | null;
};

/** Lets only one worker at a time change this schedule in Temporal. The lock ends with the transaction. */
export const lockScheduleSync = (id: string): Statement => ({
  text: `select pg_advisory_xact_lock(hashtextextended('report schedule ' || $1::text, 0))`,
  values: [id],
});

export const findScheduleSync = (id: string): Statement<ScheduleSync> => ({
  name: 'find_schedule_sync',
  text: `
    select merchant_id, environment, app.wanted_report_schedule(id) as wanted, synced from report_schedule where id = $1`,
  values: [id],
});

export const recordScheduleSync = (id: string, synced: string): Statement => ({
  name: 'record_schedule_sync',
  text: 'update report_schedule set synced = $2 where id = $1',
  values: [id, synced],
});

/**
 * Queues a workflow for each schedule whose state in Temporal is out of date, for example because a person has lost a
 * role or a merchant has changed its time zone. The workflow updates the schedule in Temporal.
 */
export const queueScheduleSyncs = (workflowType: string, idPrefix: string): Statement => ({
  name: 'queue_schedule_syncs',
  text: `
    insert into workflow_start (merchant_id, environment, workflow_type, workflow_id, argument)
    select s.merchant_id, s.environment, $1, $2 || s.id, jsonb_build_object('schedule_id', s.id)
    from app.report_schedule_states(array(select id from report_schedule where synced is distinct from 'none')) w
    join report_schedule s on s.id = w.id
    where s.synced is distinct from w.wanted
      and not exists (select from workflow_start q where q.workflow_id = $2 || s.id)`,
  values: [workflowType, idPrefix],
});

export type ReportDelivery = {
  id: string;
  schedule_id: string;
  state: 'preparing' | 'sending' | 'sent' | 'failed' | 'paused';
  merchant_id: string;
  environment: string;
  report_id: string;
  format: FileFormat;
  block_id: string | null;
  merchant_name: string;
  obstacle: ScheduleObstacle | null;
};

/**
 * Records the schedule run that the workflow `workflowId` delivers, with one mail for each recipient who is still in
 * the merchant's team. Queues no mails if something prevents the schedule from running (its `obstacle`). Inserts
 * nothing if the run is already recorded or the schedule does not exist.
 */
export const openDelivery = (scheduleId: string, workflowId: string): Statement => ({
  name: 'open_report_delivery',
  text: `
    with opened as (
      insert into report_delivery (merchant_id, environment, schedule_id, workflow_id)
      select s.merchant_id, s.environment, s.id, $2 from report_schedule s where s.id = $1
      on conflict (merchant_id, schedule_id, workflow_id) do nothing
      returning id, merchant_id, environment, schedule_id
    )
    insert into report_mail (merchant_id, environment, delivery_id, profile_id)
    select o.merchant_id, o.environment, o.id, r.id
    from opened o
    join report_schedule s on s.id = o.schedule_id
    cross join lateral (select distinct unnest(s.recipients) as id) r
    where app.report_schedule_obstacle(s.id) is null
      and app.active_role_at(s.merchant_id, r.id) in ('merchant_owner', 'merchant', 'merchant_selection')`,
  values: [scheduleId, workflowId],
});

const deliveries = `
    select d.id, d.schedule_id, d.state, d.merchant_id, d.environment, s.report_id, s.format, s.block_id,
      m.name as merchant_name, app.report_schedule_obstacle(s.id) as obstacle
    from report_delivery d
    join report_schedule s on s.id = d.schedule_id
    join merchant m on m.id = d.merchant_id`;

export const findReportDeliveryByWorkflow = (
  scheduleId: string,
  workflowId: string,
): Statement<ReportDelivery> => ({
  name: 'find_report_delivery_of',
  text: `${deliveries}
    where d.merchant_id = s.merchant_id and d.schedule_id = $1 and d.workflow_id = $2`,
  values: [scheduleId, workflowId],
});

export const findReportDelivery = (id: string): Statement<ReportDelivery> => ({
  name: 'find_report_delivery',
  text: `${deliveries} where d.id = $1`,
  values: [id],
});

/** Records why the report file of a run could not be made yet. */
export const noteDeliveryError = (id: string, error: string): Statement => ({
  name: 'note_delivery_error',
  text: `update report_delivery set error = $2 where id = $1 and state = 'preparing'`,
  values: [id, error],
});

/**
 * Ends a run, unless it has already ended: deletes its report file and marks its unsent mails as `gave_up`. Keeps an
 * error that was recorded before.
 */
export const endDelivery = (
  id: string,
  state: 'sent' | 'failed' | 'paused',
  error: string | null,
): Statement => ({
  name: 'end_report_delivery',
  text: `
    with ended as (
      update report_delivery set state = $2, error = coalesce(error, $3), file = null, ended_at = now()
      where id = $1 and ended_at is null returning id
    )
    update report_mail m set state = 'gave_up'
    from ended where m.delivery_id = ended.id and m.state in ('queued', 'sending')`,
  values: [id, state, error],
});

/**
 * Ends runs that began more than a week ago and never ended, because their workflows were terminated. Deletes the
 * report files of these runs.
 */
export const endAbandonedDeliveries = (limitRows: number): Statement => ({
  name: 'end_abandoned_deliveries',
  text: `
    with abandoned as (
      select id from report_delivery
      where ended_at is null and created_at < now() - interval '7 days'
      order by id limit $1 for update skip locked
    ), ended as (
      update report_delivery d set state = 'failed', error = coalesce(d.error, 'The run was interrupted.'), file = null,
        ended_at = now()
      from abandoned where d.id = abandoned.id returning d.merchant_id, d.id
    )
    update report_mail m set state = 'gave_up'
    from ended where m.merchant_id = ended.merchant_id and m.delivery_id = ended.id and m.state in ('queued', 'sending')`,
  values: [limitRows],
});

/** Deletes ended runs that are older than 180 days, oldest first, with their mails. */
export const deleteOldDeliveries = (limitRows: number): Statement => ({
  name: 'delete_old_deliveries',
  text: `
    delete from report_delivery where id = any (array(
      select id from report_delivery
      where created_at < now() - interval '180 days' and ended_at is not null
      order by created_at limit $1 for update skip locked
    ))`,
  values: [limitRows],
});

export type ReportFile = { title: string; name: string; content: Buffer };

/** Stores the report file that a run sends, unless another attempt of the activity has stored one. */
export const storeReportFile = (id: string, { title, name, content }: ReportFile): Statement => ({
  name: 'store_report_file',
  text: `
    update report_delivery set state = 'sending', error = null, title = $2, file_name = $3, file = $4
    where id = $1 and state = 'preparing'`,
  values: [id, title, name, content],
});

export const findReportFile = (id: string): Statement<ReportFile & { created_at: string; zone: string }> => ({
  name: 'find_report_file',
  text: `
    select title, file_name as name, file as content, created_at, app.report_schedule_zone(schedule_id) as zone
    from report_delivery where id = $1 and state = 'sending'`,
  values: [id],
});

export type ClaimedReportMail = {
  id: string;
  attempts: number;
  email: string;
  name: string | null;
  platform_language_code: LanguageCode;
  /** True if the recipient made the schedule. */
  is_own: boolean;
};

/**
 * Marks the unsent mails of a run as `sending`. Only one worker at a time does this, so a mail that was already
 * `sending` was claimed by a worker that died, and may have been sent.
 */
export const claimReportMails = (deliveryId: string): Statement<ClaimedReportMail> => ({
  name: 'claim_report_mails',
  text: `
    with claimed as (
      update report_mail set state = 'sending', attempts = attempts + 1
      where delivery_id = $1 and state in ('queued', 'sending') returning id, attempts, merchant_id, profile_id, delivery_id
    )
    select c.id, c.attempts, p.email, p.platform_language_code, s.creator_id is not distinct from p.id as is_own,
      case when p.merchant_id = c.merchant_id and p.home_withdrawn_at is null then p.name else a.name end as name
    from claimed c
    join profile p on p.id = c.profile_id
    join report_delivery d on d.merchant_id = c.merchant_id and d.id = c.delivery_id
    join report_schedule s on s.merchant_id = d.merchant_id and s.id = d.schedule_id
    left join merchant_access a on a.merchant_id = c.merchant_id and a.profile_id = p.id
    order by c.attempts, c.id`,
  values: [deliveryId],
});

export type ReportMailOutcome = {
  id: string;
  attempts: number;
  /** `queued` means that the mail will be tried again. A queued mail whose `error` is null was not tried at all. */
  state: 'sent' | 'rejected' | 'queued';
  error: string | null;
  message_id: string | null;
};

/** Records the outcomes of claimed mails. Skips mails that another worker has claimed in the meantime. */
export const recordReportMails = (outcomes: ReportMailOutcome[]): Statement => ({
  name: 'record_report_mails',
  text: `
    update report_mail m set
      state = o.state,
      attempts = case when o.state = 'queued' and o.error is null then m.attempts - 1 else m.attempts end,
      last_error = coalesce(o.error, m.last_error),
      message_id = coalesce(o.message_id, m.message_id),
      sent_at = case when o.state = 'sent' then now() else m.sent_at end
    from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::text[]) as o (id, attempts, state, error, message_id)
    where m.id = o.id and m.attempts = o.attempts and m.state = 'sending'`,
  values: columnsOf(outcomes, 'id', 'attempts', 'state', 'error', 'message_id'),
});

/** What the mail provider reported about a mail. `recordMailEvents` does the same for mails of other kinds. */
type ReportedEvent = { mail_id: string; event: string; at: string; reason: string | null };

/**
 * Records events of reports' mails, each once and in whatever order they arrive. Ignores events of other mails. Locks
 * rows in the order of their ids to prevent deadlocks.
 */
export const recordReportMailEvents = (events: readonly ReportedEvent[]): Statement => ({
  name: 'record_report_mail_events',
  text: `
    with locked as (select id from report_mail where id = any ($1) order by id for update)
    update report_mail m set
      sent_at = coalesce(m.sent_at, reported.at),
      delivered_at = coalesce(m.delivered_at, reported.delivered_at),
      bounced_at = coalesce(m.bounced_at, reported.bounced_at),
      bounce_reason = coalesce(m.bounce_reason, reported.reason),
      state = case when m.state in ('queued', 'sending', 'gave_up') then 'sent' else m.state end
    from locked join (
      select mail_id, min(at) as at, min(at) filter (where event = 'delivered') as delivered_at,
        min(at) filter (where event = 'bounced') as bounced_at, min(reason) filter (where event = 'bounced') as reason
      from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[]) as reported (mail_id, event, at, reason)
      group by mail_id
    ) reported on reported.mail_id = locked.id
    where m.id = locked.id`,
  values: columnsOf([...events], 'mail_id', 'event', 'at', 'reason'),
});

/** Counts the mails of a schedule's run by their state. */
export const countReportMails = (
  deliveryId: string,
): Statement<{
  mails: number;
  sent: number;
  rejected: number;
  unsent: number;
  last_error: string | null;
}> => ({
  name: 'count_report_mails',
  text: `
    select count(*)::int as mails, count(*) filter (where state = 'sent')::int as sent,
      count(*) filter (where state = 'rejected')::int as rejected,
      count(*) filter (where state in ('queued', 'sending'))::int as unsent,
      max(last_error) filter (where state <> 'sent') as last_error
    from report_mail where delivery_id = $1`,
  values: [deliveryId],
});
