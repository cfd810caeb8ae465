import { lockInvitations } from '../../db/people/invitation-limits';
import type { Transaction } from '../../db/platform/database';
import type { RowError } from './validate-row';

/** Invitation mails that a merchant may send to one person in 24 hours, as a candidate, team member or learner. */
const maxMailsPerPerson = 5;

/** Why a row is not invited whose person got enough mails. */
export const mailedOften: RowError = {
  code: 'invitation_limit_reached',
  error: `this person got ${maxMailsPerPerson} invitations in the last 24 hours, try again later`,
};

/** Counts invitation mails by person, those that this call is going to queue too. */
export type MailLimit = {
  /** True where the person got enough mails. */
  isReached: (emailKey: string) => boolean;
  /** Counts one more mail; false, and not counted, where the person got enough. */
  take: (emailKey: string) => boolean;
};

/**
 * Reads how many mails these people got. Calls take this lock before any other one, and hold it until their transaction
 * ends, so that the counts are exact and no two calls wait for each other.
 */
export async function openMailLimit(trx: Transaction, emailKeys: string[]): Promise<MailLimit> {
  const rows = emailKeys.length === 0 ? [] : await trx.rows(lockInvitations([...new Set(emailKeys)]));
  const counts = new Map(rows.map(({ email_key, mailed }) => [email_key, mailed]));
  const countOf = (emailKey: string) => counts.get(emailKey) ?? 0;
  const isReached = (emailKey: string) => countOf(emailKey) >= maxMailsPerPerson;
  return {
    isReached,
    take: (emailKey) => {
      if (isReached(emailKey)) return false;
      counts.set(emailKey, countOf(emailKey) + 1);
      return true;
    },
  };
}
