import { randomBytes, randomUUID } from 'node:crypto';
import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { createLimits } from '../../../api/platform/http/rate-limit';
import { createVisitLimits } from '../../../api/taking/avatar/visit-limits';
import { openDatabase } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { openPool } from '../../../db/platform/pool';
import { deleteEndedWindows, takeRatePoints } from '../../../db/platform/rate-windows';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';

let database: TestDatabase;
/** The databases as two API processes open them. */
let api: [Database, Database];
beforeAll(async () => {
  database = await createDatabase();
  api = [open(database.apiUrl), open(database.apiUrl)];
});
afterAll(async () => {
  await Promise.all(api.map((each) => each.close()));
});

const open = (url: string) =>
  openDatabase(openPool({ url, size: 4, applicationName: 'test', onIdleError: () => undefined }));
const ask = (of: Database, key: Buffer, perMinute: number, needed: number) =>
  of.write({ kind: 'sign_in' }, (trx) =>
    trx.one(takeRatePoints(key, { limit: perMinute, seconds: 60, needed })),
  );
const end = (key: Buffer) =>
  database.rows(`update rate_window set ends_at = now() - interval '2 minutes' where key = $1`, [key]);

/** Opens the limit of two processes. `queries` counts what they ask the database. */
const openLimits = (perMinute: number) => {
  const opened = { queries: 0 };
  const key = randomUUID();
  const openOne = (of: Database) => {
    const write: Database['write'] = (...asked) => {
      opened.queries += 1;
      return of.write(...asked);
    };
    const limit = createLimits({ write }, { warn: () => undefined })('any', perMinute);
    return () =>
      limit
        .take(key, new ServerResponse({ method: 'GET' } as IncomingMessage) as unknown as Response)
        .catch(() => undefined);
  };
  return { first: openOne(api[0]), second: openOne(api[1]), opened };
};

describe('app.take_points', () => {
  it('grants no more than the limit to simultaneous processes', async () => {
    const key = randomBytes(32);
    const grants = await Promise.all(
      Array.from({ length: 200 }, (_, index) => ask(api[index % 2 ? 0 : 1], key, 100, 1)),
    );
    expect(grants.reduce((sum, { granted }) => sum + granted, 0)).toBe(100);
    expect(Math.min(...grants.map(({ remaining }) => remaining))).toBe(0);
    expect(Math.max(...grants.map(({ granted }) => granted))).toBe(10);
    expect(Math.max(...grants.map(({ ends_in_ms }) => ends_in_ms))).toBeLessThanOrEqual(60_000);
  });

  it('begins a new window when the last one has ended', async () => {
    const key = randomBytes(32);
    expect(await ask(api[0], key, 5, 7)).toMatchObject({ granted: 5, remaining: 0 });
    expect(await ask(api[1], key, 5, 1)).toMatchObject({ granted: 0, remaining: 0 });
    await end(key);
    expect(await ask(api[1], key, 5, 1)).toMatchObject({ granted: 1, remaining: 4 });
  });
});

describe('a limit of an hour', () => {
  it('lets through its number in an hour, and then says when the hour ends', async () => {
    const { address: limit } = createVisitLimits(createLimits(api[0], { warn: () => undefined }), true, 0);
    const response = new ServerResponse({ method: 'GET' } as IncomingMessage) as unknown as Response;
    const [here, there] = [randomUUID(), randomUUID()];
    for (let count = 0; count < 60; count++) await limit.take(here, response);
    await expect(limit.take(here, response)).rejects.toMatchObject({ status: 429 });
    expect(response.getHeader('ratelimit-policy')).toBe('60;w=3600');
    expect(Number(response.getHeader('ratelimit-reset'))).toBeGreaterThan(3_000);
    await limit.take(there, response);
  });
});

describe('two processes', () => {
  it('let through exactly the limit of a key, and then reject it without a query', async () => {
    const { first, second, opened } = openLimits(60);
    let passed = 0;
    for (let index = 0; index < 150; index++) if (await (index % 2 ? first : second)()) passed += 1;
    expect(passed).toBe(60);
    const { queries } = opened;
    await Promise.all([first(), second()]);
    expect(opened.queries).toBe(queries);
  });

  it('use a refund where it was made', async () => {
    const { first, second, opened } = openLimits(2);
    const [refund] = await Promise.all([first(), second()]);
    refund?.();
    const { queries } = opened;
    expect(await first()).toBeDefined();
    expect(opened.queries).toBe(queries);
    expect(await second()).toBeUndefined();
  });
});

describe('one process', () => {
  it('takes the points of simultaneous requests with two queries, and those of a minute with few', async () => {
    const { first, opened } = openLimits(600);
    const passed = await Promise.all(Array.from({ length: 100 }, first));
    expect(passed).not.toContain(undefined);
    expect(opened.queries).toBe(2);
    for (let count = 100; count < 600; count++) expect(await first()).toBeDefined();
    expect(await first()).toBeUndefined();
    expect(opened.queries).toBeLessThan(60);
  });
});

describe('the maintenance of the worker', () => {
  it('deletes ended windows only', async () => {
    const [ended, running] = [randomBytes(32), randomBytes(32)];
    for (const key of [ended, running]) await ask(api[0], key, 5, 1);
    await end(ended);
    const worker = open(database.workerUrl);
    await worker.writeAsWorker((trx) => trx.count(deleteEndedWindows));
    const left = await database.rows<{ key: Buffer }>('select key from rate_window where key = any ($1)', [
      [ended, running],
    ]);
    expect(left).toEqual([{ key: running }]);
  });
});
