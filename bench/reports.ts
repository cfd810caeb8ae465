import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { checkReport } from '../api/reports/check-definition';
import { compileBlock } from '../db/reports/compile-block';
import { datasets } from '../db/reports/datasets/index';
import { machine, median, startBenchStack } from './stack';
import type { BenchStack } from './stack';

const calls = 300;
const warmUp = 50;
const merchants = 200;

const block = {
  id: 'b',
  type: 'line',
  dataset: 'interview_results',
  measures: ['completed', 'avg_score', 'shortlisted'],
};
const weeks = { ...block, dimensions: [{ field: 'completed_at', grain: 'week' }] };
const kpi = { ...block, type: 'kpi' };
const department = { ...block, type: 'bar', dimensions: ['department'] };
const twelve = Array.from({ length: 12 }, (_, index) => ({
  ...[weeks, kpi, department][index % 3],
  id: `b${index}`,
}));

/**
 * `npm run bench:reports`: runs reports of the largest merchant among up to a million attempts, each with another period, and
 * compares them with the SQL over the attempts alone, and with a call that reads one row. SHARE scales the counts down, for
 * example SHARE=0.1.
 */
async function main(): Promise<void> {
  const share = Number(process.env['SHARE'] ?? 1);
  console.log(`machine: ${machine()}`);
  const bench = await startBenchStack({ RATE_LIMIT_PER_MINUTE: '0' });
  const admin = new Client({ connectionString: bench.stack.database_url });
  const reader = new Client({ connectionString: bench.stack.database_url });
  await admin.connect();
  await reader.connect();
  try {
    await reader.query(
      `select set_config('app.merchant_id', $1, false), set_config('app.environment', 'production', false)`,
      [bench.stack.merchant_id],
    );
    await reader.query('set role app_user');
    let filled = 0;
    for (const size of [10_000, 100_000, 1_000_000]) {
      const all = Math.ceil(size * share);
      await fill(bench, admin, filled, all);
      filled = all;
      console.log(
        `\n${all.toLocaleString('en')} attempts of ${merchants} merchants, 2.6 % of them of this one`,
      );
      await compare('30 days by week', bench, reader, [weeks], 30);
      await compare('two years by week', bench, reader, [weeks], 730);
    }
    await compare('90 days by department', bench, reader, [department], 90);
    await compare('12 blocks, 90 days', bench, reader, twelve, 90);
    for (const clients of [1, 8]) await compareCached(bench, clients);
  } finally {
    await reader.end();
    await admin.end();
    await bench.stop();
  }
}

/** Prints the time of a preview over HTTP and of the SQL over its attempts alone. */
async function compare(
  name: string,
  bench: BenchStack,
  reader: Client,
  blocks: readonly object[],
  days: number,
) {
  const http: number[] = [];
  const sql: number[] = [];
  for (let call = 0; call < calls + warmUp; call++) {
    const definition = definitionOf(blocks, days, call);
    const startedAt = performance.now();
    await preview(bench, definition);
    const between = performance.now();
    await runAlone(reader, definition);
    if (call < warmUp) continue;
    http.push(between - startedAt);
    sql.push(performance.now() - between);
  }
  const [ofHttp, ofSql] = [median(http), median(sql)];
  console.log(
    `  ${name.padEnd(26)} ${`${ofHttp.toFixed(1)} ms`.padEnd(10)} SQL alone ${`${ofSql.toFixed(1)} ms`.padEnd(10)} difference ${(ofHttp - ofSql).toFixed(1)} ms`,
  );
}

