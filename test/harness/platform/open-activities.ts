import { withAdminConnection } from '../../../db/platform/credentials';
import { startFakes } from '../../../local/fakes/server';
import { atEnd } from '../at-end';
import { createDatabase, openTestDatabase } from './database';
import { fakesAt } from './fakes';

/**
 * Opens what activities need that run in this process: a database, with the logins of the worker and of the API, and
 * fakes of the providers. `fault` makes the fake of `provider` fail. All of it is closed when the test file ends.
 */
export async function openActivities(provider: string) {
  const [database, fakes] = await Promise.all([createDatabase(), startFakes({ port: 0 })]);
  atEnd(fakes.close);
  // The videos of the seed's interviews, which are no subject of these tests.
  await withAdminConnection(database.adminUrl, (client) => client.query('delete from workflow_start'));
  const calls = fakesAt(fakes.url);
  return {
    ...calls,
    database,
    worker: openTestDatabase(database.workerUrl),
    api: openTestDatabase(database.apiUrl),
    url: fakes.url,
    fault: (fault: Record<string, unknown>) => calls.fault({ provider, ...fault }),
    /** Clears the faults and records of the fakes. */
    clear: async () => {
      await calls.clearFaults();
      await calls.clearRecords();
    },
  };
}
