import { sql } from '../platform/database';
import type { Query, Statement } from '../platform/statement';
import type { DefinitionToCompile } from './compiled-definition';

type LockedRow = Record<string, unknown> & {
  id: string;
  merchant_id: string;
  environment: string;
  name: string;
  status: string;
  slug: string | null;
};

/** An interview with all its columns. The row stays locked until the transaction ends. */
export type LockedInterview = LockedRow &
  DefinitionToCompile & {
    is_multistage: false;
    creation_parameters: Record<string, unknown>;
    interview_template_type: string;
  };
/**
 * `first_template_id` is the template of the position's first step. `job-interview-get` returns it as the template of
 * the position.
 */
type LockedPosition = LockedRow & { is_multistage: true; first_template_id: string | null };
export type LockedDefinition = LockedInterview | LockedPosition;

/** Locks the interview with this id. Returns no row when it is deleted, unbuilt or outside the caller's scope. */
export const lockInterview = (id: string): Statement<LockedInterview> => ({
  name: 'lock_interview',
  text: `
    select i.*, false as is_multistage, t.type as interview_template_type
    from interview i join interview_template t on t.id = i.interview_template_id
    where i.id = $1 and i.status <> 'deleted' for update of i`,
  values: [id],
});

export const lockPosition = (id: string): Statement<LockedPosition> => ({
  name: 'lock_position',
  text: `
    select p.*, true as is_multistage, (
      select i.interview_template_id from position_step s join interview i on i.id = s.interview_id
      where s.position_id = p.id and i.status <> 'deleted' order by s.step_order limit 1
    ) as first_template_id
    from position p where p.id = $1 and p.status <> 'deleted' for update of p`,
  values: [id],
});

/**
 * Sets columns of an interview or position. The column names come from our table of fields, never from the caller's
 * input.
 */
export const updateInterviewOrPosition = (
  table: 'interview' | 'position',
  id: string,
  columns: Record<string, unknown>,
): Query => sql(table).where({ id }).update(columns);
