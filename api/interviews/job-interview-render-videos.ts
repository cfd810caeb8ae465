import { z } from 'zod';
import { lockInterview } from '../../db/interviews/locked-definition';
import { renderVideosAgain } from '../../db/interviews/question-videos';
import { recordAuditEntry } from '../../db/platform/audit';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { interviewIdAlias, writers } from '../platform/operation/vocabulary';
import { interviewOrPositionId } from './interview-fields';

export const jobInterviewRenderVideos = defineOperation({
  name: 'job-interview-render-videos',
  method: 'POST',
  tag: 'Interviews',
  summary: 'Render the videos of an interview again',
  description: `Renders the videos of the questions again that failed (\`question_videos\` of \`job-interview-get\`). Videos that are still being
rendered go on, and those that are ready stay. New and changed questions need no call: their videos are rendered when the interview is
activated.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ position_id: interviewOrPositionId }),
  aliases: interviewIdAlias,
  example: { position_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: z.object({
    queued: z.int().meta({ description: 'Videos that are not ready and are being rendered.' }),
  }),
  replyExample: { queued: 1 },
  statuses: [404],
  handle: ({ input, write }) =>
    write(async (trx) => {
      const interview = await trx.maybeOne(lockInterview(input.position_id));
      if (!interview)
        throw new ApiError('not_found', 'There is no interview with this position_id.', 'position_id');
      const { queued } = await trx.one(renderVideosAgain(interview.id));
      if (queued > 0)
        await trx.count(recordAuditEntry('job-interview-render-videos', interview.id, { queued }));
      return { queued };
    }),
});