/** Prints the times of a report that is in the cache, of one that is not, and of a call that reads one row. */
async function compareCached(bench: BenchStack, clients: number): Promise<void> {
  const { stack } = bench;
  const same = definitionOf([weeks], 30, 1);
  let shift = 900 * clients;
  const kinds: Record<string, () => Promise<unknown>> = {
    'one row': () => call(bench, `job-interview-get?position_id=${stack.ids['active_interview']}`),
    cached: () => preview(bench, same),
    // Each period is another one, of 30 days and a few.
    'not cached': () => {
      shift += 1;
      return preview(bench, definitionOf([weeks], 30 + Math.floor(shift / 900), shift % 900));
    },
  };
  const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  // The kinds take turns, so that what else runs on the machine slows down all of them.
  const client = async () => {
    for (let each = 0; each < calls + warmUp; each++)
      for (const [kind, work] of Object.entries(kinds)) {
        const startedAt = performance.now();
        await work();
        if (each >= warmUp) times.get(kind)?.push(performance.now() - startedAt);
      }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const row = median(times.get('one row') ?? []);
  console.log(`\n${clients} clients, 30 days by week, compared with a call that reads one row`);
  for (const [kind, taken] of times)
    console.log(
      `  ${kind.padEnd(26)} ${`${median(taken).toFixed(1)} ms`.padEnd(10)} ratio ${(median(taken) / row).toFixed(2)}`,
    );
}

const dayMs = 86_400_000;
const dateOf = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);

/** Returns a report whose period ends `shift` days ago. Calls differ in `shift`, so that no cache can serve them. */
const definitionOf = (blocks: readonly object[], days: number, shift: number) => ({
  schema: 'platform.report/v1',
  title: 'Bench',
  filters: { period: { preset: 'custom', from: dateOf(days + shift), to: dateOf(shift) } },
  blocks,
});

const preview = (bench: BenchStack, definition: unknown) => call(bench, 'report-preview', { definition });

async function call({ stack }: BenchStack, name: string, body?: object): Promise<void> {
  const response = await fetch(`${stack.base_url}/${name}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${stack.tokens.merchant_owner}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (response.status !== 200 || text.includes('"ok":false')) throw new Error(text);
}

async function runAlone(admin: Client, definition: unknown): Promise<void> {
  const checked = checkReport({ definition, datasets, now: new Date(), merchantZone: 'Europe/Amsterdam' });
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
  const { blocks, checkedFilters } = checked.report;
  for (const each of blocks)
    if (each.type !== 'text') {
      const { text, values } = compileBlock(each, checkedFilters).rows;
      await admin.query(text, values);
    }
}

/**
 * Inserts rows directly, up to `all`. Only their number and their spread over three years and fifty interviews matter here.
 * Returns when the worker has summed up their days.
 */
async function fill({ stack }: BenchStack, admin: Client, filled: number, all: number): Promise<void> {
  await admin.query('alter table report_attempt disable trigger report_attempt_report_changed');
  await admin.query(
    `insert into report_attempt (merchant_id, environment, result_id, attempt, interview_id, profile_id, source, language,
       is_test, instant, started_at, ended_at, status, interview_status, processing_status, decision, is_shortlisted, is_unpaid, has_risk_flags, score)
     select case when n % 1000 < 26 then $1::uuid else md5((n % $2)::text)::uuid end, 'production', gen_random_uuid(), 1,
       coalesce(i.ids[1 + n % cardinality(i.ids)], gen_random_uuid()), gen_random_uuid(), 'invited', 'en', false,
       t.at, t.at - interval '20 minutes', t.at, 'active', 'completed', 'completed', n % 3 = 0, n % 5 = 0, false, n % 50 = 0, (n % 100) / 10.0
     from generate_series($3::int + 1, $4::int) n
     cross join (select array(select id from interview where merchant_id = $1) as ids) i
     cross join lateral (select now() - (n % 1095) * interval '1 day' - (n % 1440) * interval '1 minute' as at) t`,
    [stack.merchant_id, merchants - 1, filled, all],
  );
  await admin.query('alter table report_attempt enable trigger report_attempt_report_changed');
  await admin.query('delete from report_rollup');
  await admin.query('delete from report_day');
  await admin.query('vacuum analyze report_attempt');
  const isBehind = async () => {
    const { rowCount } = await admin.query(
      `select from report_rollup where merchant_id = $1 and environment = 'production' and until >= now()::date - 4`,
      [stack.merchant_id],
    );
    return rowCount === 0;
  };
  while (await isBehind()) await wait(500);
  await admin.query('vacuum analyze report_day');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
