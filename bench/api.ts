import { fork } from 'node:child_process';
import path from 'node:path';
import autocannon from 'autocannon';
import { decodeJwt } from 'jose';
import { jobInterviewGet } from '../api/interviews/job-interview-get';
import { withAdminConnection } from '../db/platform/credentials';
import { databaseUrlFor } from '../local/environments';
import { readSecrets } from '../local/secrets';
import type { BareSettings } from './bare-server';
import { benchPeopleLists } from './people-lists';
import { loadFor, machine, median, scaled, startBenchStack } from './stack';
import type { BenchStack } from './stack';

const rounds = scaled(5);
const roundSeconds = 5;
const warmUpSeconds = 3;
const creates = scaled(40);
const together = scaled(50);
const warmUps = scaled(5);
const connections = 32;
const poolSize = 10;

/**
 * `npm run bench:api`: prints latencies, and the API's throughput as a ratio to that of a bare handler, which is
 * measured in the same run. Other processes on the machine disturb the numbers, so compare only numbers of one run.
 */
async function main(): Promise<void> {
  console.log(`machine: ${machine()}`);
  const bench = await startBenchStack({
    RATE_LIMIT_PER_MINUTE: '100000000',
    DATABASE_POOL_SIZE: String(poolSize),
  });
  try {
    await benchReads(bench);
    await benchCreates(bench);
    await benchIssues(bench);
    await benchInterviewList(bench);
    await benchPeopleLists(bench, measureOne);
  } finally {
    await bench.stop();
  }
}

async function benchReads(bench: BenchStack): Promise<void> {
  const { stack } = bench;
  const token = stack.tokens.merchant_owner;
  const target = (port: string) =>
    `http://127.0.0.1:${port}/v1/job-interview-get?position_id=${stack.ids.active_interview}`;
  const bare = await startBare(bench, false);
  const pipelined = await startBare(bench, true);
  const contenders = {
    ours: target(new URL(stack.origin).port),
    'bare, four awaited statements': target(bare.port),
    'bare, pipelined': target(pipelined.port),
  };
  const rates = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]));
  for (const url of Object.values(contenders)) await load(url, token, connections, warmUpSeconds);
  for (let round = 0; round < rounds; round++)
    for (const [name, url] of Object.entries(contenders))
      rates.get(name)?.push((await load(url, token, connections, roundSeconds)).requests.average);
  const single = await load(contenders.ours, token, 1, roundSeconds);
  bare.stop();
  pipelined.stop();

  console.log(
    `\nGET /job-interview-get, ${connections} connections, median of ${rounds} rounds of ${scaled(roundSeconds)} s`,
  );
  const ours = median(rates.get('ours') ?? []);
  for (const [name, values] of rates)
    console.log(`  ${name.padEnd(30)} ${median(values).toFixed(0).padStart(6)} requests/s`);
  const ratio = (name: string) => (ours / median(rates.get(name) ?? [])).toFixed(2);
  console.log(
    `  ratio to four awaited statements  ${ratio('bare, four awaited statements')}   (bar: at least 0.40)`,
  );
  console.log(`  ratio to pipelined                ${ratio('bare, pipelined')}   (no bar)`);
  console.log(`  p50 at one connection             ${single.latency.p50} ms (bar: at most 3 ms)`);
}

async function benchCreates({ stack }: BenchStack): Promise<void> {
  const create = async (name: string): Promise<{ ms: number; status: number }> => {
    const startedAt = performance.now();
    const response = await fetch(`${stack.base_url}/job-interview-create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.tokens.merchant_owner}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name,
        location: 'Amsterdam',
        interview_template_id: stack.template_ids.interactive_avatar_1,
        platform_language_code: 'en',
        status: 'active',
        type: 'interview',
        visibility: 'merchant_public',
      }),
    });
    await response.text();
    return { ms: performance.now() - startedAt, status: response.status };
  };
  for (let index = 0; index < warmUps; index++) await create(`Warm-up ${index}`);
  const times: number[] = [];
  for (let index = 0; index < creates; index++) times.push((await create(`Engineer ${index}`)).ms);
  const startedAt = performance.now();
  const replies = await Promise.all(
    Array.from({ length: together }, (_, index) => create(`Together ${index}`)),
  );
  console.log('\nPOST /job-interview-create, fake answering at once');
  console.log(
    `  p50 of ${creates}, one after another      ${median(times).toFixed(0)} ms (bar: at most 100 ms)`,
  );
  console.log(
    `  ${together} at once                        ${replies.filter(({ status }) => status === 200).length} succeed (bar: ${together}), all done after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
}

async function benchIssues({ stack }: BenchStack): Promise<void> {
  const report = async (): Promise<number> => {
    // The bench backdates earlier issues, because a person may report only five a day.
    await withAdminConnection(stack.database_url, (admin) =>
      admin.query(`update technical_issue set created_at = created_at - interval '1 day'`),
    );
    const startedAt = performance.now();
    const response = await fetch(`${stack.base_url}/merchant-technical-issue`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.tokens.merchant_owner}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        description: 'The page of an interview stays blank',
        interview_id: stack.ids.active_interview,
      }),
    });
    const answer = await response.text();
    if (!answer.includes('"sent"')) throw new Error(`${response.status} ${answer}`);
    return performance.now() - startedAt;
  };
  for (let index = 0; index < warmUps; index++) await report();
  const times: number[] = [];
  for (let index = 0; index < creates; index++) times.push(await report());
  console.log('\nPOST /merchant-technical-issue, fake answering at once');
  console.log(
    `  p50 of ${creates}, one after another      ${median(times).toFixed(0)} ms (bar: at most 150 ms)`,
  );
}

