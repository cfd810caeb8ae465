import type { Pool } from 'pg';
import { openDatabase } from '../../../db/platform/database';
import type { Database, Requester } from '../../../db/platform/database';
import { openPool } from '../../../db/platform/pool';
import type { Statement } from '../../../db/platform/statement';
import { createWorld, linkOf, uuid } from './world';
import type { Cell, World } from './world';

/*
 * 500 callers of different merchants, environments and roles use the same connection one after the other. Some of
 * their transactions fail, in every way in which a transaction can fail. No caller may see rows of others, and
 * nothing of a caller may remain on the connection.
 */

let world: World;
let pool: Pool;
let database: Database;
let connections = 0;
beforeAll(async () => {
  world = await createWorld();
  const url = world.database.apiUrl;
  pool = openPool({ url, size: 1, applicationName: 'bleed', onIdleError: () => undefined });
  // There is only one connection. On a loaded machine, callers wait for it longer than the default timeout.
  pool.options.connectionTimeoutMillis = 0;
  pool.on('connect', () => (connections += 1));
  database = openDatabase(pool);
});
afterAll(async () => {
  await database.close();
  await world.close();
});

/** What a caller sees: the scope of the transaction, and the owners of all rows that are visible in it. */
type View = {
  db_role: string;
  merchant_id: string;
  environment: string;
  caller_id: string;
  owners: string[];
  interviews: number;
};
const look: Statement<View> = {
  name: 'look',
  text: `select current_user as db_role, current_setting('app.merchant_id') as merchant_id,
    current_setting('app.environment') as environment, current_setting('app.caller_id') as caller_id,
    (select count(*)::int from interview) as interviews,
    array(
      select distinct merchant_id || ' ' || environment from (
        select merchant_id, environment from interview union all
        select merchant_id, environment from position union all
        select merchant_id, environment from embed_key union all
        select merchant_id, environment from enrolment union all
        select merchant_id, environment from interview_result union all
        select merchant_id, environment from account_count union all
        select merchant_id, environment from idempotency_key
      ) every_row
    ) as owners`,
};

const expectOwn = (view: View | undefined, cell: Cell, isKey: boolean) =>
  expect(view).toEqual({
    db_role: isKey ? 'app_service' : 'app_user',
    merchant_id: cell.merchantId,
    environment: cell.environment,
    caller_id: isKey ? cell.serviceKeyId : cell.profileId,
    interviews: 3,
    owners: [`${cell.merchantId} ${cell.environment}`],
  });

type Visit = (cell: Cell, caller: Requester, isKey: boolean) => Promise<void>;

