import { z } from 'zod';
import { isObjectPath } from '../../db/platform/object-path';
import type { Statement } from '../../db/platform/statement';
import { findResultDetails } from '../../db/results/result-details';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { queryBoolean, queryInteger, readers } from '../platform/operation/vocabulary';
import { resultDetails } from './result-details';
import type { JobInterviewDetails } from './result-details';
import { resultDetailsExample } from './result-example';
import { resultField } from './result-fields';

export const jobInterviewDetails = defineOperation({
  name: 'job-interview-details',
  method: 'GET',
  tag: 'Results',
  summary: 'Get a result with its transcript and assessment',
  description: `Returns an interview result with its scores, analyses and transcript. \`merchant-result-list\` and webhooks contain the ids of results. Every
key is present and null if empty, except that \`recording_url\`, \`video_introduction_url\` and \`resume_url\` are present only with
\`get_signed_recordings\`.

A result that was reopened has several attempts: \`attempt\` reads an earlier one as it was when the next was requested, except that
\`recruiter_shortlist\`, \`stage\`, \`candidate\`, \`updated_at\` and \`revision\` are always current. The results of a deleted interview stay readable.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    interview_result_id: resultField.interview_result_id,
    get_signed_recordings: queryBoolean
      .optional()
      .transform((asked) => asked ?? false)
      .meta({
        type: 'boolean',
        default: false,
        description: 'True adds URLs of the recordings and of the résumé that are valid for 15 minutes.',
      }),
    attempt: queryInteger(1, 1_000_000)
      .optional()
      .meta({ description: 'The attempt to read, counted from 1. Left out: the latest.' }),
  }),
  example: { interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618a1' },
  reply: resultDetails,
  replyExample: resultDetailsExample,
  statuses: [404],
  /**
   * Reads a result in one round trip. Signing the recordings' addresses needs no further round trip
   * (docs/results.md#reading-results).
   */
  async handle({ input, caller }, { database, objects }) {
    const { interview_result_id, attempt, get_signed_recordings } = input;
    const find = async (which: number | undefined) =>
      (
        await database.query(
          caller,
          findResultDetails(interview_result_id, which) as Statement<JobInterviewDetails>,
        )
      ).at(0);
    const row = await find(attempt);
    if (!row) {
      if (attempt !== undefined && (await find(undefined)))
        throw new ApiError('not_found', 'This result does not have that attempt.', 'attempt');
      throw new ApiError(
        'not_found',
        'There is no result with this interview_result_id.',
        'interview_result_id',
      );
    }
    if (!get_signed_recordings) return row;
    const sign = async (path: string | null) =>
      path !== null && isObjectPath(path) ? objects.signUrl(path) : null;
    return {
      ...row,
      recording_url: await sign(row.recording_local_path),
      video_introduction_url: await sign(row.video_introduction_local_path),
      resume_url: await sign(row.resume_local_path),
      transcript: await Promise.all(
        row.transcript.map(async (spoken) => ({
          ...spoken,
          recording_url: await sign(spoken.recording_local_path),
        })),
      ),
    };
  },
});
