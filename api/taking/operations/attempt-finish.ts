import { z } from 'zod';
import { defineOperation } from '../../platform/operation/define-operation';
import { attempt, attemptExample } from '../attempt-fields';
import { finishAttempt } from '../take-interview';

export const attemptFinish = defineOperation({
  name: 'attempt-finish',
  caller: 'candidate',
  method: 'POST',
  summary: 'Finish early',
  description: `Ends the attempt before its last question. The candidate can then review and submit it. It is a 409 before the first answer.`,
  input: z.object({}),
  example: {},
  reply: attempt,
  replyExample: attemptExample,
  statuses: [404, 409, 410],
  handle: ({ caller }, deps) => finishAttempt(deps, caller),
});
