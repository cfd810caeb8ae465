import type { Statement } from '../../db/platform/statement';
import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import type { jobInterviewGet } from './job-interview-get.contract';
import { languages } from '../../db/platform/vocabulary';
import { findDefinition } from '../../db/interviews/interviews';
import type { InterviewDefinition } from './interview-definition';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';

type Derived = 'is_voice_only' | 'speech_language_code' | 'speech_language_name';
type DefinitionRow = Omit<InterviewDefinition, Derived>;
type Contract = typeof jobInterviewGet;

/** Reads a definition or position in one round trip (docs/interviews.md#definitions-and-positions). */
export const getInterviewDefinition: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async ({ input, caller }, { database }) => {
  const [row] = await database.queryAsCaller(
    caller,
    findDefinition(input.position_id) as Statement<DefinitionRow>,
  );
  if (!row)
    throw new ApiError('not_found', 'There is no interview or position with this position_id', 'position_id');
  const language = languages[row.platform_language_code];
  return {
    ...row,
    is_voice_only:
      row.interview_template_type === null ? null : row.interview_template_type === 'interactive_voice',
    speech_language_code: row.is_multistage ? null : language.speech,
    speech_language_name: row.is_multistage ? null : language.name,
  };
};