/** Adds interviews to the merchant, and measures the list for each filter. */
async function benchInterviewList({ stack }: BenchStack): Promise<void> {
  const count = scaled(100_000);
  await withAdminConnection(stack.database_url, async (admin) => {
    const { rows } = await admin.query<{ names: string[] }>(
      `select array_agg(attname::text) as names from pg_attribute
       where attrelid = 'interview'::regclass and attnum > 0 and not attisdropped`,
    );
    const values: Record<string, string> = {
      id: 'uuidv7()',
      slug: 'null',
      name: `(array['Backend engineer', 'Nurse', 'Account manager'])[1 + n % 3] || ' ' || n`,
      code: `'REQ-' || n`,
      status: `(array['active', 'draft', 'archived', 'completed'])[1 + least(3, n % 40)]`,
      type: `(array['interview', 'assessment', 'coaching'])[1 + least(2, n % 50)]`,
      tags: `array['all', 'team ' || n % 1000]`,
      created_at: `now() - n * interval '1 minute'`,
    };
    const names = rows[0]?.names ?? [];
    await admin.query(
      `insert into interview (${names.join(', ')}) select ${names.map((name) => values[name] ?? name).join(', ')}
       from interview, generate_series(1, ${count}) n where id = '${stack.ids.active_interview}'`,
    );
    await admin.query('vacuum analyze interview');
  });
  const filters = [
    '',
    'status=active',
    'status=draft',
    'type=interview',
    'type=assessment',
    'is_multistage=false',
    'is_multistage=true',
    'tag=all',
    'tag=team+77',
    `position_id=${stack.ids.position}`,
    'filter_text=engineer',
    'filter_text=gineer+77',
    'filter_text=plumber',
  ];
  console.log(`\nGET /job-interview-list of ${count} interviews, 50 a page (bar: p50 at most 10 ms)`);
  for (const filter of filters) {
    const url = `${stack.base_url}/job-interview-list?${filter}`;
    await load(url, stack.tokens.merchant_owner, 1, 1);
    const { latency } = await load(url, stack.tokens.merchant_owner, 1, 3);
    console.log(`  ${(filter || 'no filter').padEnd(40)} p50 ${latency.p50} ms, p99 ${latency.p99} ms`);
  }
}

/** Measures the latency of an address at one connection, after a warm-up. */
async function measureOne(url: string, headers: Record<string, string>): Promise<autocannon.Histogram> {
  const run = (seconds: number) => autocannon({ url, connections: 1, ...loadFor(seconds, 1), headers });
  await run(1);
  const result = await run(3);
  if (result.errors > 0 || result['4xx'] + result['5xx'] > 0) throw new Error(`${url} failed`);
  return result.latency;
}

async function load(
  url: string,
  token: string,
  connectionCount: number,
  seconds: number,
): Promise<autocannon.Result> {
  const result = await autocannon({
    url,
    connections: connectionCount,
    ...loadFor(seconds, connectionCount),
    headers: { authorization: `Bearer ${token}` },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} replies were not 2xx, ${result.errors} errors`);
  return result;
}

/** Starts the bare server. Its transactions begin with the same statement as the API's, with the same values. */
async function startBare(
  { stack, folder }: BenchStack,
  pipelined: boolean,
): Promise<{ port: string; stop: () => void }> {
  const { api_password: password } = readSecrets(path.join(folder, 'secrets.json'));
  const claims = decodeJwt<{ session_id: string; role: string; merchant_id: string; environment: string }>(
    stack.tokens.merchant_owner,
  );
  const settings: BareSettings = {
    databaseUrl: databaseUrlFor(stack.database_url, 'app_api_login', password),
    poolSize,
    pipelined,
    scopeValues: [
      'user_session',
      claims.session_id,
      claims.sub,
      claims.role,
      claims.merchant_id,
      claims.environment,
      null,
      jobInterviewGet.roles,
      true,
      '1s',
    ],
  };
  const child = fork(path.join(__dirname, 'bare-server.js'), [JSON.stringify(settings)]);
  const { port } = await new Promise<{ port: number }>((resolve) =>
    child.once('message', (message) => resolve(message as { port: number })),
  );
  return { port: String(port), stop: () => child.kill() };
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
