import { randomUUID } from 'node:crypto';
import type { Database, Requester } from '../../../db/platform/database';
import type { Environment } from '../../../db/platform/vocabulary';
import type { TestDatabase } from '../../harness/platform/database';

const references = [
  'interview', 'question', 'position', 'candidate', 'person', 'enrolment', 'batch', 'mail', 'endpoint', 'result',
  'report', 'schedule', 'delivery', 'recording', 'embed',
] as const; // prettier-ignore
/** The ids of rows to which other rows refer. `candidate` is enrolled at `position`, and `person` has an account. */
export type References = Record<(typeof references)[number], string>;
export const newReferences = () =>
  Object.fromEntries(references.map((name) => [name, randomUUID()])) as References;

/** One merchant in one environment, with its credentials. It has a row in every table. */
export type Cell = {
  name: string;
  merchantId: string;
  environment: Environment;
  profileId: string;
  user: Requester;
  service: Requester;
  serviceKeyId: string;
  taken: References;
  /**
   * The ids of rows to which nothing refers. Tests can insert links, keys, access and mails for them without
   * conflicts.
   */
  free: References;
};

export type World = {
  database: TestDatabase;
  /** Two merchants, each in production and in demo. */
  cells: [Cell, Cell, Cell, Cell];
  api: Database;
  worker: Database;
};