/** What callers do on the connection. Each function throws an error if the outcome is wrong. */
const visits: Record<string, Visit> = {
  'reads, all in one': async (cell, caller, isKey) => {
    const [view] = await database.query<View>(caller, look);
    expectOwn(view, cell, isKey);
  },
  reads: async (cell, caller, isKey) => {
    const [view] = await database.read(caller, (trx) => trx.rows<View>(look));
    expectOwn(view, cell, isKey);
  },
  'writes, and looks': async (cell, caller, isKey) => {
    const view = await database.write(caller, async (trx) => {
      await trx.count({
        text: `insert into question (view, question, platform_language_code) values ('question', $1, 'en')`,
        values: [`of ${cell.name}`],
      });
      expect(await trx.count({ text: 'update interview set name = $1', values: [`of ${cell.name}`] })).toBe(
        3,
      );
      return (await trx.rows<View>(look))[0];
    });
    expectOwn(view, cell, isKey);
  },
  'is revoked': async (_, caller) => {
    const gone =
      caller.kind === 'user_session' ? { ...caller, sessionId: uuid() } : { ...caller, keyHash: '00' };
    await expect(database.query(gone, look)).rejects.toMatchObject({ code: 'PA401' });
  },
  'has the wrong role, or no merchant': async (_, caller) => {
    const refused = { ...caller, roles: [], askedMerchantId: null };
    await expect(database.read(refused, (trx) => trx.rows(look))).rejects.toMatchObject({
      code: caller.kind === 'user_session' ? 'PA403' : 'PA422',
    });
  },
  'sends wrong SQL': async (_, caller) => {
    await expect(database.query(caller, { text: 'select 1 / 0' })).rejects.toMatchObject({
      code: '22012',
    });
  },
  'breaks off': async (_, caller) => {
    const own = new Error('broken off');
    const broken = database.write(caller, async (trx) => {
      await trx.count({ text: `update interview set name = 'broken off'` });
      throw own;
    });
    await expect(broken).rejects.toBe(own);
  },
  'swallows an error': async (_, caller) => {
    const swallowed = database.write(caller, async (trx) => {
      await trx.rows({ text: 'no sql' }).catch(() => undefined);
      await trx.rows(look).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('rolled back');
  },
  'signs in': async () => {
    await expect(
      database.read({ kind: 'sign_in' }, (trx) => trx.rows({ text: 'select id from interview' })),
    ).rejects.toMatchObject({ code: '42501' });
    const settings = await database.read({ kind: 'sign_in' }, (trx) => trx.rows(leftovers));
    expect(settings).toEqual([{ ...nothing, db_role: 'app_auth' }]);
  },
  'opens a link': async (cell) => {
    const { taken, merchantId, environment } = cell;
    const link = linkOf(cell);
    const view = await database.read(link, (trx) => trx.rows(linked));
    expect(view).toEqual([
      {
        ...nothing,
        db_role: 'app_link',
        merchant_id: merchantId,
        environment,
        enrolment_id: taken.enrolment,
        ids: [merchantId, taken.interview, taken.position, taken.enrolment].toSorted(),
      },
    ]);
  },
  'opens a link of nobody': async (cell) => {
    const link = { ...linkOf(cell), enrolmentId: uuid() };
    await expect(database.read(link, (trx) => trx.rows(linked))).rejects.toMatchObject({ code: 'PA401' });
  },
  'tells of mails': async () => {
    const settings = await database.read({ kind: 'mail_hook' }, (trx) => trx.rows(leftovers));
    expect(settings).toEqual([{ ...nothing, db_role: 'app_mail_hook' }]);
  },
  'has no scope at all': async () => {
    // The test uses `connect`, because `pool.query` closes the connection after an error. Whatever earlier callers
    // left on that connection could then no longer be found.
    const client = await pool.connect();
    try {
      expect((await client.query(leftovers.text)).rows).toEqual([nothing]);
      await expect(client.query('select id from interview')).rejects.toMatchObject({ code: '42501' });
    } finally {
      client.release();
    }
  },
};

const leftovers = {
  text: `select current_user as db_role, nullif(current_setting('app.merchant_id', true), '') as merchant_id,
    nullif(current_setting('app.profile_id', true), '') as profile_id,
    nullif(current_setting('app.caller_id', true), '') as caller_id,
    nullif(current_setting('app.environment', true), '') as environment,
    nullif(current_setting('app.enrolment_id', true), '') as enrolment_id`,
};
const linked: Statement = {
  name: 'linked',
  text: `${leftovers.text}, array(
    select id::text from merchant union all select id::text from interview union all
    select id::text from position union all select id::text from enrolment order by 1) as ids`,
};
const nothing = {
  db_role: 'app_api_login',
  merchant_id: null,
  profile_id: null,
  caller_id: null,
  environment: null,
  enrolment_id: null,
};

describe('one connection', () => {
  it('shows each of 500 interleaved callers only their own rows', async () => {
    const kinds = Object.values(visits);
    const failures: string[] = [];
    const visit = async (index: number) => {
      // 7 has no common factor with the numbers of visits, cells and credentials. Every kind of visit is therefore
      // made at every merchant and environment (cell), and with both credentials.
      const turn = index * 7;
      const cell = world.cells[Math.floor(turn / kinds.length) % 4];
      const isKey = Math.floor(turn / (kinds.length * 4)) % 2 === 1;
      if (!cell) throw new Error('there are four cells');
      await kinds[turn % kinds.length]?.(cell, isKey ? cell.service : cell.user, isKey);
    };
    let next = 0;
    const lane = async () => {
      while (next < 500) await visit(next++).catch((error: unknown) => failures.push(String(error)));
    };
    await Promise.all(Array.from({ length: 20 }, lane));
    expect(failures).toEqual([]);
    expect(next).toBe(500);
    expect(connections).toBe(1);
  });

  it('leaves no interview with a name that another caller or a failed call wrote', async () => {
    for (const { name, merchantId, environment } of world.cells) {
      const names = await world.database.rows<{ name: string }>(
        'select distinct name from interview where merchant_id = $1 and environment = $2 and built_at is not null',
        [merchantId, environment],
      );
      expect(names).toEqual([{ name: `of ${name}` }]);
    }
  });

  it('has no scope and no time limit left after a commit and after a rollback', async () => {
    const [cell] = world.cells;
    await database.write(cell.user, async (trx) => {
      expect(await trx.rows(leftovers)).toMatchObject([
        { merchant_id: cell.merchantId, db_role: 'app_user' },
      ]);
    });
    const settings = { text: `${leftovers.text}, current_setting('statement_timeout') as timeout` };
    expect((await pool.query(settings.text)).rows).toEqual([{ ...nothing, timeout: '0' }]);
    await expect(database.query(cell.service, { text: 'select 1 / 0' })).rejects.toThrow('zero');
    expect((await pool.query(settings.text)).rows).toEqual([{ ...nothing, timeout: '0' }]);
  });
});
