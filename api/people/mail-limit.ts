import { lockAndCountInvitations } from '../../db/people/invitation-limits';
import type { Transaction } from '../../db/platform/database';
import type { RowError } from './validate-row';

/**
 * The most invitation emails that a merchant may send to one person in 24 hours, as a candidate, team member or
 * learner.
 */
export const maxMailsPerPerson = 5;

/** The error of a row whose person has received the maximum number of invitation emails. */
export const mailLimitError: RowError = {
  code: 'invitation_limit_reached',
  error: `This person got ${maxMailsPerPerson} invitations in the last 24 hours. Try again later.`,
};

/** Counts invitation emails by person, including the emails that this call will queue. */
export type MailLimit = {
  /** Returns true if the person has received the maximum number of emails. */
  isReached: (emailKey: string) => boolean;
  /** Counts one more email. If the person has received the maximum number, it returns false and counts nothing. */
  take: (emailKey: string) => boolean;
};

/**
 * Reads how many invitation emails these people have received, under a lock. Calls take this lock before any other and
 * hold it until their transaction ends, so that the counts are exact and no calls deadlock.
 */
export async function openMailLimit(trx: Transaction, emailKeys: string[]): Promise<MailLimit> {
  const rows = emailKeys.length === 0 ? [] : await trx.rows(lockAndCountInvitations([...new Set(emailKeys)]));
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
