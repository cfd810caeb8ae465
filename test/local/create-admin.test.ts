import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { withAdminConnection } from '../../db/platform/credentials';
import { migrate } from '../../db/platform/migrate';
import { generateSigningKeys, hashSecret } from '../../db/platform/tokens';
import { infrastructure } from '../harness/platform/infrastructure';

const run = promisify(execFile);
const { folder, postgresPort, postgresPassword, apiPassword, workerPassword } = infrastructure();
const name = `bootstrap_${randomBytes(6).toString('hex')}`;
const urlOf = (database: string) =>
  `postgres://postgres:${postgresPassword}@127.0.0.1:${postgresPort}/${database}`;
const adminUrl = urlOf(name);
const keysFile = path.join(folder, `${name}.json`);

/** The database is migrated and has no rows, like the database of a new deployment. */
beforeAll(async () => {
  await withAdminConnection(urlOf('postgres'), (client) => client.query(`create database ${name}`));
  await migrate({ adminUrl, apiPassword, workerPassword });
  writeFileSync(keysFile, JSON.stringify(await generateSigningKeys()), { mode: 0o600 });
});
afterAll(() =>
  withAdminConnection(urlOf('postgres'), (client) => client.query(`drop database ${name} with (force)`)),
);

/** Runs a command as in a deployment, without a local stack. */
const command = (file: string, ...args: string[]) =>
  run(process.execPath, [path.resolve(__dirname, '../..', file), ...args], {
    env: {
      PATH: process.env['PATH'],
      ADMIN_DATABASE_URL: adminUrl,
      TOKEN_SIGNING_KEYS: keysFile,
      PUBLIC_ORIGIN: 'https://api.example',
    },
  });
const token = (...args: string[]) => command('dist/api/commands/token.js', ...args);
const createAdmin = (...args: string[]) => command('dist/api/commands/create-admin.js', ...args);
const profiles = () =>
  withAdminConnection(adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id, role, merchant_id, email, email_key, activated_at is not null as is_active from profile`,
    );
    return rows;
  });

const linksOf = (profileId: string | undefined) =>
  withAdminConnection(adminUrl, async (client) => {
    const { rows } = await client.query<{ hash: Buffer; minutes: number }>(
      `select hash, round(extract(epoch from expires_at - created_at) / 60)::int as minutes
       from sign_in_link where profile_id = $1`,
      [profileId],
    );
    return rows;
  });

describe('npm run create-admin', () => {
  it.each([
    ['no address', [], 'npm run create-admin -- --email <address>'],
    ['no address of the right form', ['--email', 'boss@'], '--email must be an email address'],
  ])('says what is missing when there is %s, and stores nothing', async (_what, args, message) => {
    await expect(createAdmin(...args)).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
    expect(await profiles()).toEqual([]);
  });

  it('creates one active admin in an empty database and prints a console link, also when it runs twice at once', async () => {
    const runs = await Promise.allSettled(
      ['Boss@Bücher.example', 'second@x.example'].map((email) => createAdmin('--email', email)),
    );
    const [made, ...others] = runs.flatMap((each) =>
      each.status === 'fulfilled' ? [each.value.stdout] : [],
    );
    expect(others).toEqual([]);
    const stored = await profiles();
    expect(stored).toEqual([
      {
        id: expect.any(String),
        role: 'admin',
        merchant_id: null,
        email: expect.any(String),
        email_key: expect.stringMatching(/^(boss@xn--bcher-kva|second@x)\.example$/),
        is_active: true,
      },
    ]);
    const [, secret = ''] =
      /^https:\/\/api\.example\/console\/enter\?token=(si_[\w-]{43})\n$/.exec(made ?? '') ?? [];
    expect(await linksOf(stored[0]?.id)).toEqual([{ hash: hashSecret(secret), minutes: 15 }]);
    await withAdminConnection(adminUrl, (client) => client.query('update profile set disabled_at = now()'));
    await expect(createAdmin('--email', 'third@x.example')).rejects.toMatchObject({
      stderr: 'There is an admin already. Sign in with that account.\n',
    });
    await withAdminConnection(adminUrl, (client) => client.query('update profile set disabled_at = null'));
    expect(await profiles()).toEqual(stored);
  });
});

describe('npm run token', () => {
  it('revokes a service key of the platform by its text', async () => {
    const { stdout } = await token('--service-key');
    const live = () =>
      withAdminConnection(adminUrl, async (client) => {
        const { rows } = await client.query('select merchant_id from service_key where revoked_at is null');
        return rows as unknown[];
      });
    expect(await live()).toEqual([{ merchant_id: null }]);
    expect((await token('--revoke', stdout.trim())).stdout).toBe('revoked\n');
    expect(await live()).toEqual([]);
    await expect(token('--revoke', 'sk_production_x')).rejects.toMatchObject({ code: 1 });
  });

  it('requires the merchant for --role, because a deployment has no default', async () => {
    await expect(token('--role', 'merchant_owner')).rejects.toMatchObject({
      code: 1,
      stderr: '--role merchant_owner needs --merchant <id>\n',
    });
  });

  it('prints only another link for the admin with --console-link', async () => {
    const { stdout } = await token('--console-link', '--role', 'admin', '--environment', 'uat');
    const [, secret = ''] =
      /^https:\/\/api\.example\/console\/enter\?token=(si_[\w-]{43})\n$/.exec(stdout) ?? [];
    const [admin] = await profiles();
    expect(await linksOf(admin?.id)).toContainEqual({ hash: hashSecret(secret), minutes: 15 });
  });
});

describe('npm run token -- --help', () => {
  const entries = ['local/token', 'api/commands/token'];
  const runBare = (entry: string, ...args: string[]) =>
    run(process.execPath, [path.resolve(__dirname, `../../dist/${entry}.js`), ...args], {
      env: { PATH: process.env['PATH'], LOCAL_DIR: '/nowhere' },
    });

  it('prints the usage without a stack or a database, and without arguments as an error', async () => {
    for (const entry of entries) {
      const { stdout, stderr } = await runBare(entry, entry === 'local/token' ? '-h' : '--help');
      expect(stdout).toContain('npm run --silent token -- --revoke <session id, key id or service key>');
      expect(stderr).toBe('');
    }
    await expect(runBare('local/token')).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('--revoke <session id, key id or service key>'),
    });
  });
});
