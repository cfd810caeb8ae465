import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { assertDatabaseAnswers, startPostgres, type RunningPostgres } from '../../local/postgres';
import { removeCluster } from '../../local/postgres-place';
import { takePort } from '../harness/platform/ports';

const folder = mkdtempSync(path.join(tmpdir(), 'postgres-'));
// When root runs the tests, the server runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o711);
const dataDir = path.join(folder, 'cluster');
const logFile = path.join(folder, 'log');
const started: RunningPostgres[] = [];

async function start(
  port: number,
  overrides: { dataDir?: string; password?: string } = {},
): Promise<RunningPostgres> {
  const running = await startPostgres({
    dataDir,
    port,
    password: 'p@ss/word',
    flags: ['-c', 'fsync=off'],
    logFile,
    ...overrides,
  });
  started.push(running);
  return running;
}

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

afterEach(async () => {
  await Promise.all(started.splice(0).map(async (running) => running.stop()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('startPostgres', () => {
  it('creates a UTF-8 cluster that is the same on every machine, on loopback only and with a password', async () => {
    const port = await takePort();
    const postgres = await start(port);
    const rows = await query(
      postgres.adminUrl(),
      `select current_database() as name, pg_encoding_to_char(encoding) as encoding, datlocprovider as provider,
         datlocale as locale, current_setting('fsync') as fsync, current_setting('timezone') as timezone,
         current_setting('listen_addresses') as address
       from pg_database where datname = current_database()`,
    );
    expect(rows).toEqual([
      {
        name: 'platform',
        encoding: 'UTF8',
        provider: 'b',
        locale: 'C.UTF-8',
        fsync: 'off',
        timezone: 'UTC',
        address: '127.0.0.1',
      },
    ]);
    await expect(
      query(`postgres://postgres:wrong@127.0.0.1:${port}/platform`, 'select'),
    ).rejects.toMatchObject({ code: '28P01' });
    const others = `select datname from pg_stat_activity
       where datname <> current_database() and backend_type = 'client backend'`;
    expect(await query(postgres.adminUrl(), others)).toEqual([]);
    await query(postgres.adminUrl(), 'create table kept as select 42 as answer');
  });

  it('continues with the same data after a stop and after a kill', async () => {
    const port = await takePort();
    const first = await start(port);
    expect(await query(first.adminUrl(), 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(await query(first.adminUrl('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
    first.kill();
    await first.ended;
    // Another program has the process id of the killed server now.
    writeFileSync(path.join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n`);
    const second = await start(port);
    expect(await query(second.adminUrl(), 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('starts in a folder that only its owner may enter, such as the home of root in a container', async () => {
    const closed = path.join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const place = path.join(closed, 'cluster');
    const postgres = await start(await takePort(), { dataDir: place });
    expect(await query(postgres.adminUrl(), 'select 1 as one')).toEqual([{ one: 1 }]);
    await postgres.stop();
    removeCluster(place);
    expect(existsSync(postgres.dataDir)).toBe(false);
  });

  it('throws with the name of the file whose password is wrong', async () => {
    await expect(start(await takePort(), { password: 'another' })).rejects.toThrow(
      `The password in secrets.json is not the one of ${dataDir}: start with npm start -- --fresh to delete it.`,
    );
  });

  it('leaves a folder unchanged that contains something else, or another version', async () => {
    const port = await takePort();
    const taken = path.join(folder, 'taken');
    mkdirSync(taken);
    writeFileSync(path.join(taken, 'letter.txt'), '');
    await expect(start(port, { dataDir: taken })).rejects.toThrow(
      `${taken} holds something that is not a Postgres cluster: remove it, or set LOCAL_DIR to another folder.`,
    );
    const old = path.join(folder, 'old');
    mkdirSync(old);
    writeFileSync(path.join(old, 'PG_VERSION'), '17\n');
    await expect(start(port, { dataDir: old })).rejects.toThrow(`${old} was made by Postgres 17, this is 18`);
  });
});

describe('assertDatabaseAnswers', () => {
  it('names the place and not the password', async () => {
    const port = await takePort();
    await expect(assertDatabaseAnswers(`postgres://me:secret@127.0.0.1:${port}/platform`)).rejects.toThrow(
      `The database platform at 127.0.0.1:${port} does not answer (ECONNREFUSED): correct DATABASE_URL`,
    );
  });
});
