import { Client } from 'pg';
import { limits } from '../../../api/reports/language/limits';
import { createReportResults } from '../../../api/reports/runs/result-cache';
import { runReport } from '../../../api/reports/runs/run-report';
import type { RunDeps } from '../../../api/reports/runs/run-report';
import type { Requester } from '../../../db/platform/database';
import { compileBlock } from '../../../db/reports/compile-block';
import { datasets } from '../../../db/reports/datasets';
import { findRunSettings } from '../../../db/reports/run-settings';
import { waitFor } from '../../harness/wait-for';
import type { Cell } from '../platform/world';
import { seededRandom } from './random';
import { blockOf, copyAttempt, createReportWorld, filtersOf } from './report-world';
import type { ReportWorld } from './report-world';

/*
 * Tests which report runs read their rows from Postgres, and which get them from the cache or from another caller's
 * run.
 */

let world: ReportWorld;
let cell: Cell;
let other: Cell;
beforeAll(async () => {
  const random = seededRandom(7);
  const instants = () => Date.now() - random.below(20 * 24 * 60) * 60_000;
  world = await createReportWorld(random, { rows: 60, instants });
  [cell, , other] = world.cells;
});

/**
 * Creates the dependencies of one API process that runs reports, with a cache of its own. `blocksRead` returns how
 * many blocks the process has read from Postgres.
 */
function openProcess() {
  const reportResults = createReportResults();
  const { cache } = reportResults;
  let read = 0;
  const set: typeof cache.set = (...entry) => {
    read += 1;
    cache.set(...entry);
  };
  const deps: RunDeps = {
    database: world.api,
    reportResults: { ...reportResults, cache: { ...cache, set } },
  };
  return { deps, blocksRead: () => read };
}

const started = { id: 'a', type: 'kpi', dataset: 'interview_results', measures: ['started', 'avg_score'] };
const runBlocks = async (
  { deps }: ReturnType<typeof openProcess>,
  {
    caller = cell.user,
    blocks = [started],
    signal = new AbortController().signal,
  }: { caller?: Requester; blocks?: object[]; signal?: AbortSignal } = {},
) => {
  const definition = { schema: 'platform.report/v1', title: 'Any', blocks };
  const request = { facts: { report_id: null, version: null }, definition, isStored: false };
  const call = { caller, signal, receivedAt: Date.now() };
  const settings = { statement: findRunSettings, asked: request, toRequest: () => request };
  return (await runReport(deps, call, settings)).blocks;
};
const run = async (...args: Parameters<typeof runBlocks>) =>
  (await runBlocks(...args)).map((block) => block.rows?.[0]);

const addAttempt = (to: Cell) =>
  copyAttempt(world, to, 'true', { is_test: false, started_at: new Date().toISOString() });

/** Locks a table, so that statements that read it wait until the returned function is called. */
async function hold(table: string) {
  const locker = new Client({ connectionString: world.database.adminUrl });
  await locker.connect();
  await locker.query(`begin; lock table ${table} in access exclusive mode`);
  return () => locker.end();
}

describe('a run of a report', () => {
  it('takes blocks from the cache, and only those', async () => {
    const process = openProcess();
    const first = await run(process);
    expect(await run(process)).toEqual(first);
    expect(process.blocksRead()).toBe(1);
    await run(process, { blocks: [started, { ...started, id: 'b', measures: ['completed'] }] });
    expect(process.blocksRead()).toBe(2);
  });

  it('shows a change at once, in every process', async () => {
    const processes = [openProcess(), openProcess()];
    const before = await Promise.all(processes.map((process) => run(process)));
    await addAttempt(cell);
    const after = await Promise.all(processes.map((process) => run(process)));
    const counts = [before, after].map((all) => all.map(([row]) => row?.['started']));
    expect(counts[1]).toEqual(counts[0]?.map((count) => Number(count) + 1));
    await addAttempt(other);
    await Promise.all(processes.map((process) => run(process)));
    expect(processes.map((process) => process.blocksRead())).toEqual([2, 2]);
  });

  it('shares nothing between merchants, environments and roles', async () => {
    const process = openProcess();
    const callers = [...world.cells.map(({ user }) => user), cell.service];
    const alone = await Promise.all(callers.map((caller) => run(openProcess(), { caller })));
    expect(await Promise.all(callers.map((caller) => run(process, { caller })))).toEqual(alone);
    expect(process.blocksRead()).toBe(callers.length);
  });

  it('follows the positions of a hiring manager at once', async () => {
    const process = openProcess();
    const { user, merchantId, environment, profileId } = cell;
    if (user.kind !== 'user_session') throw new Error('a cell has a user');
    const setRole = (role: string) =>
      world.database.rows('update profile set role = $2 where id = $1', [profileId, role]);
    await setRole('merchant_selection');
    const caller = { ...user, role: 'merchant_selection' as const };
    const [before] = await run(process, { caller });
    await world.database.rows(`insert into position_member values ($1, $2, $3, '{}')`, [
      merchantId,
      profileId,
      environment,
    ]);
    const [after] = await run(process, { caller });
    await world.database.rows('delete from position_member where profile_id = $1', [profileId]);
    await setRole(user.role);
    expect(before?.['started']).toBeGreaterThan(0);
    expect(after?.['started']).toBe(0);
  });

  it('is read once for callers who ask at the same time', async () => {
    const process = openProcess();
    const all = await Promise.all(Array.from({ length: 20 }, () => run(process)));
    expect(process.blocksRead()).toBe(1);
    expect(new Set(all.map((rows) => JSON.stringify(rows))).size).toBe(1);
  });

  it('returns the other blocks when one takes longer than its time', async () => {
    const changeable: { block_timeout_ms: number } = limits;
    const limit = jest.replaceProperty(changeable, 'block_timeout_ms', 300);
    const release = await hold('credit_entry');
    const credits = { id: 'credits', type: 'kpi', dataset: 'credits', measures: ['consumed'] };
    try {
      for (const preset of ['last_30_days', 'all_time'])
        expect(
          await runBlocks(openProcess(), { blocks: [{ ...credits, period: { preset } }, started] }),
        ).toMatchObject([
          { block_id: 'credits', ok: false, error: expect.stringContaining('longer than 1 s'), rows: [] },
          { block_id: 'a', ok: true, rows: [{ started: expect.any(Number) }] },
        ]);
    } finally {
      limit.restore();
      await release();
    }
  });
});

