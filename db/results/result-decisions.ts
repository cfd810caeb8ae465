import type { Transaction } from '../platform/database';
import type { Statement } from '../platform/statement';
import type { stages } from '../platform/vocabulary';

/** The fields that a recruiter may set. Undefined fields stay unchanged. */
type RecruiterFields = {
  recruiter_go_next_round?: boolean | null | undefined;
  user_feedback_recruiter?: string | null | undefined;
  recruiter_risks?: Record<string, unknown>[] | null | undefined;
  recruiter_shortlist?: boolean | undefined;
};

/** Locks a result, so that no other attempt becomes the result, and returns its attempt. */
export const lockResultAttempt = (resultId: string): Statement<{ attempt: number }> => ({
  name: 'lock_attempt',
  text: 'select attempt from interview_result where id = $1 for update',
  values: [resultId],
});

/**
 * Sets the given fields and returns the names of those that changed. Returns `unknown` when the result does not
 * exist, or `not_submitted` when the candidate has not submitted it yet. A decision fires a webhook event.
 */
export async function decideResult(
  trx: Transaction,
  resultId: string,
  given: RecruiterFields,
): Promise<(keyof RecruiterFields)[] | 'unknown' | 'not_submitted'> {
  const result = await trx.maybeOne<{ status: string; changed: (keyof RecruiterFields)[] }>({
    text: `
      select r.status, array(
        select field from jsonb_each($2) as given (field, value)
        where to_jsonb(r) -> field is distinct from value order by field
      ) as changed
      from interview_result r where r.id = $1 for update`,
    values: [resultId, JSON.stringify(given)],
  });
  if (!result) return 'unknown';
  const { status, changed } = result;
  if (changed.includes('recruiter_go_next_round') && status !== 'active') return 'not_submitted';
  if (changed.length > 0)
    await trx.count({
      text: `
        update interview_result r
        set (recruiter_go_next_round, user_feedback_recruiter, recruiter_risks, recruiter_shortlist) = (
          select g.recruiter_go_next_round, g.user_feedback_recruiter, g.recruiter_risks, g.recruiter_shortlist
          from jsonb_populate_record(r, $2) g
        )
        where r.id = $1`,
      values: [resultId, JSON.stringify(given)],
    });
  return changed;
}

/**
 * Sets the stage of the candidate of a result (docs/people.md#stages), and returns whether it has changed. Null if the
 * result has no stage: tests, results without a candidate, and those of learners.
 */
export async function setStage(
  trx: Transaction,
  resultId: string,
  stage: (typeof stages)[number] | null,
): Promise<boolean | null> {
  const { changed } = await trx.one<{ changed: boolean | null }>({
    text: 'select app.set_stage($1, $2) as changed',
    values: [resultId, stage],
  });
  return changed;
}

/**
 * Reopens a completed result for its next attempt and ends its current links. Returns false if the result is unknown,
 * not active or not completed.
 */
export async function reopenResult(trx: Transaction, resultId: string): Promise<boolean> {
  const { reopened } = await trx.one<{ reopened: boolean }>({
    text: 'select app.reopen_result($1) as reopened',
    values: [resultId],
  });
  if (!reopened) return false;
  // The earlier invitation was for the previous attempt, so the candidate counts as not yet invited.
  await trx.count({
    text: `
      update enrolment e set invited_at = null from interview_result r
      where r.id = $1 and e.merchant_id = r.merchant_id and e.id = r.enrolment_id`,
    values: [resultId],
  });
  return true;
}

/**
 * Lets the candidate begin one more attempt, if the last attempt ended without a result and no attempt is left.
 * Otherwise returns false (docs/taking.md#attempts).
 */
export async function grantAttempt(trx: Transaction, resultId: string): Promise<boolean> {
  const { granted } = await trx.one<{ granted: boolean }>({
    text: 'select app.grant_attempt($1) as granted',
    values: [resultId],
  });
  return granted;
}
