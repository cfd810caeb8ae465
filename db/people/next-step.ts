import type { Statement } from '../platform/statement';

/** A candidate who entered the next step of a position. */
type EnteredStep = {
  enrolment_id: string;
  profile_id: string;
  email_key: string;
  interview_id: string;
  platform_language_code: string;
  /** True if the merchant's settings ask for a mail to the candidate. */
  is_mailed: boolean;
};

/**
 * Moves the candidate of an advanced result to the next step of the position, once for each step. Returns no row if
 * there is no next step, if the candidate is at another step, or if the position accepts no candidates.
 */
export const enterNextStep = (resultId: string): Statement<EnteredStep> => ({
  name: 'enter_next_step',
  text: `select enrolment_id, profile_id, email_key, interview_id, platform_language_code, is_mailed
    from app.enter_next_step($1)`,
  values: [resultId],
});
