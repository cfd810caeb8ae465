import { randomBytes } from 'node:crypto';
import { Client, DatabaseError } from 'pg';
import { openDatabase } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { openPool } from '../../../db/platform/pool';
import { atEnd, once } from '../at-end';
import { infrastructure } from './infrastructure';

export type DatabaseUrls = {
  name: string;
  /** The administrator's login, with which tests look at rows. The product never uses it. */
  adminUrl: string;
  apiUrl: string;
  workerUrl: string;
  /** The address for the worker's sessions. It leads to Postgres itself, also if the other two lead to PgBouncer. */
  workerDirectUrl: string;
};
export type TestDatabase = DatabaseUrls & {
  /** Runs a statement as the administrator and returns its rows. */
  rows: <Row = Record<string, unknown>>(text: string, values?: unknown[]) => Promise<Row[]>;
  /**
   * Closes the administrator's connection, so that the database can be the template of others. The next statement opens
   * another one.
   */
  disconnect: () => Promise<void>;
};
export type OwnDatabase = TestDatabase & { drop: () => Promise<void> };

/**
 * Creates a database: an empty one or a copy of a template, which takes about 50 ms. By default, the template is the
 * migrated and seeded one. The API and the worker reach it at `poolPort` if that is given: the port of a PgBouncer.
 */
export async function createDatabase({
  isEmpty = false,
  template = 'seeded',
  poolPort = infrastructure().poolPort,
}: { isEmpty?: boolean; template?: string; poolPort?: number } = {}): Promise<OwnDatabase> {
  const { postgresPort, postgresPassword, apiPassword, workerPassword } = infrastructure();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = (user: string, password: string, database: string, port = postgresPort) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  const maintain = async (statements: string[]) => {
    const client = new Client({ connectionString: url('postgres', postgresPassword, 'postgres') });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  if (isEmpty) await maintain([`create database ${name}`]);
  else {
    // Copying the files takes half as long as writing each page to the log.
    const copy = `create database ${name} template ${template} owner app_owner strategy file_copy`;
    await copyTemplate(() => maintain([copy]));
    await maintain([
      `revoke all on database ${name} from public`,
      `grant connect on database ${name} to app_api_login, app_worker_login`,
    ]);
  }
  const urls = {
    name,
    adminUrl: url('postgres', postgresPassword, name),
    apiUrl: url('app_api_login', apiPassword, name, poolPort),
    workerUrl: url('app_worker_login', workerPassword, name, poolPort),
    workerDirectUrl: url('app_worker_login', workerPassword, name),
  };
  const database = connectDatabase(urls);
  const drop = once(async () => {
    await database.disconnect();
    await maintain([`drop database if exists ${name} with (force)`]);
  });
  atEnd(drop);
  return { ...database, drop };
}

/** Returns the calls of an existing database. The connection is opened by the first statement and closed at the end. */
export function connectDatabase(urls: DatabaseUrls): TestDatabase {
  let connecting: Promise<Client> | undefined;
  const connect = async () => {
    // With this limit, a statement that waits for a lock forever fails at the line of the test that sent the statement.
    // Pipelined, because tests also run statements at the same time.
    const admin = new Client({
      connectionString: urls.adminUrl,
      statement_timeout: 50_000,
      pipeline: true,
    });
    admin.on('error', () => undefined);
    await admin.connect();
    return admin;
  };
  const disconnect = async () => {
    const client = connecting;
    connecting = undefined;
    await (await client)?.end();
  };
  atEnd(disconnect);
  return {
    ...urls,
    rows: async <Row>(text: string, values?: unknown[]) =>
      (await (await (connecting ??= connect())).query(text, values)).rows as Row[],
    disconnect,
  };
}

/** Opens a pool of connections, which is closed when the test file ends. */
export function openTestDatabase(url: string, size = 10): Database {
  const database = openDatabase(
    openPool({ url, size, applicationName: 'test', onIdleError: () => undefined }),
  );
  const close = once(database.close);
  atEnd(close);
  return { ...database, close };
}

/**
 * Copies the template database. While another connection uses the template, such as one of autovacuum, Postgres waits
 * 5 s and then refuses to copy it. The copy is then tried again, at most 20 times in all.
 */
async function copyTemplate(copy: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await copy();
    } catch (error) {
      const isInUse = error instanceof DatabaseError && error.code === '55006';
      if (!isInUse || attempt === 20) throw error;
    }
}
