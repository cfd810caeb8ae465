import { z } from 'zod';
import { setAccommodation } from '../../db/people/candidate-messages';
import { recordAuditEntry } from '../../db/platform/audit';
import { timeFactors } from '../../db/taking/public';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { optionalField, timestamp, uuid, writers } from '../platform/operation/vocabulary';

const id = '01a1fcf7-b13e-74de-bd85-c2fc187618b3';
const enrolmentId = uuid.meta({
  description:
    'Id of the candidate in the interview, as `job-interview-register-users` and `invite-users` return it.',
});
const timeFactor = z.literal(timeFactors).meta({
  description: 'How much time the candidate has, as a multiple of `max_duration`: 1, 1.25, 1.5 or 2.',
  // Generators of clients for other languages cannot express an enum of integers and fractions.
  override: ({ jsonSchema }: { jsonSchema: { enum?: unknown } }) => {
    delete jsonSchema.enum;
    Object.assign(jsonSchema, { type: 'number', minimum: 1, maximum: 2 });
  },
});
const mayType = z.boolean().meta({
  description:
    'True if the candidate may type answers that have to be videos, or speak them without a picture.',
});

export const jobInterviewSetTimeFactor = defineOperation({
  name: 'job-interview-set-time-factor',
  method: 'POST',
  tag: 'People',
  summary: 'Give a candidate more time, or let the candidate type',
  description: `Sets the accommodations of a candidate. Send one of \`time_factor\` and \`may_type\`, or both; what is left out stays as it is.

\`time_factor\` closes the candidate's open request for more time. The request is granted if the candidate now has more time than before.
Otherwise it is declined, so sending the present factor declines it. A running attempt gets a later deadline at once if the factor grows. No
call shortens a running attempt.

\`may_type\` is for candidates who cannot record the videos that an interview requires. It takes effect at once, also in a running attempt.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      profile_interview_id: enrolmentId,
      time_factor: optionalField(timeFactor),
      may_type: optionalField(mayType),
    })
    .superRefine(({ time_factor, may_type }, context) => {
      if (time_factor !== undefined || may_type !== undefined) return;
      const message = 'Send time_factor or may_type';
      context.addIssue({ code: 'custom', path: ['time_factor'], message, params: { code: 'required' } });
    }),
  example: { profile_interview_id: id, time_factor: 1.5 },
  reply: z.object({
    profile_interview_id: z.string().meta({ description: 'Id of the candidate in the interview.' }),
    time_factor: timeFactor,
    may_type: mayType,
    request: z.enum(['granted', 'declined']).nullable().meta({
      description: 'What became of the open request for more time. Null if there was none.',
    }),
    deadline_at: timestamp.nullable().meta({
      description: 'The new deadline of the running attempt. Null if no attempt got a later one.',
    }),
  }),
  replyExample: {
    profile_interview_id: id,
    time_factor: 1.5,
    may_type: false,
    request: 'granted',
    deadline_at: null,
  },
  statuses: [404],
  /** Sets how a candidate may take the interview (docs/taking.md#accommodations). */
  handle({ input: { profile_interview_id, ...sent }, write }) {
    return write(async (trx) => {
      const set = await trx.maybeOne(
        setAccommodation(profile_interview_id, { timeFactor: sent.time_factor, mayType: sent.may_type }),
      );
      if (!set)
        throw new ApiError(
          'not_found',
          'There is no candidate with this profile_interview_id.',
          'profile_interview_id',
        );
      const { is_changed, ...reply } = set;
      if (is_changed || reply.request !== null)
        await trx.count(
          recordAuditEntry('job-interview-set-time-factor', profile_interview_id, {
            ...sent,
            request: reply.request,
          }),
        );
      return { profile_interview_id, ...reply };
    });
  },
});
