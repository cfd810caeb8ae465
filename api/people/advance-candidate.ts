import { enterNextStep } from '../../db/people/next-step';
import type { Transaction } from '../../db/platform/database';
import { queueMails } from './queue-mails';
import { createMailableCheck } from './test-recipients';

/**
 * Moves the candidate of an advanced result to the next step of the position, and queues the mail with the link of
 * that step. The mail takes no invitation from the budget. Outside production, only test recipients get the mail.
 * Returns the id of the step's interview, or null if the candidate can enter no further step.
 */
export async function advanceCandidate(trx: Transaction, resultId: string): Promise<string | null> {
  const entered = await trx.maybeOne(enterNextStep(resultId));
  if (!entered) return null;
  const { enrolment_id, profile_id, email_key, interview_id, platform_language_code, is_mailed } = entered;
  if (is_mailed && (await createMailableCheck(trx, [email_key]))(email_key))
    await queueMails(
      trx,
      {
        platform_language_code,
        message_from_recruiter: null,
        hide_menu: false,
        hide_iframe: false,
        is_test: false,
      },
      [{ kind: 'next_step_invitation', profile_id, enrolment_id }],
    );
  return interview_id;
}
