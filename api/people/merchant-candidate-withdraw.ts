import { z } from 'zod';
import { withdrawCandidate } from '../../db/people/enrolments';
import { recordAuditEntry } from '../../db/platform/audit';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { uuid, writers } from '../platform/operation/vocabulary';

const id = '01a1fcf7-b13e-74de-bd85-c2fc187618b3';

export const merchantCandidateWithdraw = defineOperation({
  name: 'merchant-candidate-withdraw',
  method: 'POST',
  tag: 'People',
  summary: 'Withdraw a candidate who has not begun',
  description: `Ends all links of a candidate to an interview or position. Emails that are not sent yet are not sent, and the candidate gets no reminders. The
candidate is \`registered\` again; the same call twice ends newer links, too. To let the candidate in again, register or invite the candidate again;
an application on the page of the job does not.

A candidate who has begun cannot be withdrawn: the call is a 422. Decide about the result instead. Embedded pages are not affected, because your own
server decides who gets in.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    profile_interview_id: uuid.meta({
      description:
        'Id of the candidate in the interview or position, as `merchant-candidate-list` and `invite-users` return it.',
    }),
  }),
  example: { profile_interview_id: id },
  reply: z.object({
    profile_interview_id: uuid.meta({ description: 'Id of the candidate in the interview or position.' }),
  }),
  replyExample: { profile_interview_id: id },
  statuses: [404],
  /** Ends the links of a candidate who has not begun (docs/people.md#withdrawing-candidates). */
  handle({ input: { profile_interview_id }, write }) {
    return write(async (trx) => {
      const found = await trx.maybeOne(withdrawCandidate(profile_interview_id));
      if (!found)
        throw new ApiError(
          'not_found',
          'There is no candidate with this profile_interview_id.',
          'profile_interview_id',
        );
      if (found.has_begun)
        throw new ApiError(
          'not_permitted_state',
          'The candidate has begun. Decide about the result instead.',
          'profile_interview_id',
        );
      await trx.count(
        recordAuditEntry('merchant-candidate-withdraw', profile_interview_id, {
          profile_id: found.profile_id,
        }),
      );
      return { profile_interview_id };
    });
  },
});
