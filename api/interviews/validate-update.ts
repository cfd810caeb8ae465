import { checkReferences } from '../../db/interviews/interview-building';
import type { LockedDefinition } from '../../db/interviews/locked-definition';
import { findPositionOf, findStepsElsewhere, listPositionSteps } from '../../db/interviews/positions';
import type { Transaction } from '../../db/platform/database';
import { ApiError, throwAll } from '../platform/operation/api-error';
import { availableUntilMs } from '../platform/text/available-until';
import { validateReferences } from './create-interview';
import { knowledgeBaseCheck } from './interview-fields';
import { findPersonaErrors } from './persona-fields';
import { interviewOnlyFields, neverNullFields } from './update-fields';
import type { InterviewUpdate } from './update-fields';

/** Throws 422 for fields that do not apply to the definition, or that no update changes. */
export function validateFields(input: InterviewUpdate, definition: LockedDefinition): void {
  const errors: ApiError[] = [];
  if (definition.is_multistage) {
    for (const field of [...interviewOnlyFields, 'type'] as const) {
      // Callers may send back what job-interview-get returned for a position: null, or the template of its first step.
      const isShown =
        field === 'interview_template_id' && input[field]?.toLowerCase() === definition.first_template_id;
      if (input[field] !== undefined && input[field] !== null && !isShown)
        errors.push(
          new ApiError(
            'not_applicable',
            `${field} applies to interview definitions only, and this id is a position.`,
            field,
          ),
        );
    }
    if (input.visibility === 'sub_item' && definition['visibility'] !== 'sub_item')
      errors.push(
        new ApiError(
          'not_applicable',
          'visibility must not be sub_item for a position. Only interviews can be reached through a position.',
          'visibility',
        ),
      );
  } else
    for (const field of [...neverNullFields, 'type'] as const)
      if (input[field] === null)
        errors.push(new ApiError('invalid_type', `${field} must not be null.`, field));
  if (!definition.is_multistage) errors.push(...findPersonaErrors(input.persona, definition));
  for (const field of ['platform_language_code', 'type'] as const)
    if (input[field] && field in definition && input[field] !== definition[field])
      errors.push(
        new ApiError(
          'immutable_field',
          `${field} cannot be changed. Create another interview instead.`,
          field,
        ),
      );
  if (
    !definition.is_multistage &&
    input.knowledge_base_store_id === null &&
    !knowledgeBaseCheck.check({ interview_type: String(definition.creation_parameters['interview_type']) })
  )
    errors.push(
      new ApiError(
        'conflicting_fields',
        `knowledge_base_store_id ${knowledgeBaseCheck.error}.`,
        'knowledge_base_store_id',
      ),
    );
  const till = input.interview_available_till;
  if (till && till !== definition['interview_available_till'] && availableUntilMs(till) <= Date.now())
    errors.push(
      new ApiError(
        'invalid_value',
        'interview_available_till must be in the future.',
        'interview_available_till',
      ),
    );
  throwAll(errors);
}

/**
 * Validates only the references that change, because a template that is closed for new interviews stays valid for old
 * ones.
 */
export async function validateChangedReferences(
  trx: Transaction,
  input: InterviewUpdate,
  definition: LockedDefinition,
): Promise<void> {
  const changed = <
    Field extends 'interview_template_id' | 'knowledge_base_store_id' | 'recruiter_profile_id',
  >(
    field: Field,
  ) => (input[field]?.toLowerCase() === definition[field] ? undefined : input[field]);
  const named = {
    interview_template_id: changed('interview_template_id') ?? undefined,
    knowledge_base_store_id: changed('knowledge_base_store_id'),
    recruiter_profile_id: changed('recruiter_profile_id'),
  };
  if (!Object.values(named).some(Boolean)) return;
  const references = await trx.one(
    checkReferences(
      named.interview_template_id ?? null,
      named.knowledge_base_store_id ?? null,
      named.recruiter_profile_id ?? null,
    ),
  );
  validateReferences(references, named);
}

/**
 * Throws 422 if the call would change what another operation changes: the steps of a position, or the position of an
 * interview. Callers may send back what job-interview-get returned.
 */
export async function validatePositionUnchanged(
  trx: Transaction,
  { steps, position_id, interview_id }: InterviewUpdate,
  definition: LockedDefinition,
): Promise<void> {
  if (steps) {
    const { steps: stored } = definition.is_multistage
      ? await trx.one(listPositionSteps(definition.id))
      : { steps: [] };
    const isSame =
      steps.length === stored.length &&
      steps.every((step, index) => step.interview_id === stored[index]?.interview_id);
    if (!isSame)
      throw new ApiError(
        'immutable_field',
        'steps cannot be changed here. Change the steps of a position with position-update-steps.',
        'steps',
      );
  }
  if (interview_id === undefined || !position_id || position_id.toLowerCase() === definition.id) return;
  const { position_id: own } = await trx.one(findPositionOf(definition.id));
  if (own !== position_id.toLowerCase())
    throw new ApiError(
      'conflicting_fields',
      'position_id must be the same as interview_id, or the position that the interview is a step of. Change the steps of a position with position-update-steps.',
      'position_id',
    );
}

/** Throws 422 if the call would delete an interview that is a step of a position. The caller has locked the interview. */
export async function validateStatus(
  trx: Transaction,
  status: string | undefined,
  definition: LockedDefinition,
): Promise<void> {
  if (status !== 'deleted' || definition.is_multistage) return;
  const [step] = await trx.rows(findStepsElsewhere(null, [definition.id]));
  if (step)
    throw new ApiError(
      'not_permitted_state',
      `status must not be deleted: the interview is a step of the position “${step.position_name}”. Remove it there first.`,
      'status',
    );
}
