import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { decodeJwt } from 'jose';
import { withAdmin } from '../../db/platform/credentials';
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
  await withAdmin(urlOf('postgres'), (client) => client.query(`create database ${name}`));
  await migrate({ adminUrl, apiPassword, workerPassword });
  writeFileSync(keysFile, JSON.stringify(await generateSigningKeys()), { mode: 0o600 });
});
afterAll(() => withAdmin(urlOf('postgres'), (client) => client.query(`drop database ${name} with (force)`)));

/** Runs `npm run token` as in a deployment, without a local stack. */
const token = (...args: string[]) =>
  run(process.execPath, [path.resolve(__dirname, '../../dist/api/commands/token.js'), ...args], {
    env: {
      PATH: process.env['PATH'],
      ADMIN_DATABASE_URL: adminUrl,
      TOKEN_SIGNING_KEYS: keysFile,
      PUBLIC_ORIGIN: 'https://api.example',
    },
  });
const bootstrap = (email: string) => token('--bootstrap-admin', email);
const profiles = () =>
  withAdmin(adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id, role, merchant_id, email, email_key, activated_at is not null as is_active from profile`,
    );
    return rows;
  });

const linksOf = (profileId: string | undefined) =>
  withAdmin(adminUrl, async (client) => {
    const { rows } = await client.query<{ hash: Buffer; minutes: number }>(
      `select hash, round(extract(epoch from expires_at - created_at) / 60)::int as minutes
       from sign_in_link where profile_id = $1`,
      [profileId],
    );
    return rows;
  });

describe('npm run token -- --bootstrap-admin', () => {
  it('creates an active admin, a token and a console link in an empty database, and fails the second time', async () => {
    const { stdout, stderr } = await bootstrap('Boss@Bücher.example');
    const stored = await profiles();
    expect(stored).toEqual([
      {
        id: expect.any(String),
        role: 'admin',
        merchant_id: null,
        email: 'Boss@Bücher.example',
        email_key: 'boss@xn--bcher-kva.example',
        is_active: true,
      },
    ]);
    expect(decodeJwt(stdout.trim())).toMatchObject({
      sub: stored[0]?.id,
      role: 'admin',
      iss: 'https://api.example',
    });
    const [, secret = ''] =
      /^https:\/\/api\.example\/console\/enter\?token=(si_[\w-]{43})$/m.exec(stderr) ?? [];
    expect(await linksOf(stored[0]?.id)).toEqual([{ hash: hashSecret(secret), minutes: 15 }]);
    await expect(bootstrap('second@x.example')).rejects.toMatchObject({
      stderr: expect.stringContaining('There is an admin already'),
    });
    expect(await profiles()).toEqual(stored);
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
      expect(stdout).toContain('npm run --silent token -- --bootstrap-admin <email>');
      expect(stderr).toBe('');
    }
    await expect(runBare('local/token')).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('--revoke <session id>'),
    });
  });
});
