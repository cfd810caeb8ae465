import { z } from 'zod';
import { findDefinition, findDefinitions } from '../../db/interviews/interviews';
import type { Statement } from '../../db/platform/statement';
import { languages } from '../../db/platform/vocabulary';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { defineMirrored } from '../platform/operation/mirrored';
import { interviewIdAlias, readers } from '../platform/operation/vocabulary';
import { interviewDefinition } from './interview-definition';
import type { InterviewDefinition } from './interview-definition';
import { interviewDefinitionExample } from './interview-example';
import { interviewOrPositionId } from './interview-fields';

type Derived = 'is_voice_only' | 'speech_language_code' | 'speech_language_name';
type DefinitionRow = Omit<InterviewDefinition, Derived>;

export const jobInterviewGet = defineOperation({
  name: 'job-interview-get',
  method: 'GET',
  tag: 'Interviews',
  summary: 'Get an interview definition or a position',
  description: `Returns an interview definition, or a position with several stages, by its id. Most fields of a position are null. \`questions\` have the
format that \`job-interview-create-from-array\` and \`job-interview-update\` accept. A deleted definition is not found.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ position_id: interviewOrPositionId }),
  aliases: interviewIdAlias,
  example: { position_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: interviewDefinition,
  replyExample: interviewDefinitionExample,
  statuses: [404],
  /** Reads a definition or position in one round trip (docs/interviews.md#definitions-and-positions). */
  async handle({ input, caller }, { database }) {
    const [row] = await database.query(caller, findDefinition(input.position_id) as Statement<DefinitionRow>);
    if (!row)
      throw new ApiError(
        'not_found',
        'There is no interview or position with this position_id.',
        'position_id',
      );
    return toDefinition(row);
  },
});

/** Interviews and positions as `GET /sync` returns them. */
export const mirroredDefinitions = defineMirrored({
  body: interviewDefinition,
  serviceKeys: true,
  async read(trx, ids) {
    const rows = await trx.rows(findDefinitions(ids) as Statement<DefinitionRow & { id: string }>);
    return new Map(rows.map((row) => [row.id, toDefinition(row)]));
  },
});

function toDefinition(row: DefinitionRow): z.input<typeof interviewDefinition> {
  const language = languages[row.platform_language_code];
  return {
    ...row,
    is_voice_only:
      row.interview_template_type === null ? null : row.interview_template_type === 'interactive_voice',
    speech_language_code: row.is_multistage ? null : language.speech,
    speech_language_name: row.is_multistage ? null : language.name,
  };
}
