import { z } from 'zod';
import { defineOperation } from '../platform/operation/define-operation';
import { interviewIdAlias, readers } from '../platform/operation/vocabulary';
import { interviewDefinition } from './interview-definition';
import { interviewDefinitionExample } from './interview-example';
import { interviewOrPositionId } from './interview-fields';

export const jobInterviewGet = defineOperation({
  name: 'job-interview-get',
  method: 'GET',
  tag: 'Interviews',
  summary: 'Get an interview definition or a position',
  description: `Returns an interview definition, or a position with several stages, by its id. Of a position most fields are null. \`questions\` have the
format that \`job-interview-create-from-array\` and \`job-interview-update\` take. A deleted definition is not found.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ position_id: interviewOrPositionId }),
  aliases: interviewIdAlias,
  example: { position_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: interviewDefinition,
  replyExample: interviewDefinitionExample,
  statuses: [404],
});
