import { createDatabase, openTestDatabase } from '../../harness/platform/database';
import { borrow } from '../../harness/platform/infrastructure';
import type { Cell, World } from './cell';
import type { Template } from './world-template';

export { insertOf, putRow, rowOf, uuid } from './world-rows';
export type { Cell, References, World } from './cell';

/**
 * Creates a database with two merchants, which have rows in every table in both production and demo, and drops it when
 * the file ends. All worlds are copies of the same rows, because inserting them costs four times as much as a copy.
 */
export async function createWorld(): Promise<World> {
  const { name, cells } = await borrow<Template>('template');
  const database = await createDatabase({ template: name });
  const [api, worker] = [openTestDatabase(database.apiUrl, 4), openTestDatabase(database.workerUrl, 4)];
  return { database, cells, api, worker };
}

/** Returns the first link of the candidate in `taken`. */
export const linkOf = ({ taken }: Cell) => ({
  kind: 'interview_link' as const,
  enrolmentId: taken.enrolment,
  interviewId: taken.interview,
  generation: 1,
  isTest: false,
});

/** Returns the caller of the cell's embed key, which belongs to the interview in `taken`. */
export const embedOf = ({ taken }: Cell) => ({ kind: 'embed' as const, embedId: taken.embed, domain: null });
