import type { Statement } from '../platform/statement';

export type TechnicalIssue = { id: string; status: 'queued' | 'sent'; reference: string | null };

/** Returns a technical issue, or no row when the caller's merchant has none with this id. */
export const findTechnicalIssue = (id: string): Statement<TechnicalIssue> => ({
  name: 'find_technical_issue',
  text: 'select id, status, reference from technical_issue where id = $1',
  values: [id],
});

export type ReportedIdsCheck = {
  id: string;
  interview_known: boolean;
  position_known: boolean;
  result_known: boolean;
};

/**
 * Returns a new id, and whether the caller can see the interview and the result that an issue names. An issue may
 * name a position in place of an interview.
 */
export const checkReportedIds = (
  interviewId: string | null,
  resultId: string | null,
): Statement<ReportedIdsCheck> => ({
  name: 'check_reported_ids',
  text: `
    select uuidv7() as id,
      exists (
        select from interview where id = $1::uuid and status <> 'deleted'
      ) as interview_known,
      exists (select from position where id = $1::uuid and status <> 'deleted') as position_known,
      exists (select from interview_result where id = $2::uuid) as result_known`,
  values: [interviewId, resultId],
});

export const insertTechnicalIssue = (issue: {
  id: string;
  description: string;
  interview_id: string | null;
  position_id: string | null;
  result_id: string | null;
}): Statement => ({
  name: 'insert_technical_issue',
  text: `
    insert into technical_issue (id, description, interview_id, position_id, result_id) values ($1, $2, $3, $4, $5)`,
  values: [issue.id, issue.description, issue.interview_id, issue.position_id, issue.result_id],
});

/** Everything that support receives about a technical issue, and the number of attempts to send it. */
export type IssueToSend = TechnicalIssue & {
  attempts: number;
  description: string;
  merchant_id: string;
  merchant_name: string;
  reporter_name: string;
  reporter_email: string;
  interview_id: string | null;
  interview_name: string | null;
  position_id: string | null;
  position_name: string | null;
  result_id: string | null;
  /** The name of the result's interview. */
  result_name: string | null;
};

/**
 * Counts an attempt before it is made, so that the count is right even if the worker dies. Returns no row when the
 * issue was sent or does not exist.
 */
export const beginIssueAttempt = (id: string): Statement<IssueToSend> => ({
  name: 'begin_issue_attempt',
  text: `
    with begun as (
      update technical_issue set attempts = attempts + 1, gave_up_at = null, restart_at = now() + interval '20 minutes'
      where id = $1 and status = 'queued' returning *
    )
    select r.id, r.status, r.reference, r.attempts, r.description, r.merchant_id, m.name as merchant_name,
      p.name as reporter_name, p.email as reporter_email, r.interview_id, i.name as interview_name,
      r.position_id, o.name as position_name, r.result_id, ri.name as result_name
    from begun r
    join merchant m on m.id = r.merchant_id
    join profile p on p.id = r.profile_id
    left join interview i on i.id = r.interview_id
    left join position o on o.id = r.position_id
    left join interview_result s on s.id = r.result_id
    left join interview ri on ri.id = s.interview_id`,
  values: [id],
});

/**
 * Stores the id of the support desk's conversation and marks the issue as sent. Does nothing if the issue is already
 * sent, even if a later attempt found another conversation.
 */
export const recordIssueSent = (id: string, reference: string): Statement => ({
  name: 'record_issue_sent',
  text: `
    update technical_issue set status = 'sent', reference = $2, sent_at = now(), last_failure = null, gave_up_at = null
    where id = $1 and status = 'queued'`,
  values: [id, reference],
});

export const recordIssueFailure = (id: string, failure: string): Statement => ({
  name: 'record_issue_failure',
  text: `update technical_issue set last_failure = $2 where id = $1 and status = 'queued'`,
  values: [id, failure],
});

/**
 * Marks the issue as given up, and returns the number of attempts and the last failure. Returns no row when the issue
 * was already sent.
 */
export const giveUpIssue = (id: string): Statement<{ attempts: number; last_failure: string | null }> => ({
  name: 'give_up_issue',
  text: `
    update technical_issue set gave_up_at = now() where id = $1 and status = 'queued' returning attempts, last_failure`,
  values: [id],
});

/**
 * Restarts the workflow of each issue that has had no attempt for longer than the longest pause between attempts. The
 * workflow of such an issue was terminated. Skips issues that were given up. Starting a workflow that still runs has
 * no effect. Issues have no environment, so the workflow starts are stored for production.
 */
export const restartStalledIssues = (workflowIdPrefix: string): Statement => ({
  name: 'restart_stalled_issues',
  text: `
    with stalled as (
      update technical_issue i set restart_at = now() + interval '20 minutes'
      where status = 'queued' and gave_up_at is null and restart_at < now()
        and not exists (select from workflow_start s where s.workflow_id = $1::text || i.id)
      returning id, merchant_id
    )
    insert into workflow_start (merchant_id, environment, workflow_type, workflow_id, argument)
    select merchant_id, 'production', 'issueReport', $1::text || id, jsonb_build_object('report_id', id) from stalled`,
  values: [workflowIdPrefix],
});

export type IssueCounts = { queued: number; gave_up: number; oldest_age_s: number };

/** Counts the issues that support has not received yet, over all merchants. */
export const countTechnicalIssues: Statement<IssueCounts> = {
  name: 'count_technical_issues',
  text: `
    select count(*) filter (where gave_up_at is null)::int as queued,
      count(*) filter (where gave_up_at is not null)::int as gave_up,
      coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest_age_s
    from technical_issue where status = 'queued'`,
};