describe('a run that callers share', () => {
  const running = async () => {
    const [row] = await world.database.rows<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and state = 'active' and wait_event_type = 'Lock' and query like '%report_attempt a%'`,
    );
    return row?.count ?? 0;
  };
  /** Counts the callers' connections that have an open transaction. */
  const busy = async () => {
    const [row] = await world.database.rows<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and usename = 'app_api_login' and state <> 'idle'`,
    );
    return row?.count ?? 0;
  };
  const ask = (process: ReturnType<typeof openProcess>) => {
    const stop = new AbortController();
    return { stop, rows: run(process, { signal: stop.signal }) };
  };

  it('is begun again, once for all others, when the caller who began it leaves', async () => {
    const process = openProcess();
    const release = await hold('report_attempt');
    const [first, second, third] = [ask(process), ask(process), ask(process)];
    await waitFor('all to wait for one query', async () => (await running()) === 1 && (await busy()) === 1);
    first.stop.abort();
    await expect(first.rows).rejects.toThrow('Connection terminated');
    await release();
    expect((await second.rows)[0]).toHaveProperty('started');
    expect(await third.rows).toEqual(await second.rows);
    expect(process.blocksRead()).toBe(1);
  });

  it('is canceled when the last caller leaves', async () => {
    const process = openProcess();
    const release = await hold('report_attempt');
    const both = [ask(process), ask(process)];
    await waitFor('the query', async () => (await running()) === 1);
    for (const { stop, rows } of both) {
      stop.abort();
      await expect(rows).rejects.toThrow('Connection terminated');
    }
    await waitFor('the end of the query', async () => (await running()) === 0);
    await release();
    expect((await run(process))[0]).toHaveProperty('started');
  });
});

describe('a change of what reports read', () => {
  it('is recorded for every table of every dataset', async () => {
    const read = new Set<string>();
    for (const dataset of datasets.values()) {
      const dimensions = [...dataset.dimensions.values()].map((field) => ({
        field,
        grain: field.type === 'date' ? ('day' as const) : null,
      }));
      const measures = [...dataset.measures.values()].map((measure) => ({
        as: measure.id,
        label: measure.label,
        measure,
        where: [],
      }));
      const block = blockOf({ dataset, dimensions, measures });
      const { text, values } = compileBlock(block, filtersOf()).rows;
      const plan = await world.api.read(cell.user, (trx) =>
        trx.rows<{ 'QUERY PLAN': unknown }>({ text: `explain (format json) ${text}`, values: values ?? [] }),
      );
      for (const [, name] of JSON.stringify(plan).matchAll(/"Relation Name":"(\w+)"/g)) read.add(name ?? '');
    }
    // interview_template belongs to the platform, so no change of it is recorded. The function names_of_team reads
    // profile and merchant_access, but a query plan does not show the tables that a function reads.
    read.delete('interview_template');
    read.add('profile').add('merchant_access');
    const triggers = await world.database.rows<{ name: string }>(
      `select distinct relname::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
       where p.proname in ('report_input_changed', 'report_attempt_changed')`,
    );
    expect([...read].toSorted()).toEqual(triggers.map(({ name }) => name).toSorted());
  });
});
