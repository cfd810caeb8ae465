import type { Transaction } from '../../../db/platform/database';
import { databaseRoles, grants } from '../../../db/platform/grants';
import type { TableCommand, DatabaseRole } from '../../../db/platform/grants';
import type { Statement } from '../../../db/platform/statement';
import { insertInto, reach } from './matrix-rows';
import type { Row, Table } from './matrix-rows';
import { createWorld, embedOf, insertOf, linkOf, rowOf, uuid } from './world';
import type { Cell, World } from './world';

/*
 * Tests every table × command × role, for two merchants × two environments. A role can do exactly what
 * db/platform/grants.ts grants, and only on rows of its own merchant and environment. New tables are included
 * automatically. test/db/catalogue compares the grants themselves, so a command without one needs no test here.
 */

let world: World;
let tables: Map<string, Table>;
/** All rows of each table, by the name of the table. */
let everything: Map<string, Row[]>;

/** The first test compares these tables with those of the database. */
const tableNames = [...new Set(Object.values(grants).flatMap((tables) => Object.keys(tables)))];

beforeAll(async () => {
  world = await createWorld();
  const { database } = world;
  const found = await database.rows<Table>(`
    select c.relname as name,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = '') as columns,
      (select string_agg(a.attname || '::text', $$ || '/' || $$ order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum = any (i.indkey)) as key
    from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
  tables = new Map(found.map((table) => [table.name, table]));
  everything = new Map();
  for (const { name, key } of found)
    everything.set(name, await database.rows<Row>(`select *, ${key} as key from ${name}`));
});

const tableOf = (name: string): Table => tables.get(name) ?? { name, columns: [], key: '' };

class RolledBack extends Error {}

/**
 * Runs the work as this role at the merchant and environment of the cell, and rolls it back. Uses a real session, key
 * or link if the role needs one.
 */
async function as<T>(role: DatabaseRole, cell: Cell, work: (trx: Transaction) => Promise<T>): Promise<T> {
  let value: T | undefined;
  const undone = async (trx: Transaction) => {
    value = await work(trx);
    throw new RolledBack();
  };
  const run = {
    app_user: () => world.api.write(cell.user, undone),
    app_service: () => world.api.write(cell.service, undone),
    app_auth: () => world.api.write({ kind: 'sign_in' }, undone),
    app_mail_hook: () => world.api.write({ kind: 'mail_hook' }, undone),
    app_worker: () => world.worker.writeAsWorker(undone),
    app_report: () =>
      world.worker.write({ kind: 'report_schedule', scheduleId: cell.taken.schedule }, undone),
    app_link: () => world.api.write(linkOf(cell), undone),
    app_embed: () => world.api.write(embedOf(cell), undone),
    app_portal: () =>
      world.api.write(
        { kind: 'portal_visit', domain: null, merchantId: cell.merchantId, profileId: null },
        undone,
      ),
  }[role];
  await run().catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  return value as T;
}

const keysOf = async (trx: Transaction, statement: Statement) =>
  (await trx.rows(statement as Statement<{ key: string }>)).map(({ key }) => key).toSorted();

/** Returns a column that the role may update and read. The test sets this column to the value that it already has. */
async function updatableColumn(role: DatabaseRole, { name, columns }: Table): Promise<string> {
  const [row] = await world.database.rows<{ column: string }>(
    `select c as column from unnest($2::text[]) c
     where has_column_privilege($1, $3, c, 'update') and has_column_privilege($1, $3, c, 'select') limit 1`,
    [role, columns, name],
  );
  return row?.column ?? columns[0] ?? '';
}

/**
 * Some policies reject an update that changes nothing. For the tables of these policies, the tests make the following
 * updates instead.
 */
const changes: Record<string, string> = { webhook_replay: `state = 'cancelled'` };

async function statementFor(
  role: DatabaseRole,
  command: Exclude<TableCommand, 'insert'>,
  table: Table,
): Promise<Statement> {
  const { name, key } = table;
  if (command === 'select') return { text: `select ${key} as key from ${name}` };
  if (command === 'delete') return { text: `delete from ${name} returning ${key} as key` };
  const column = await updatableColumn(role, table);
  const change = changes[name] ?? `${column} = ${column}`;
  return { text: `update ${name} set ${change} returning ${key} as key` };
}

/**
 * The error with which a policy rejects a row. The error for a missing grant has the same code, but another routine.
 */
const refusedByPolicy = { code: '42501', routine: 'ExecWithCheckOptions' };

describe('the tables', () => {
  it('are all tested here', () => {
    expect([...tables.keys()].toSorted()).toEqual(tableNames.toSorted());
  });

  it('have rows of every merchant and environment', () => {
    for (const [name, { columns }] of tables)
      for (const { merchantId, environment } of world.cells) {
        const own = (everything.get(name) ?? []).filter(
          (row) =>
            (!columns.includes('merchant_id') || row.merchant_id === merchantId) &&
            (!columns.includes('environment') || row.environment === environment),
        );
        expect(`${name} ${own.length > 0}`).toBe(`${name} true`);
      }
  });
});

/** The outcome of a statement: a value, or the routine of Postgres that has rejected it. */
const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: { code?: string; routine?: string }) => `${error.code} ${error.routine}`);
const refusedByPolicyOutcome = '42501 ExecWithCheckOptions';

describe.each(databaseRoles)('%s', (role) => {
  const isCaller = role === 'app_user' || role === 'app_service';
  const isScoped = isCaller || ['app_link', 'app_embed', 'app_portal', 'app_report'].includes(role);
  const can = (table: string, command: TableCommand) => grants[role][table]?.includes(command) ?? false;
  /** Compares an outcome for each table with the expected one. A difference names the table. */
  async function expectForEach(
    names: string[],
    find: (table: Table) => Promise<{ found: unknown; expected: unknown }>,
  ): Promise<void> {
    const [found, expected]: Record<string, unknown>[] = [{}, {}];
    for (const name of names) {
      const outcome = await find(tableOf(name));
      Object.assign(found ?? {}, { [name]: outcome.found });
      Object.assign(expected ?? {}, { [name]: outcome.expected });
    }
    expect(found).toEqual(expected);
  }

  it.each(['select', 'update', 'delete'] as const)('%s: reaches exactly the rows of the scope', (command) =>
    expectForEach(
      tableNames.filter((name) => can(name, command)),
      async (table) => {
        const statement = await statementFor(role, command, table);
        const cells = isScoped ? world.cells : world.cells.slice(0, 1);
        const found: unknown[] = [];
        for (const cell of cells)
          found.push(await outcomeOf(as(role, cell, (trx) => keysOf(trx, statement))));
        const rows = everything.get(table.name) ?? [];
        return { found, expected: cells.map((cell) => reach(role, cell, table, command, rows)) };
      },
    ),
  );

  it('accepts an insert in the scope, and rejects one for another merchant or environment', () =>
    expectForEach(
      tableNames.filter((name) => can(name, 'insert')),
      async ({ name, columns }) => {
        const insert = (cell: Cell, owner: Cell) =>
          outcomeOf(as(role, cell, (trx) => trx.count(insertInto(role, name, owner, cell))));
        const [found, expected]: [unknown[], unknown[]] = [[], []];
        for (const cell of world.cells)
          for (const owner of isCaller ? world.cells : [cell]) {
            const isForeign =
              owner.merchantId !== cell.merchantId ||
              (columns.includes('environment') && owner.environment !== cell.environment);
            if (!isForeign && owner !== cell) continue;
            found.push(await insert(cell, owner));
            expected.push(isForeign ? refusedByPolicyOutcome : 1);
          }
        return { found, expected };
      },
    ));
});

describe('callers', () => {
  it.each([
    ['profile', 'an admin', { role: 'admin' }],
    ['profile', 'an account that is accepted already', { activated_at: '2026-01-01' }],
    ['mail', 'a mail that is sent already', { state: 'sent' }],
  ])('cannot insert into %s with %s', async (table, _, more) => {
    const [cell] = world.cells;
    const statement = insertOf(table, { ...rowOf(table, cell, cell.free), ...more });
    for (const role of ['app_user', 'app_service'] as const)
      await expect(as(role, cell, (trx) => trx.count(statement))).rejects.toMatchObject(refusedByPolicy);
  });
});

describe('callers with a lower role', () => {
  it.each(['merchant', 'merchant_selection'] as const)(
    'create and revoke no keys, change no merchant and write no audit entry as an owner: %s',
    async (role) => {
      const [cell] = world.cells;
      const profileId = uuid();
      const sessionId = uuid();
      const row = { ...rowOf('profile', cell, cell.free, profileId), role };
      const session = { id: sessionId, profile_id: profileId, environment: cell.environment };
      for (const { text, values } of [insertOf('profile', row), insertOf('session', session)])
        await world.database.rows(text, values);
      const lesser = {
        ...cell,
        profileId,
        user: { ...cell.user, sessionId, profileId, role } as Cell['user'],
      };
      const key = insertOf('service_key', rowOf('service_key', cell, cell.free));
      const act = insertOf('audit_entry', {
        ...rowOf('audit_entry', cell, cell.free),
        actor_id: profileId,
        actor_role: 'merchant_owner',
      });
      for (const statement of [key, act])
        await expect(as('app_user', lesser, (trx) => trx.count(statement))).rejects.toMatchObject(
          refusedByPolicy,
        );
      for (const text of [
        'update service_key set revoked_at = now()',
        `update merchant set time_zone = 'UTC'`,
      ])
        expect(await as('app_user', lesser, (trx) => trx.count({ text }))).toBe(0);
      expect(await as('app_user', cell, (trx) => trx.count(key))).toBe(1);
      await world.database.rows('delete from session where id = $1', [sessionId]);
      await world.database.rows('delete from profile where id = $1', [profileId]);
    },
  );
});

describe('callers without a merchant of their own', () => {
  it('see no rows with a merchant as an admin without a chosen merchant', async () => {
    const [cell] = world.cells;
    const [profile] = await world.database.rows<{ id: string }>(
      `insert into profile (role, email, email_key, name)
       values ('admin', 'any@any.example', 'any@any.example', 'Any') returning id`,
    );
    const [session] = await world.database.rows<{ id: string }>(
      `insert into session (profile_id, environment) values ($1, $2) returning id`,
      [profile?.id, cell.environment],
    );
    const admin = {
      ...cell.user,
      kind: 'user_session' as const,
      sessionId: session?.id ?? '',
      profileId: profile?.id ?? '',
      role: 'admin' as const,
      homeMerchantId: null,
      needsMerchant: false,
    };
    const readable = Object.keys(grants.app_user).filter((name) => grants.app_user[name]?.includes('select'));
    for (const name of readable) {
      const { key } = tableOf(name);
      const rows = await world.api.query(admin, { text: `select ${key} as key from ${name}` });
      const platformWide = (everything.get(name) ?? []).filter(({ merchant_id }) => merchant_id === null);
      const seen =
        { interview_template: 6, sync_generation: 1, catalogue_directory: platformWide.length }[name] ?? 0;
      expect(`${name}: ${rows.length}`).toBe(`${name}: ${seen}`);
    }
  });

  it('see no rows with the role of callers alone', async () => {
    await expect(
      world.api.read({ kind: 'sign_in' }, async (trx) => {
        await trx.rows({ text: `select set_config('role', 'app_user', true)` });
        return trx.rows({ text: 'select id from interview' });
      }),
    ).resolves.toEqual([]);
  });
});
