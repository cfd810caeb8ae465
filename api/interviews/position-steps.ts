import { z } from 'zod';
import {
  deletePositionSteps,
  findStepsElsewhere,
  insertPositionSteps,
  lockInterviewsForSteps,
} from '../../db/interviews/positions';
import type { Transaction } from '../../db/platform/database';
import { ApiError, throwAll } from '../platform/operation/api-error';
import { interviewStatus } from '../platform/operation/named-enums';
import { uuid } from '../platform/operation/vocabulary';

const maxSteps = 10;

/** The steps of a position in a call: ids of interviews, in order. */
export const stepIds = z
  .array(
    uuid.toLowerCase().meta({
      description:
        'Id of an interview of the merchant that is a step of no other position, of type `interview`, `assessment` or `persona_interview`.',
    }),
  )
  .min(1)
  .max(maxSteps)
  .superRefine((ids, context) => {
    for (const [index, id] of ids.entries())
      if (ids.indexOf(id) < index)
        context.addIssue({
          code: 'custom',
          path: [index],
          message: 'must be unique in the list',
          params: { code: 'duplicate_value' },
        });
  })
  .meta({
    description: 'The ids of the interviews that candidates take, in their order: 1 to 10, each once.',
  });

export const positionStep = z
  .object({
    interview_id: z.string().meta({ description: 'Id of the interview.' }),
    name: z.string().meta({ description: 'Name of the interview.' }),
    number: z.int().meta({ description: 'The place of the step in the position, counted from 1.' }),
    status: interviewStatus,
  })
  .meta({
    id: 'PositionStep',
    description:
      "A step of a position. The position's `status` and `visibility` decide for all candidates of the position, whatever those of the interview are. The interview by itself takes candidates only while the position does, too.",
  });

export const positionStepsExample = [
  {
    interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
    name: 'Screening',
    number: 1,
    status: 'active' as const,
  },
  {
    interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e4',
    name: 'Technical interview',
    number: 2,
    status: 'active' as const,
  },
];

/** The types that are scored for a recruiter. Sessions of other types come from the catalogue, or are not scored. */
const stepTypes = new Set(['interview', 'assessment', 'persona_interview']);

/**
 * Makes these interviews the steps of a position, and returns the language of the first one. Throws 422 for each id that
 * names no interview of the caller, an interview of another type, or a step of another position. The interviews stay locked, so of two calls that name
 * the same one, the later one gets the error.
 */
export async function storeSteps(
  trx: Transaction,
  positionId: string,
  interviewIds: readonly string[],
): Promise<{ language: string }> {
  const found = new Map(
    (await trx.rows(lockInterviewsForSteps(interviewIds))).map((step) => [step.id, step]),
  );
  const taken = new Map(
    (await trx.rows(findStepsElsewhere(positionId, interviewIds))).map((step) => [
      step.interview_id,
      step.position_name,
    ]),
  );
  throwAll(
    interviewIds.flatMap((id, index) => {
      const name = `steps[${index}]`;
      const step = found.get(id);
      if (!step)
        return [new ApiError('unknown_id', `${name} does not name an interview of the merchant.`, name)];
      if (!stepTypes.has(step.type))
        return [
          new ApiError(
            'not_applicable',
            `${name} is of type ${step.type}. Steps are of type interview, assessment or persona_interview.`,
            name,
          ),
        ];
      const other = taken.get(id);
      return other === undefined
        ? []
        : [
            new ApiError(
              'conflicting_fields',
              `${name} is already a step of the position “${other}”. Remove it there first.`,
              name,
            ),
          ];
    }),
  );
  await trx.count(deletePositionSteps(positionId));
  await trx.count(insertPositionSteps(positionId, interviewIds));
  return { language: found.get(interviewIds[0] ?? '')?.platform_language_code ?? 'en' };
}
