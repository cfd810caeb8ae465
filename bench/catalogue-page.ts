import { Pool } from 'pg';
import { interviewId } from '../local/seed/fixed-id';
import { machine, median, scaled, startBenchStack } from './stack';
import type { BenchStack } from './stack';

const sessions = scaled(200);
const pagesEach = scaled(200);
const warmUps = scaled(20);
const longParagraphs = scaled(349_525);

/**
 * `npm run bench:page`: measures the page of a directory with 200 sessions, first as a grid of the sessions that have
 * its tags, then as Markdown. Also measures how a megabyte of Markdown slows concurrent requests for another page.
 */
export async function benchCataloguePage({ stack }: BenchStack): Promise<void> {
  const admin = new Pool({ connectionString: stack.database_url, max: 1 });
  try {
    await fillCatalogue(admin, stack.merchant_id);
  } finally {
    await admin.end();
  }
  const open = async (id: string): Promise<{ ms: number; bytes: number }> => {
    const startedAt = performance.now();
    const response = await fetch(`${stack.portal_url}/catalogue/${id}`);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${id}: ${response.status}`);
    return { ms: performance.now() - startedAt, bytes: text.length };
  };

  console.log(`\nGET /catalogue/<id>, ${sessions} sessions, one after another`);
  for (const [id, what] of [
    ['bench-grid', 'a grid by tags'],
    ['bench-page', 'Markdown with plan, terms and [sessions]'],
  ] as const) {
    for (let index = 0; index < warmUps; index++) await open(id);
    const times: number[] = [];
    let bytes = 0;
    for (let index = 0; index < pagesEach; index++) {
      const page = await open(id);
      times.push(page.ms);
      bytes = page.bytes;
    }
    console.log(
      `  ${what.padEnd(42)} p50 ${median(times).toFixed(1)} ms (bar: at most 30 ms), ${Math.round(bytes / 1024)} KiB`,
    );
  }

  const shown = { is: false };
  const first = open('bench-long').finally(() => (shown.is = true));
  const meanwhile: number[] = [];
  do meanwhile.push((await open('bench-grid')).ms);
  while (!shown.is);
  console.log(
    `\nA page of ${((longParagraphs * 3) / 2 ** 20).toFixed(2)} MiB of Markdown, every line a paragraph`,
  );
  console.log(`  the first time                             ${(await first).ms.toFixed(0)} ms`);
  console.log(
    `  other pages meanwhile                      p50 ${median(meanwhile).toFixed(0)} ms, at most ${Math.max(...meanwhile).toFixed(0)} ms`,
  );
  const again: number[] = [];
  for (let index = 0; index < warmUps; index++) again.push((await open('bench-long')).ms);
  console.log(`  from then on                               p50 ${median(again).toFixed(0)} ms`);
}

async function fillCatalogue(admin: Pool, merchantId: string): Promise<void> {
  await admin.query(
    `insert into interview select copy.*
     from interview i, generate_series(1, ${sessions}) n,
       jsonb_populate_record(i, jsonb_build_object(
       'id', uuidv7(), 'slug', null, 'name', 'Bench session ' || n, 'type', 'coaching', 'status', 'active',
       'visibility', 'merchant_public', 'tags', array['bench', 'level-' || n % 3],
       'description', repeat('Practise with a buyer who has five minutes. ', 6))) copy
     where i.id = $1`,
    [interviewId('active')],
  );
  const directories: [string, string | null][] = [
    ['bench-grid', null],
    [
      'bench-page',
      `${'Some *text* of the page.\n\n'.repeat(100)}[plan-progress]\n[sessions:filter=level,limit=20]\n[sessions]`,
    ],
    ['bench-long', 'a\n\n'.repeat(longParagraphs)],
  ];
  for (const [id, content] of directories)
    await admin.query(
      `insert into catalogue_directory (merchant_id, id, name, status, coach_plan, tags_interview_set_filter, content_md)
       values ($1, $2, $2, 'active', 'demo', '{bench}', $3)`,
      [merchantId, id, content],
    );
}

async function main(): Promise<void> {
  console.log(`machine: ${machine()}`);
  const bench = await startBenchStack({ RATE_LIMIT_PER_MINUTE: '0' });
  try {
    await benchCataloguePage(bench);
  } finally {
    await bench.stop();
  }
}

if (require.main === module)
  main().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
