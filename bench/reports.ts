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
 * `npm run bench:reports`: times reports of the largest merchant among a million attempts, and the same SQL without the
 * API. SHARE scales the counts down, for example SHARE=0.1.
 */
async function main(): Promise<void> {
  const share = Number(process.env['SHARE'] ?? 1);
  const [all, largest] = [Math.ceil(1_000_000 * share), Math.ceil(26_000 * share)];
  console.log(`machine: ${machine()}`);
  const bench = await startBenchStack({ RATE_LIMIT_PER_MINUTE: '0' });
  const admin = new Client({ connectionString: bench.stack.database_url });
  await admin.connect();
  try {
    await fill(bench, admin, all, largest);
    console.log(
      `\n${all.toLocaleString('en')} attempts of ${merchants} merchants, ${largest.toLocaleString('en')} of this one; p50 of ${calls} calls`,
    );
    await admin.query(
      `select set_config('app.merchant_id', $1, false), set_config('app.environment', 'production', false)`,
      [bench.stack.merchant_id],
    );
    await admin.query('set role app_user');
    await compare('30 days by week', bench, admin, [weeks], 30);
    await compare('two years by week', bench, admin, [weeks], 730);
    await compare('90 days by department', bench, admin, [department], 90);
    await compare('12 blocks, 90 days', bench, admin, twelve, 90);
  } finally {
    await admin.end();
    await bench.stop();
  }
}

/** Prints the time of a preview over HTTP and of its SQL alone. */
async function compare(
  name: string,
  bench: BenchStack,
  admin: Client,
  blocks: readonly object[],
  days: number,
) {
  const http: number[] = [];
  const sql: number[] = [];
  for (let call = 0; call < calls + warmUp; call++) {
    const definition = definitionOf(blocks, days, call % 200);
    const startedAt = performance.now();
    await preview(bench, definition);
    const between = performance.now();
    await runAlone(admin, definition);
    if (call < warmUp) continue;
    http.push(between - startedAt);
    sql.push(performance.now() - between);
  }
  const [ofHttp, ofSql] = [median(http), median(sql)];
  console.log(
    `  ${name.padEnd(26)} ${`${ofHttp.toFixed(1)} ms`.padEnd(10)} SQL alone ${`${ofSql.toFixed(1)} ms`.padEnd(10)} difference ${(ofHttp - ofSql).toFixed(1)} ms`,
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

async function preview({ stack }: BenchStack, definition: unknown): Promise<void> {
  const response = await fetch(`${stack.base_url}/report-preview`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.tokens.merchant_owner}`, 'content-type': 'application/json' },
    body: JSON.stringify({ definition }),
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

/** Inserts rows directly. Only their number and their spread over three years and fifty interviews matter here. */
async function fill({ stack }: BenchStack, admin: Client, all: number, largest: number): Promise<void> {
  await admin.query(
    `insert into report_attempt (merchant_id, environment, result_id, attempt, interview_id, profile_id, source, language,
       is_test, instant, started_at, ended_at, status, interview_status, processing_status, decision, is_shortlisted, is_unpaid, has_risk_flags, score)
     select case when n <= $2 then $1::uuid else md5((n % $3)::text)::uuid end, 'production', gen_random_uuid(), 1,
       coalesce(i.ids[1 + n % cardinality(i.ids)], gen_random_uuid()), gen_random_uuid(), 'invited', 'en', false,
       t.at, t.at - interval '20 minutes', t.at, 'active', 'completed', 'completed', n % 3 = 0, n % 5 = 0, false, n % 50 = 0, (n % 100) / 10.0
     from generate_series(1, $4::int) n
     cross join (select array(select id from interview where merchant_id = $1) as ids) i
     cross join lateral (select now() - (n % 1095) * interval '1 day' - (n % 1440) * interval '1 minute' as at) t`,
    [stack.merchant_id, largest, merchants - 1, all],
  );
  await admin.query('vacuum analyze report_attempt');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
