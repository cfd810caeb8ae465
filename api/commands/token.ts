import { parseArgs } from 'node:util';
import { findPersonWithRole, personExists, revokeCredential } from '../../db/identity/admin-accounts';
import {
  makeConsoleLink,
  makeServiceKey,
  openPersonSession,
  withAdminConnection,
} from '../../db/platform/credentials';
import type { PersonWithRole } from '../../db/platform/credentials';
import { environments, roles } from '../../db/platform/vocabulary';
import type { Environment } from '../../db/platform/vocabulary';

const usage = `Makes credentials and revokes them. Without a running local stack it needs ADMIN_DATABASE_URL,
TOKEN_SIGNING_KEYS (a JWK set or its file) and PUBLIC_ORIGIN.

npm run --silent token -- --role <role> [--merchant <id>] [--environment <environment>] [--expires-in <seconds>] [--json]
npm run --silent token -- --console-link --role <role> [--merchant <id>] [--environment <environment>]
npm run --silent token -- --service-key [--merchant <id>] [--environment <environment>]
npm run --silent token -- --revoke <session id, key id or service key>
npm run --silent token -- --help`;

/** The database and the signing keys that credentials are created with. */
type TokenTarget = { adminUrl: string; signingKeys: string; issuer: string };
type TokenSource = {
  /** Returns the target. Throws an error with a readable message if there is none. */
  target: () => TokenTarget;
  /**
   * `people` contains the names that can be given instead of a role, and `merchantId` is the default merchant. Only
   * the local stack sets them.
   */
  people?: Record<string, PersonWithRole>;
  merchantId?: string;
};

/**
 * Returns the target from a deployment's environment variables. Returns undefined if one of the variables is not set.
 */
export function targetOfVariables(variables: NodeJS.ProcessEnv): TokenTarget | undefined {
  const { ADMIN_DATABASE_URL: adminUrl, TOKEN_SIGNING_KEYS: signingKeys, PUBLIC_ORIGIN: issuer } = variables;
  return adminUrl && signingKeys && issuer ? { adminUrl, signingKeys, issuer } : undefined;
}

const readOptions = (args: readonly string[]) =>
  parseArgs({
    // parseArgs accepts a value with a leading dash only after an equals sign, and the value of --expires-in may be
    // negative.
    args: args
      .join('\n')
      .replaceAll(/^(--[a-z-]+)\n(-\d)/gm, '$1=$2')
      .split('\n')
      .filter(Boolean),
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      role: { type: 'string' },
      merchant: { type: 'string' },
      environment: { type: 'string', default: 'production' },
      'expires-in': { type: 'string' },
      json: { type: 'boolean', default: false },
      revoke: { type: 'string' },
      'service-key': { type: 'boolean', default: false },
      'console-link': { type: 'boolean', default: false },
    },
  }).values;

/**
 * Runs `npm run token` with these arguments and prints the result. The messages of its errors are written for the user.
 */
async function runTokenCommand(args: readonly string[], source: TokenSource): Promise<void> {
  const values = readOptions(args);
  if (values.help) return console.log(usage);
  const environment = environments.find((name) => name === values.environment);
  if (!environment) throw new Error(`--environment must be one of: ${environments.join(', ')}`);
  const expiresInSeconds = values['expires-in'] === undefined ? undefined : Number(values['expires-in']);
  if (expiresInSeconds !== undefined && !Number.isInteger(expiresInSeconds))
    throw new Error('--expires-in must be a whole number of seconds');
  const { revoke, role, merchant } = values;
  if (revoke === undefined && !values['service-key'] && role === undefined) throw new Error(usage);
  const target = source.target();

  if (revoke !== undefined) {
    const wasThere = await withAdminConnection(target.adminUrl, (client) => revokeCredential(client, revoke));
    if (!wasThere) throw new Error('There is no session or service key with this id.');
    return console.log('revoked');
  }
  if (values['service-key'])
    return withAdminConnection(target.adminUrl, async (client) =>
      console.log(await makeServiceKey(client, merchant ?? null, environment)),
    );
  const person = await findPerson(target, source, role ?? '', merchant);
  if (values['console-link']) return printConsoleLink(target, person, environment);
  const credentials = await withAdminConnection(target.adminUrl, (client) =>
    openPersonSession(client, person, environment, { ...target, expiresInSeconds }),
  );
  console.log(values.json ? JSON.stringify(credentials, null, 2) : credentials.access_token);
}

const printConsoleLink = (
  target: TokenTarget,
  person: PersonWithRole,
  environment: Environment,
): Promise<void> =>
  withAdminConnection(target.adminUrl, async (client) =>
    console.log(await makeConsoleLink(client, person, environment, target.issuer)),
  );

/**
 * Returns the person with this name from `people`. If there is none, or if a merchant is given, `name` is a role, and
 * the oldest profile with that role is returned.
 */
async function findPerson(
  target: TokenTarget,
  { people = {}, merchantId: defaultMerchantId }: TokenSource,
  name: string,
  merchantId: string | undefined,
): Promise<PersonWithRole> {
  const person = people[name];
  if (person && merchantId === undefined) {
    const exists = await withAdminConnection(target.adminUrl, (client) => personExists(client, person));
    if (exists) return person;
  }
  const role = roles.find((known) => known === name);
  if (!role)
    throw new Error(`--role must be one of: ${[...new Set([...roles, ...Object.keys(people)])].join(', ')}`);
  const owner = role === 'admin' ? null : (merchantId ?? defaultMerchantId);
  if (owner === undefined) throw new Error(`--role ${role} needs --merchant <id>`);
  const found = await withAdminConnection(target.adminUrl, (client) =>
    findPersonWithRole(client, role, owner),
  );
  if (!found) throw new Error(`There is no ${role} at this merchant.`);
  return found;
}

/** Runs the command. Prints only the message of an error, without its stack trace. */
export const runFromShell = (source: TokenSource): Promise<void> =>
  runTokenCommand(process.argv.slice(2), source).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });

if (require.main === module)
  void runFromShell({
    target: () => {
      const target = targetOfVariables(process.env);
      if (!target) throw new Error('Set ADMIN_DATABASE_URL, TOKEN_SIGNING_KEYS and PUBLIC_ORIGIN.');
      return target;
    },
  });
