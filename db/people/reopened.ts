import type { Statement } from '../platform/statement';

/** The candidate of a reopened result, to whom a new link is mailed. */
type ReopenedCandidate = {
  enrolment_id: string;
  profile_id: string;
  email_key: string;
  platform_language_code: string;
};

/**
 * Marks the candidate of a reopened result as invited, and returns the candidate, who then gets a mail. Returns no
 * row if the merchant has turned off mails about reopened results, if the result is a test, if the candidate is at
 * another step of the position, or if the interview or position accepts no candidates.
 */
export const markReopenedInvited = (resultId: string): Statement<ReopenedCandidate> => ({
  name: 'invite_reopened',
  text: `select enrolment_id, profile_id, email_key, platform_language_code from app.invite_reopened($1)`,
  values: [resultId],
});
