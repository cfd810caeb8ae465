import { markReopenedInvited } from '../../db/people/reopened';
import type { Transaction } from '../../db/platform/database';
import { queueMails } from './queue-mails';
import { createMailableCheck } from './test-recipients';

/**
 * Queues the mail with a new link to the candidate of a reopened result, if the merchant's settings ask for it. The mail
 * takes no invitation from the budget. Outside production, only test recipients get it. Returns whether it was queued.
 */
export async function mailReopened(trx: Transaction, resultId: string): Promise<boolean> {
  const candidate = await trx.maybeOne(markReopenedInvited(resultId));
  if (!candidate) return false;
  const { enrolment_id, profile_id, email_key, platform_language_code } = candidate;
  if (!(await createMailableCheck(trx, [email_key]))(email_key)) return false;
  await queueMails(
    trx,
    {
      platform_language_code,
      message_from_recruiter: null,
      hide_menu: false,
      hide_iframe: false,
      is_test: false,
    },
    [{ kind: 'retry_invitation', profile_id, enrolment_id }],
  );
  return true;
}
