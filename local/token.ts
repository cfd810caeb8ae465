import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { environments, roles } from '../api/contracts/vocabulary';
import type { Environment, Role } from '../api/contracts/vocabulary';
import { emailKey } from '../db/email-key';
import { makeConsoleLink, makeServiceKey, openSession, withAdmin } from './credentials';
import type { Person } from './credentials';
import { merchants, people } from './seed/accounts';
import type { StackDescription } from './stack-file';

const usage = `npm run --silent token -- --role <role> [--merchant <id>] [--environment <environment>] [--expires-in <seconds>] [--json]
npm run --silent token -- --revoke <session id>
npm run --silent token -- --service-key [--merchant <id>] [--environment <environment>]
npm run --silent token -- --console-link --role <role> [--merchant <id>] [--environment <environment>]
npm run --silent token -- --bootstrap-admin <e-mail>   (production: ADMIN_DATABASE_URL, TOKEN_SIGNING_KEYS as a file, PUBLIC_ORIGIN)`;

type Target = { adminUrl: string; keysFile: string; issuer: string };

/** The running stack's, or what a deployment's variables say. Throws a sentence when there is neither. */
function readTarget(): Target {
  const { ADMIN_DATABASE_URL: adminUrl, TOKEN_SIGNING_KEYS: keysFile, PUBLIC_ORIGIN: issuer } = process.env;
  if (adminUrl && keysFile && issuer) return { adminUrl, keysFile, issuer };
  const folder = path.resolve(process.env['LOCAL_DIR'] ?? '.local');
  try {
    const stack = JSON.parse(readFileSync(path.join(folder, 'stack.json'), 'utf8')) as StackDescription;
    return {
      adminUrl: stack.database_url,
      keysFile: path.join(folder, 'token-signing-keys.json'),
      issuer: stack.origin,
    };
  } catch {
    throw new Error('No stack is running here: npm start makes one, LOCAL_DIR names another.');
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    // A value that begins with a dash has to stand behind an equals sign there: --expires-in may be negative.
    args: process.argv
      .slice(2)
      .join('\n')
      .replaceAll(/^(--[a-z-]+)\n(-\d)/gm, '$1=$2')
      .split('\n')
      .filter(Boolean),
    options: {
      role: { type: 'string' },
      merchant: { type: 'string' },
      environment: { type: 'string', default: 'production' },
      'expires-in': { type: 'string' },
      json: { type: 'boolean', default: false },
      revoke: { type: 'string' },
      'service-key': { type: 'boolean', default: false },
      'console-link': { type: 'boolean', default: false },
      'bootstrap-admin': { type: 'string' },
    },
  });
  const environment = environments.find((name) => name === values.environment);
  if (!environment) throw new Error(`--environment must be one of: ${environments.join(', ')}`);
  const expiresInSeconds = values['expires-in'] === undefined ? undefined : Number(values['expires-in']);
  if (expiresInSeconds !== undefined && !Number.isInteger(expiresInSeconds))
    throw new Error('--expires-in must be a whole number of seconds');
  const target = readTarget();

  if (values.revoke !== undefined) return revoke(target, values.revoke);
  if (values['service-key']) return printServiceKey(target, values.merchant ?? null, environment);
  const email = values['bootstrap-admin'];
  if (email === undefined && values.role === undefined) throw new Error(usage);
  const person =
    email === undefined
      ? await findPerson(target, values.role ?? '', values.merchant)
      : await makeFirstAdmin(target, email);
  if (values['console-link']) return printConsoleLink(target, person, environment);
  const credentials = await withAdmin(target.adminUrl, (client) =>
    openSession(client, person, environment, { ...target, expiresInSeconds }),
  );
  console.log(values.json ? JSON.stringify(credentials, null, 2) : credentials.access_token);
  // Beside the token, which scripts read: a new deployment is set up in the console.
  if (email !== undefined) await printConsoleLink(target, person, environment, console.error);
}

const printConsoleLink = (
  target: Target,
  person: Person,
  environment: Environment,
  print: (line: string) => void = console.log,
): Promise<void> =>
  withAdmin(target.adminUrl, async (client) =>
    print(await makeConsoleLink(client, person, environment, target.issuer)),
  );

const revoke = (target: Target, sessionId: string): Promise<void> =>
  withAdmin(target.adminUrl, async (client) => {
    const { rowCount } = await client.query('update session set revoked_at = now() where id::text = $1', [
      sessionId,
    ]);
    if (rowCount === 0) throw new Error('There is no session with this id.');
    console.log('revoked');
  });

const printServiceKey = (
  target: Target,
  merchantId: string | null,
  environment: Environment,
): Promise<void> =>
  withAdmin(target.adminUrl, async (client) =>
    console.log(await makeServiceKey(client, merchantId, environment)),
  );

/** A person of the seed by its token's name, or the first profile with the role in the merchant. */
async function findPerson(target: Target, name: string, merchantId: string | undefined): Promise<Person> {
  const person = Object.entries(people).find(([key]) => key === name)?.[1];
  if (person && merchantId === undefined && (await isThere(target, person))) return person;
  const role = roles.find((known) => known === name);
  if (!role)
    throw new Error(`--role must be one of: ${[...new Set([...roles, ...Object.keys(people)])].join(', ')}`);
  const owner = role === 'admin' ? null : (merchantId ?? merchants.main.id);
  return withAdmin(target.adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string; merchant_id: string | null; role: Role }>(
      `select id, merchant_id, role from profile
       where role = $1 and merchant_id::text is not distinct from $2 and disabled_at is null order by created_at, id limit 1`,
      [role, owner],
    );
    const [row] = rows;
    if (!row) throw new Error(`There is no ${role} at this merchant.`);
    return { id: row.id, merchantId: row.merchant_id, role: row.role };
  });
}

/** The seed's people are in the local stack only. */
const isThere = (target: Target, { id }: Person): Promise<boolean> =>
  withAdmin(target.adminUrl, async (client) => {
    const { rowCount } = await client.query('select from profile where id = $1', [id]);
    return rowCount === 1;
  });

/** The first admin of a deployment; refused once there is one. */
const makeFirstAdmin = (target: Target, email: string): Promise<Person> =>
  withAdmin(target.adminUrl, async (client) => {
    if (!/^\S+@\S+$/.test(email)) throw new Error('--bootstrap-admin needs an e-mail address');
    const { rows } = await client.query<{ id: string }>(
      `insert into profile (role, email, email_key, name, activated_at) select 'admin', $1, $2, $1, now()
       where not exists (select from profile where role = 'admin' and disabled_at is null) returning id`,
      [email, emailKey(email)],
    );
    const id = rows[0]?.id;
    if (id === undefined) throw new Error('There is an admin already: sign in with that account.');
    return { id, merchantId: null, role: 'admin' };
  });

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
