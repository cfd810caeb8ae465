import { isDeepStrictEqual } from 'node:util';
import type { LockedDefinition } from '../../db/interviews/locked-definition';
import { withoutUndefined } from '../platform/operation/without-undefined';
import { findScoringChange } from './scoring-setting';
import type { ColumnChange } from './scoring-setting';
import { interviewOnlyFields, stepFields, updatableFields } from './update-fields';
import type { InterviewUpdate } from './update-fields';

/** Fields whose columns in the database have other names. */
const columnOf: Record<string, string> = {
  location: 'interview_location',
  description_long: 'interview_description_long',
};

type ColumnField = Exclude<
  (typeof updatableFields)[number],
  (typeof stepFields)[number] | 'custom_scoring' | 'interview_attempts'
>;
const isStepField = (field: string): field is (typeof stepFields)[number] =>
  stepFields.some((each) => each === field);

/** Returns the changes of columns that a call makes: one for each field whose sent value differs. */
export function findColumnChanges(input: InterviewUpdate, stored: LockedDefinition): ColumnChange[] {
  const ofInterviews = new Set<string>(interviewOnlyFields);
  // Two fields are stored in `creation_parameters`, so each change starts from what the earlier ones left.
  const definition = { ...stored };
  return updatableFields.flatMap((field): ColumnChange[] => {
    if (isStepField(field) || input[field] === undefined) return [];
    if (definition.is_multistage && ofInterviews.has(field)) return [];
    if (field === 'custom_scoring' || field === 'interview_attempts')
      return findScoringChange(field, input, definition['result_scoring']);
    const { column, value } = toColumn(field, input, definition);
    if (isDeepStrictEqual(value, definition[column])) return [];
    Object.assign(definition, { [column]: value });
    return [{ field, columns: { [column]: value } }];
  });
}

function toColumn(
  field: ColumnField,
  input: InterviewUpdate,
  definition: LockedDefinition,
): { column: string; value: unknown } {
  const value = input[field];
  if (!definition.is_multistage && (field === 'hiring_for_company' || field === 'interview_tone')) {
    const { creation_parameters } = definition;
    const isNone = value === null && (creation_parameters[field] ?? null) === null;
    const next = typeof value === 'object' ? plain(value) : value;
    return {
      column: 'creation_parameters',
      value: isNone ? creation_parameters : { ...creation_parameters, [field]: next },
    };
  }
  if (field === 'persona')
    return {
      column: field,
      value: value && { ...(definition['persona'] as object | null), ...(value as object) },
    };
  const text = (field === 'description' || field === 'description_long') && isBlank(value) ? null : value;
  return {
    column: columnOf[field] ?? field,
    value: typeof text === 'object' ? plain(text) : folded(field, text),
  };
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';
const plain = (value: unknown) =>
  value === null || Array.isArray(value) ? value : withoutUndefined(value as Record<string, unknown>);
/** Converts ids to lower case, because Postgres returns them in lower case. */
const folded = (field: string, value: unknown) =>
  field.endsWith('_id') && typeof value === 'string' ? value.toLowerCase() : value;
