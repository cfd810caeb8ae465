import { sql } from '../platform/database';
import type { Query, Statement } from '../platform/statement';
import type { interviewStatuses } from '../platform/vocabulary';

/** A step of a position. `number` begins at 1. */
export type PositionStep = {
  interview_id: string;
  name: string;
  number: number;
  status: (typeof interviewStatuses)[number];
};

/** SQL for the steps of the position `p` as a JSON list. Deleted interviews are left out. */
export const stepsJson = `(
  select coalesce(jsonb_agg(jsonb_build_object(
    'interview_id', s.id, 'name', s.name, 'number', s.number, 'status', s.status
  ) order by s.number), '[]')
  from (
    select i.id, i.name, i.status, row_number() over (order by l.step_order) as number
    from position_step l join interview i on i.id = l.interview_id
    where l.position_id = p.id and i.status <> 'deleted'
  ) s
)`;

/** SQL for the id of the position that the interview `i` is a step of. */
export const positionOfInterview = `(
  select l.position_id from position_step l join position p on p.id = l.position_id
  where l.interview_id = i.id and p.status <> 'deleted' order by p.created_at limit 1
)`;

/** Returns the steps of a position in their order. */
export const listPositionSteps = (positionId: string): Statement<{ steps: PositionStep[] }> => ({
  name: 'list_position_steps',
  text: `select ${stepsJson} as steps from position p where p.id = $1`,
  values: [positionId],
});

/** Returns the id of the position that an interview is a step of, or null. */
export const findPositionOf = (interviewId: string): Statement<{ position_id: string | null }> => ({
  name: 'find_position_of',
  text: `select ${positionOfInterview} as position_id from interview i where i.id = $1`,
  values: [interviewId],
});

/**
 * Locks interviews that are about to become steps, in the order of their ids, so that two positions cannot take the same
 * one. Returns those that the caller may use.
 */
export const lockInterviewsForSteps = (interviewIds: readonly string[]): Statement<LockedStep> => ({
  name: 'lock_named_steps',
  text: `
    select i.id, i.type, i.platform_language_code from interview i
    where i.id = any ($1) and i.status <> 'deleted' order by i.id for no key update`,
  values: [interviewIds],
});
export type LockedStep = { id: string; type: string; platform_language_code: string };

/**
 * Returns which of these interviews are steps of a position other than `positionId`, with the name of that position.
 * Null names no position, so that all count.
 */
export const findStepsElsewhere = (
  positionId: string | null,
  interviewIds: readonly string[],
): Statement<{ interview_id: string; position_name: string }> => ({
  name: 'find_steps_elsewhere',
  text: `
    select l.interview_id, p.name as position_name from position_step l join position p on p.id = l.position_id
    where l.interview_id = any ($2) and p.id is distinct from $1 and p.status <> 'deleted'`,
  values: [positionId, interviewIds],
});

/** Stores a position. The columns come from our table of fields, never from the caller's input. */
export const insertPosition = (row: Record<string, unknown>): Query => sql('position').insert(row);

export const deletePositionSteps = (positionId: string): Statement => ({
  name: 'delete_position_steps',
  text: 'delete from position_step where position_id = $1',
  values: [positionId],
});

export const insertPositionSteps = (positionId: string, interviewIds: readonly string[]): Statement => ({
  name: 'insert_position_steps',
  text: `
    insert into position_step (position_id, interview_id, step_order)
    select $1, id, step_order from unnest($2::uuid[]) with ordinality as step (id, step_order)`,
  values: [positionId, interviewIds],
});

/**
 * Stores what follows from new steps: the language of the first one, and the steps that were removed. Hiring managers
 * who may see only this position go on seeing the results of removed steps.
 */
export const recordStepChange = (
  positionId: string,
  language: string,
  removed: readonly string[],
): Statement => ({
  name: 'note_new_steps',
  text: `
    update position set platform_language_code = $2,
      former_step_ids = array(select distinct unnest(former_step_ids || $3::uuid[]))
    where id = $1`,
  values: [positionId, language, removed],
});
