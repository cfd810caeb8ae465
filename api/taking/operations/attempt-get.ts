import { z } from 'zod';
import { defineOperation } from '../../platform/operation/define-operation';
import { attempt, attemptExample } from '../attempt-fields';
import { readAttempt } from '../take-interview';

export const attemptGet = defineOperation({
  name: 'attempt-get',
  caller: 'candidate',
  method: 'GET',
  summary: 'Get the attempt',
  description: `Returns the attempt with the turn that is to be answered. After the submit, it is readable until the result is
reopened. It is a 404 before \`attempt-begin\`.`,
  input: z.object({}),
  example: {},
  reply: attempt,
  replyExample: attemptExample,
  statuses: [404, 410],
  handle: ({ caller }, deps) => readAttempt(deps, caller),
});
