import { Pool } from 'pg';
import { interviewId } from '../local/seed/fixed-id';
import { machine, median, scaled, startBenchStack } from './stack';
import type { BenchStack } from './stack';

const calls = scaled(200);
const warmUps = scaled(20);
const size = scaled(20_000);
const page = scaled(1_000);
const sessions = scaled(200);
const writers = scaled(50);

/**
 * `npm run bench:catalogue`: measures lists of a catalogue of 20,000 directories, a directory with 200 sessions among
 * 20,000 interviews, and the creation of directories under one parent.
 */
async function main(): Promise<void> {
  console.log(`machine: ${machine()}`);
  const bench = await startBenchStack({ RATE_LIMIT_PER_MINUTE: '0' });
  const admin = new Pool({ connectionString: bench.stack.database_url });
  const row = (name: string, figure: string, bar: string) =>
    console.log(`  ${name.padEnd(58)} ${figure.padEnd(10)} ${bar}`);
  try {
    await fill(bench, admin);
    const count = size.toLocaleString('en');
    console.log(`\n${count} directories, ${count} interviews, one call after another, p50 of ${calls}`);
    const p50 = async (operation: string, query: Record<string, string>) =>
      `${(await timeOf(bench, operation, query)).toFixed(1)} ms`;
    const one = { position_id: bench.stack.ids.active_interview };
    row('job-interview-get, to compare with', await p50('job-interview-get', one), '');
    const whole = { limit: String(page) };
    row(`catalogue-tag-list, the first ${page}`, await p50('catalogue-tag-list', whole), '≤ 15 ms');
    const last = { ...whole, offset: String(Math.max(0, size - page)) };
    row(`catalogue-tag-list, the last ${page}`, await p50('catalogue-tag-list', last), '');
    const fewer = { filter_text: 'about 77' };
    row('catalogue-tag-list, 50 by a text', await p50('catalogue-tag-list', fewer), '');
    const below = { ...whole, parent_tag: 'many-below' };
    row(`catalogue-tag-list, ${page} under one parent`, await p50('catalogue-tag-list', below), '');
    row(
      `catalogue-tag-get, ${sessions} sessions`,
      await p50('catalogue-tag-get', { id: 'many-sessions' }),
      '',
    );
    const startedAt = performance.now();
    const made = await Promise.all(Array.from({ length: writers }, (_, index) => createBelow(bench, index)));
    const ms = (performance.now() - startedAt).toFixed(0);
    row(`catalogue-tag-create, ${writers} under one parent at once`, `${ms} ms`, '');
    if (made.some((status) => status !== 200)) throw new Error('a directory was not made');
  } finally {
    await admin.end();
    await bench.stop();
  }
}

/**
 * Inserts the directories and interviews directly instead of calling the operations, because only the amount of data
 * matters.
 */
async function fill({ stack }: BenchStack, admin: Pool): Promise<void> {
  await admin.query(
    `insert into catalogue_directory (merchant_id, id, name, description, status, tags_interview_set_filter, content_md)
     select $1, 'directory-' || n, 'Directory ' || n, 'What it is about: about ' || n, 'active', array['tag-' || n % 100],
       case when n % 10 = 0 then repeat('A page. ', 500) end
     from generate_series(1, $2::int) n`,
    [stack.merchant_id, size],
  );
  await admin.query(
    `insert into catalogue_directory (merchant_id, id, name, tags_sub, tags_interview_set_filter) values
       ($1, 'many-below', 'Many', array(select 'directory-' || n from generate_series(1, $2::int) n), '{}'),
       ($1, 'many-sessions', 'Many', '{}', '{bench}')`,
    [stack.merchant_id, page],
  );
  await admin.query(
    `insert into interview select copy.*
     from interview i, generate_series(1, $2::int) n,
       jsonb_populate_record(i, jsonb_build_object('id', uuidv7(), 'name', 'Session ' || n,
       'slug', null, 'type', case when n <= $3::int * 10 then 'coaching' else 'interview' end,
       'tags', jsonb_build_array('any', case when n % 10 = 0 then 'bench' else 'hcneb' end))) copy
     where i.id = $1`,
    [interviewId('feedback'), size, sessions],
  );
  await admin.query('vacuum analyze');
}

async function timeOf(
  { stack }: BenchStack,
  operation: string,
  query: Record<string, string>,
): Promise<number> {
  const url = `${stack.base_url}/${operation}?${new URLSearchParams(query).toString()}`;
  const headers = { authorization: `Bearer ${stack.tokens.merchant_owner}` };
  const times: number[] = [];
  for (let call = 0; call < calls + warmUps; call++) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers });
    const text = await response.text();
    if (response.status !== 200) throw new Error(text);
    // The first calls are a warm-up and do not count.
    if (call >= warmUps) times.push(performance.now() - startedAt);
  }
  return median(times);
}

async function createBelow({ stack }: BenchStack, index: number): Promise<number> {
  const response = await fetch(`${stack.base_url}/catalogue-tag-create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.tokens.merchant_owner}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: `below-${index}`, name: 'Below', parent_tag: 'many-sessions' }),
  });
  await response.text();
  return response.status;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
