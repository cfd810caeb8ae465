import { z } from 'zod';
import { defineOperation } from '../../platform/operation/define-operation';
import { attempt, attemptExample } from '../attempt-fields';
import { submitAttempt } from '../take-interview';

export const attemptSubmit = defineOperation({
  name: 'attempt-submit',
  caller: 'candidate',
  method: 'POST',
  summary: 'Submit the attempt',
  description: `Hands the answers to the recruiter and begins the scoring. It is a 409 while the attempt is running. Attempts with the
\`result_view\` \`none\` are submitted with the last answer.`,
  input: z.object({}),
  example: {},
  reply: attempt,
  replyExample: attemptExample,
  statuses: [404, 409, 410],
  handle: ({ caller }, deps) => submitAttempt(deps, caller),
});
