import type { Statement } from '../platform/statement';

export type InterviewName = { id: string; name: string };

/**
 * Lists the interviews of the caller's merchant and environment with their names, newest first, including deleted
 * ones.
 */
export const listInterviewNames = (limitRows: number): Statement<InterviewName> => ({
  name: 'list_interview_names',
  text: `
    select id, name from interview
    where merchant_id = app.merchant_id() and environment = app.environment()
    order by created_at desc, id desc limit $1`,
  values: [limitRows],
});

/**
 * Returns the name and the type of an interview, even a deleted one. Returns no row when it is outside the caller's
 * scope.
 */
export const findInterviewName = (id: string): Statement<InterviewName & { type: string }> => ({
  name: 'find_interview_name',
  text: 'select id, name, type from interview where id = $1',
  values: [id],
});
