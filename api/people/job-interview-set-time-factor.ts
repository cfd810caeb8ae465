import { z } from 'zod';
import { setTimeFactor } from '../../db/people/candidate-messages';
import { recordAuditEntry } from '../../db/platform/audit';
import { timeFactors } from '../../db/taking/public';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { timestamp, uuid, writers } from '../platform/operation/vocabulary';

const id = '01a1fcf7-b13e-74de-bd85-c2fc187618b3';
const enrolmentId = uuid.meta({
  description:
    'Id of the candidate in the interview, as `job-interview-register-users` and `invite-users` return it.',
});
const timeFactor = z.literal(timeFactors).meta({
  description: 'How much time the candidate has, as a multiple of `max_duration`: 1, 1.25, 1.5 or 2.',
});

export const jobInterviewSetTimeFactor = defineOperation({
  name: 'job-interview-set-time-factor',
  method: 'POST',
  tag: 'People',
  summary: 'Give a candidate more time',
  description: `Sets how much time a candidate has for the interview, and closes the candidate's open request for more time. The request
is granted if the candidate now has more time than before. Otherwise it is declined, so sending the present factor declines it.

A running attempt gets a later deadline at once if the factor grows. No call shortens a running attempt.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ profile_interview_id: enrolmentId, time_factor: timeFactor }),
  example: { profile_interview_id: id, time_factor: 1.5 },
  reply: z.object({
    profile_interview_id: z.string().meta({ description: 'Id of the candidate in the interview.' }),
    time_factor: timeFactor,
    request: z.enum(['granted', 'declined']).nullable().meta({
      description: 'What became of the open request for more time. Null if there was none.',
    }),
    deadline_at: timestamp.nullable().meta({
      description: 'The new deadline of the running attempt. Null if no attempt got a later one.',
    }),
  }),
  replyExample: { profile_interview_id: id, time_factor: 1.5, request: 'granted', deadline_at: null },
  statuses: [404],
  /** Sets the factor by which a candidate's time limits are multiplied (docs/taking.md#more-time). */
  handle({ input: { profile_interview_id, time_factor }, write }) {
    return write(async (trx) => {
      const set = await trx.maybeOne(setTimeFactor(profile_interview_id, time_factor));
      if (!set)
        throw new ApiError(
          'not_found',
          'There is no candidate with this profile_interview_id.',
          'profile_interview_id',
        );
      const { before, request, deadline_at } = set;
      if (request !== null || before !== time_factor)
        await trx.count(
          recordAuditEntry('job-interview-set-time-factor', profile_interview_id, { time_factor, request }),
        );
      return {
        profile_interview_id,
        time_factor,
        request,
        deadline_at,
      };
    });
  },
});
