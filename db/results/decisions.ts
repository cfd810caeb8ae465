import type { Statement } from '../platform/statement';
import type { stages } from '../platform/vocabulary';

/** What recruiters have decided and noted about the latest attempt of a result. */
type Decision = {
  interview_result_id: string;
  attempt: number;
  recruiter_go_next_round: boolean | null;
  recruiter_shortlist: boolean;
  user_feedback_recruiter: string | null;
  stage: (typeof stages)[number] | null;
  decided_by: string | null;
  decided_at: string | null;
};

/**
 * Reads the decisions about results. `decided_by` is the person whose call decided: the audit entry of that call has the
 * time of the same transaction. Results about which nobody has decided or noted anything are left out.
 */
export const findDecisions = (resultIds: readonly string[]): Statement<Decision> => ({
  name: 'find_decisions',
  text: `
    select r.id as interview_result_id, r.attempt, r.recruiter_go_next_round, r.recruiter_shortlist,
      r.user_feedback_recruiter, case when not r.is_test then s.stage end as stage, (
        select a.actor_id from audit_entry a
        where a.merchant_id = r.merchant_id and a.subject_id = r.id::text and a.created_at = r.decided_at
          and a.actor_role <> 'service'
        order by a.id limit 1
      ) as decided_by, r.decided_at
    from interview_result r
    left join enrolment_stage s on s.merchant_id = r.merchant_id and s.enrolment_id = r.enrolment_id and s.left_at is null
    where r.id = any ($1)
      and (r.recruiter_go_next_round is not null or r.recruiter_shortlist or r.user_feedback_recruiter is not null)`,
  values: [resultIds],
});
