import { z } from 'zod';
import { defineOperation } from './operation';
import { uuid, writers } from './vocabulary';

export const jobInterviewResultRequestAnotherAttempt = defineOperation({
  name: 'job-interview-result-request-another-attempt',
  method: 'POST',
  tag: 'Results',
  summary: 'Reopen a submitted result so that the candidate can retake it',
  description: `The result keeps its id and becomes a draft of the next \`attempt\`: unsuccessful, its decision cleared, what was
found in the finished attempt kept as history (\`job-interview-details\` reads it by \`attempt\`). All links of the candidate
end; \`job-interview-register-users\` and \`invite-users\` make the next one. A result that is unknown or not submitted and
scored (active and completed) is 422: so is a second call.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ interview_result_id: uuid }),
  example: { interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: z.object({}),
  statuses: [409],
});
