import { openDatabase } from '../../../db/platform/database';
import type { Database, Transaction } from '../../../db/platform/database';
import { openPool } from '../../../db/platform/pool';
import { createWorld } from './world';
import type { Cell, World } from './world';

let world: World;
let cell: Cell;
let database: Database;
beforeAll(async () => {
  world = await createWorld();
  [cell] = world.cells;
  const url = world.database.apiUrl;
  database = openDatabase(
    openPool({ url, size: 1, applicationName: 'queries', onIdleError: () => undefined }),
  );
});
afterAll(async () => {
  await database.close();
  await world.close();
});

describe('the rows of a query', () => {
  const numbers = (count: number) => ({ text: `select n from generate_series(1, ${count}) n` });
  const read = <T>(work: (trx: Transaction) => Promise<T>) => database.read(cell.user, work);

  it('are exactly one with `one`, or it throws', async () => {
    expect(await read((trx) => trx.one(numbers(1)))).toEqual({ n: 1 });
    await expect(read((trx) => trx.one(numbers(0)))).rejects.toThrow('no row');
    await expect(read((trx) => trx.one(numbers(2)))).rejects.toThrow('2 rows');
  });

  it('are at most one with `maybeOne`, or it throws', async () => {
    expect(await read((trx) => trx.maybeOne(numbers(1)))).toEqual({ n: 1 });
    expect(await read((trx) => trx.maybeOne(numbers(0)))).toBeUndefined();
    await expect(read((trx) => trx.maybeOne(numbers(2)))).rejects.toThrow('2 rows');
  });
});

it('are followed by afterCommit once after the commit, and not after a rollback', async () => {
  const done: string[] = [];
  await database.write(cell.user, async (trx) => {
    trx.afterCommit(() => void done.push('committed'));
    await trx.rows({ text: 'select 1' });
    expect(done).toEqual([]);
  });
  const failed = database.write(cell.user, async (trx) => {
    trx.afterCommit(() => void done.push('rolled back'));
    await trx.rows({ text: 'select 1 / 0' });
  });
  await expect(failed).rejects.toMatchObject({ code: '22012' });
  expect(done).toEqual(['committed']);
});

describe('read and write', () => {
  it('report the error of the work unchanged for a valid credential', async () => {
    const own = new Error('of the work');
    await expect(database.write(cell.user, () => Promise.reject(own))).rejects.toBe(own);
    await expect(database.write(cell.user, (trx) => trx.rows({ text: 'no sql' }))).rejects.toMatchObject({
      code: '42601',
    });
  });

  it('report the proven merchant and caller to the meter', async () => {
    const meter = { databaseMs: 0, merchantId: null, callerId: null };
    await database.query({ ...cell.service, meter }, { text: 'select id from interview limit 1' });
    expect(meter).toEqual({
      databaseMs: expect.any(Number),
      merchantId: cell.merchantId,
      callerId: cell.serviceKeyId,
    });
  });

  it('set the scope that was proven, and none for sign-in', async () => {
    expect(await database.read(cell.user, (trx) => trx.scope())).toMatchObject({
      merchant_id: cell.merchantId,
      profile_id: cell.profileId,
      caller_id: cell.profileId,
      role: 'merchant_owner',
      environment: cell.environment,
    });
    await expect(database.read({ kind: 'sign_in' }, (trx) => trx.scope())).rejects.toThrow('no caller');
  });
});

describe('writeAsWorker', () => {
  it('is rejected over the login of the API', async () => {
    await expect(
      database.writeAsWorker((trx) => trx.rows({ text: 'select id from interview' })),
    ).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('is rejected for a column that is not granted', async () => {
    await expect(
      world.worker.writeAsWorker((trx) => trx.count({ text: `update interview set name = 'taken over'` })),
    ).rejects.toMatchObject({ code: '42501' });
  });
});
