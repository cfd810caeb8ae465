import { parseArgs } from 'node:util';
import { withAdminConnection } from '../../db/platform/credentials';
import { renewGeneration } from '../../db/sync/changes';

const usage = `Run it after a restore of the database, before the API starts: it ends all cursors of GET /sync and GET /event-list, so that
integrators read everything again. Needs ADMIN_DATABASE_URL.

npm run renew-sync-generation`;

/** Runs `npm run renew-sync-generation` with these arguments. */
async function renewSyncGeneration(args: readonly string[]): Promise<void> {
  const { help } = parseArgs({
    args: [...args],
    options: { help: { type: 'boolean', short: 'h', default: false } },
  }).values;
  if (help) return console.log(usage);
  const { ADMIN_DATABASE_URL: adminUrl } = process.env;
  if (!adminUrl) throw new Error('Set ADMIN_DATABASE_URL.');
  await withAdminConnection(adminUrl, async (client) => {
    await client.query('set role app_owner');
    await client.query(renewGeneration);
    console.log('All cursors of GET /sync and GET /event-list have expired.');
  });
}

if (require.main === module)
  renewSyncGeneration(process.argv.slice(2)).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
