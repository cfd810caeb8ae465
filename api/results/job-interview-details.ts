import type { Statement } from '../../db/platform/statement';
import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import type { jobInterviewDetails } from './job-interview-details.contract';
import type { JobInterviewDetails } from './result-details';
import { isObjectPath } from '../../db/platform/object-path';
import { findResultDetails } from '../../db/results/result-details';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';

type Contract = typeof jobInterviewDetails;

/** Reads a result in one round trip; signing addresses takes none (docs/results.md#reading-results). */
export const getResultDetails: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async ({ input, caller }, { database, objects }) => {
  const { interview_result_id, attempt, get_signed_recordings } = input;
  const find = async (which: number | undefined) =>
    (
      await database.queryAsCaller(
        caller,
        findResultDetails(interview_result_id, which) as Statement<JobInterviewDetails>,
      )
    ).at(0);
  const row = await find(attempt);
  if (!row) {
    if (attempt !== undefined && (await find(undefined)))
      throw new ApiError('not_found', 'This result has no such attempt', 'attempt');
    throw new ApiError(
      'not_found',
      'There is no result with this interview_result_id',
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
    transcript: await Promise.all(
      row.transcript.map(async (spoken) => ({
        ...spoken,
        recording_url: await sign(spoken.recording_local_path),
      })),
    ),
  };
};
