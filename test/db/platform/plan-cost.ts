import { escapeLiteral } from 'pg';
import { toStatement } from '../../../db/platform/database';
import type { Transaction } from '../../../db/platform/database';
import type { Query } from '../../../db/platform/statement';
import type { TestDatabase } from '../../harness/platform/database';
import { waitFor } from '../../harness/wait-for';

export type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Heap Fetches'?: number;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
};
type Pages = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
type Door = (work: (trx: Transaction) => Promise<never>) => Promise<never>;

/** The maximum number of rows of a table that a query about one object should read. */
const fewRows = 100;

/** Runs the work and rolls it back. */
async function undone<T>(door: Door, work: (trx: Transaction) => Promise<T>): Promise<T | undefined> {
  let value: T | undefined;
  const rollback = new Error('undone');
  await door(async (trx) => {
    value = await work(trx);
    throw rollback;
  }).catch((error: unknown) => {
    if (error !== rollback) throw error;
  });
  return value;
}

/**
 * Vacuums and analyzes tables until nearly all of their pages are marked as visible to all, as index-only scans need it. A
 * vacuum leaves pages unmarked if a commit has not been flushed to disk, or while a transaction of another test is older. It
 * also leaves up to 2 % of them with deleted rows.
 */
export async function vacuum(rows: TestDatabase['rows'], ...tables: string[]): Promise<void> {
  await waitFor(`the rows of ${tables.join(', ')} to be visible to all`, async () => {
    await rows(`vacuum analyze ${tables.join(', ')}`);
    const hidden = await rows(
      'select from pg_class where oid = any ($1::regclass[]) and relallvisible < 0.95 * relpages - 1',
      [tables],
    );
    return hidden.length === 0;
  });
}

/** Explains a statement, with one plan for all values if it is planned once. */
async function explain(trx: Transaction, query: Query): Promise<{ 'QUERY PLAN': [{ Plan: Plan }] }[]> {
  const { text, values = [], isPlannedOnce } = toStatement(query);
  const analyze = 'explain (analyze, format json)';
  if (!isPlannedOnce) return trx.rows({ text: `${analyze} ${text}`, values });
  const literals = (values as (string[] | number | string | null)[]).map((value) =>
    value === null ? 'null' : escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value)),
  );
  await trx.rows({ text: 'set local plan_cache_mode = force_generic_plan' });
  await trx.rows({ text: `prepare planned_once as ${text}` });
  const plan = await trx.rows({ text: `${analyze} execute planned_once(${literals.join(', ')})` });
  await trx.rows({ text: 'deallocate planned_once' });
  return plan as { 'QUERY PLAN': [{ Plan: Plan }] }[];
}

/** Runs the statement and rolls it back. Returns the scans that read more than `most` rows. */
export async function expensiveScans(door: Door, query: Query, most = fewRows): Promise<Plan[]> {
  const plan = await undone(door, async (trx) => {
    const [row] = await explain(trx, query);
    return row?.['QUERY PLAN'][0].Plan;
  });
  if (!plan) throw new Error('there is no plan');
  const scans = (node: Plan): Plan[] => {
    const rows =
      (node['Actual Rows'] +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops'];
    const isExpensive = rows > most && node['Relation Name'] !== undefined;
    return [...(isExpensive ? [node] : []), ...(node.Plans ?? []).flatMap(scans)];
  };
  return scans(plan);
}

/**
 * Runs the statement twice and rolls it back. Returns how many pages it read the second time. The first time, it also
 * reads system catalogs.
 */
export async function pagesRead(door: Door, query: Query): Promise<number> {
  const { text, values } = toStatement(query);
  const plan = await undone(door, async (trx) => {
    const explained = () =>
      trx.rows<{ 'QUERY PLAN': [{ Plan: Pages }] }>({
        text: `explain (analyze, buffers, format json) ${text}`,
        values,
      });
    await explained();
    const [row] = await explained();
    return row?.['QUERY PLAN'][0].Plan;
  });
  if (!plan) throw new Error('there is no plan');
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

/** Returns the tables from which the statement reads more than `most` rows. */
export const expensiveTables = async (door: Door, query: Query, most = fewRows): Promise<string[]> =>
  (await expensiveScans(door, query, most)).map((scan) => scan['Relation Name'] ?? '');

/**
 * Returns the tables from which the statement and the functions that it calls read more than `most` rows. The numbers
 * come from Postgres's statistics, because plans do not show what functions read.
 */
export async function expensiveTablesInside(door: Door, query: Query, most = fewRows): Promise<string[]> {
  // The statistics may include earlier reads of the transaction, so the reads before the statement are subtracted.
  const read = (trx: Transaction) =>
    trx.rows<{ name: string; rows: number }>({
      text: `select relname as name, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as rows
        from pg_stat_xact_user_tables where schemaname = 'public'`,
    });
  const tables = await undone(door, async (trx) => {
    const before = new Map((await read(trx)).map(({ name, rows }) => [name, rows]));
    await trx.rows(query);
    return (await read(trx)).filter(({ name, rows }) => rows - (before.get(name) ?? 0) > most);
  });
  return tables ? tables.map(({ name }) => name) : ['nothing was read'];
}
