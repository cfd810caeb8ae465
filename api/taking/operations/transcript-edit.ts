import { z } from 'zod';
import { defineOperation } from '../../platform/operation/define-operation';
import { requiredText, uuid } from '../../platform/operation/vocabulary';
import { attempt, attemptExample } from '../attempt-fields';
import { editTranscript } from '../take-interview';

export const transcriptEdit = defineOperation({
  name: 'transcript-edit',
  caller: 'candidate',
  method: 'POST',
  summary: 'Edit an answer',
  description: `Changes an answer of the transcript until the attempt is submitted, if the interview permits it. The recruiter sees the
original and the edit. An answer that is not \`editable\` is a 409.`,
  input: z.object({
    turn_id: uuid.meta({ description: 'Id of the turn.' }),
    text: requiredText(20_000).meta({ description: 'The new text of the answer.' }),
  }),
  example: {
    turn_id: '01a20b1d-0c44-7e0f-8f1b-6c2d9a7b3e10',
    text: 'A payment service that my team rebuilt.',
  },
  reply: attempt,
  replyExample: attemptExample,
  statuses: [404, 409, 410],
  handle: ({ input, caller }, deps) => editTranscript(deps, caller, input.turn_id.toLowerCase(), input.text),
});
