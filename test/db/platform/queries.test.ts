import { openPool } from '../../../db/platform/pool';
import { openDoors } from '../../../db/platform/scope';
import type { Database, Transaction } from '../../../db/platform/scope';
import { createWorld } from './world';
import type { Cell, World } from './world';

let world: World;
let cell: Cell;
let doors: Database;
beforeAll(async () => {
  world = await createWorld();
  [cell] = world.cells;
  const url = world.database.apiUrl;
  doors = openDoors(openPool({ url, size: 1, applicationName: 'queries', onIdleError: () => undefined }));
});
afterAll(async () => {
  await doors.close();
  await world.close();
});

describe('rows of a query', () => {
  const numbers = (count: number) => ({ text: `select n from generate_series(1, ${count}) n` });
  const read = <T>(work: (trx: Transaction) => Promise<T>) => doors.asCaller(cell.user, 'read', work);

  it('one: the row, and an error where there is none or another', async () => {
    expect(await read((trx) => trx.one(numbers(1)))).toEqual({ n: 1 });
    await expect(read((trx) => trx.one(numbers(0)))).rejects.toThrow('no row');
    await expect(read((trx) => trx.one(numbers(2)))).rejects.toThrow('2 rows');
  });

  it('maybeOne: the row or nothing, and an error where there is another', async () => {
    expect(await read((trx) => trx.maybeOne(numbers(1)))).toEqual({ n: 1 });
    expect(await read((trx) => trx.maybeOne(numbers(0)))).toBeUndefined();
    await expect(read((trx) => trx.maybeOne(numbers(2)))).rejects.toThrow('2 rows');
  });
});

it('afterCommit: runs once, when it is committed, and not when it is rolled back', async () => {
  const done: string[] = [];
  await doors.asCaller(cell.user, 'write', async (trx) => {
    trx.afterCommit(() => void done.push('committed'));
    await trx.rows({ text: 'select 1' });
    expect(done).toEqual([]);
  });
  const failed = doors.asCaller(cell.user, 'write', async (trx) => {
    trx.afterCommit(() => void done.push('rolled back'));
    await trx.rows({ text: 'select 1 / 0' });
  });
  await expect(failed).rejects.toMatchObject({ code: '22012' });
  expect(done).toEqual(['committed']);
});
