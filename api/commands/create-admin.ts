import { parseArgs } from 'node:util';
import { makeFirstAdmin } from '../../db/identity/admin-accounts';
import { makeConsoleLink, withAdminConnection } from '../../db/platform/credentials';
import { emailAddress } from '../people/public';

const usage = `Creates the first admin of a new installation and prints a link that signs the admin in to the console. The link works
once, within 15 minutes. Needs ADMIN_DATABASE_URL and PUBLIC_ORIGIN.

npm run create-admin -- --email <address>`;

/** Runs `npm run create-admin` with these arguments. The messages of its errors are written for the user. */
async function createAdmin(args: readonly string[]): Promise<void> {
  const { email, help } = parseArgs({
    args: [...args],
    options: { email: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  }).values;
  if (help) return console.log(usage);
  if (email === undefined) throw new Error(usage);
  const address = emailAddress.safeParse(email);
  if (!address.success) throw new Error('--email must be an email address, such as ann@example.com.');
  const { ADMIN_DATABASE_URL: adminUrl, PUBLIC_ORIGIN: origin } = process.env;
  if (!adminUrl || !origin) throw new Error('Set ADMIN_DATABASE_URL and PUBLIC_ORIGIN.');
  await withAdminConnection(adminUrl, async (client) => {
    const admin = await makeFirstAdmin(client, address.data);
    if (!admin) throw new Error('There is an admin already. Sign in with that account.');
    console.log(await makeConsoleLink(client, admin, 'production', origin));
  });
}

if (require.main === module)
  createAdmin(process.argv.slice(2)).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
