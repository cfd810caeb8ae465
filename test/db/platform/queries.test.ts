import { openPool } from '../../../db/platform/pool';
import { openDatabase } from '../../../db/platform/database';
import type { Database, Transaction } from '../../../db/platform/database';
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
