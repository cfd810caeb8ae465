import type { Statement } from '../platform/statement';
import type { FeatureRequestStatus } from './feature-requests';

/** The states of a technical issue. An issue with `gave_up` is not sent again automatically. */
export const issueStates = ['queued', 'sent', 'gave_up'] as const;
type IssueState = (typeof issueStates)[number];
export const featureStates = ['posted', 'pending'] as const satisfies readonly FeatureRequestStatus[];

export type ListedIssue = {
  id: string;
  created_at: string;
  /** Null when the reporter does not belong to the merchant, for example a platform admin or an operator. */
  reporter: string | null;
  description: string;
  interview_id: string | null;
  /** Null when the interview is not in the visitor's environment. */
  interview_name: string | null;
  position_id: string | null;
  /** Null when the position is not in the visitor's environment. */
  position_name: string | null;
  result_id: string | null;
  has_result: boolean;
  state: IssueState;
  reference: string | null;
  attempts: number;
  last_failure: string | null;
  sent_at: string | null;
  gave_up_at: string | null;
  total: number;
};

/**
 * Lists technical issues that the caller's merchant has reported, latest first. `total` counts all matching issues.
 */
export const listTechnicalIssues = (
  state: IssueState | undefined,
  limitRows: number,
  offset: number,
): Statement<ListedIssue> => ({
  name: 'list_technical_issues',
  text: `
    with issue as (
      select *, case when gave_up_at is not null and status = 'queued' then 'gave_up' else status end as state
      from technical_issue where merchant_id = app.merchant_id()
    ), page as (
      select *, (count(*) over ())::int as total from issue
      where $1::text is null or state = $1 order by id desc limit $2 offset $3
    )
    select page.id, page.created_at, coalesce(p.name, p.email) as reporter, page.description, page.interview_id,
      i.name as interview_name, page.position_id, o.name as position_name, page.result_id, r.id is not null as has_result, page.state, page.reference,
      page.attempts, page.last_failure, page.sent_at, page.gave_up_at, page.total
    from page
    left join profile p on p.merchant_id = app.merchant_id() and p.id = page.profile_id
    left join interview i on i.merchant_id = app.merchant_id() and i.id = page.interview_id
    left join position o on o.merchant_id = app.merchant_id() and o.id = page.position_id
    left join interview_result r on r.merchant_id = app.merchant_id() and r.id = page.result_id
    order by page.id desc`,
  values: [state ?? null, limitRows, offset],
});

export type ListedFeatureRequest = {
  id: string;
  created_at: string;
  /** Null when the author does not belong to the merchant. */
  author: string | null;
  title: string;
  description: string;
  status: FeatureRequestStatus;
  posted_at: string | null;
  total: number;
};

/** Lists feature requests of the caller's merchant, latest first. `total` counts all matching requests. */
export const listFeatureRequests = (
  status: FeatureRequestStatus | undefined,
  limitRows: number,
  offset: number,
): Statement<ListedFeatureRequest> => ({
  name: 'list_feature_requests',
  text: `
    with page as (
      select *, (count(*) over ())::int as total from feature_request
      where merchant_id = app.merchant_id() and ($1::text is null or status = $1)
      order by id desc limit $2 offset $3
    )
    select page.id, page.created_at, coalesce(p.name, p.email) as author, page.title, page.description, page.status,
      page.posted_at, page.total
    from page left join profile p on p.merchant_id = app.merchant_id() and p.id = page.profile_id
    order by page.id desc`,
  values: [status ?? null, limitRows, offset],
});
