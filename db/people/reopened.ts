import type { Statement } from '../platform/statement';

/** The candidate of a reopened result who is mailed a new link. */
export type ReopenedCandidate = {
  enrolment_id: string;
  profile_id: string;
  email_key: string;
  platform_language_code: string;
};

/**
 * Marks the candidate of a reopened result as invited. Returns no row if the merchant's settings ask for no mail, if the
 * result is a test or not of the candidate's current interview, or if the interview takes no candidates.
 */
export const inviteReopened = (resultId: string): Statement<ReopenedCandidate> => ({
  name: 'invite_reopened',
  text: `select enrolment_id, profile_id, email_key, platform_language_code from app.invite_reopened($1)`,
  values: [resultId],
});
