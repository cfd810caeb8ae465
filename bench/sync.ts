import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'pg';
import { createBars } from './bars';
import type { Bars } from './bars';
import { createInterview, registerCandidates, takeInterview } from './candidates';
import { machine, median, scaled, startBenchStack } from './stack';
import type { BenchStack } from './stack';
import { proveMirror } from './sync/proof';

const results = scaled(100_000);
const answers = 2;
const polls = scaled(500);
const takers = scaled(30);
const questions = scaled(10);
const proofMs = scaled(600_000);

/**
 * `npm run bench:sync`: measures the share of the triggers in the time of an interview, proves for ten minutes that a mirror is
 * complete, and measures a full walk of many results and a poll that finds nothing. The load, API, worker and Postgres share
 * the machine.
 */
async function main(): Promise<void> {
  console.log(`machine: ${machine()}`);
  const bench = await startBenchStack({ RATE_LIMIT_PER_MINUTE: '0' });
  const admin = new Pool({ connectionString: bench.stack.database_url, max: 2 });
  const bars = createBars();
  try {
    await benchTriggers(bench, admin, bars);
    await prove(bench, bars);
    await addResults(bench, admin);
    await benchWalk(bench, bars);
  } finally {
    await admin.end();
    await bench.stop();
  }
  bars.judge();
}

/** Postgres adds up the time of functions, so that no two runs have to be compared. */
async function benchTriggers(bench: BenchStack, admin: Pool, bars: Bars): Promise<void> {
  const interview = await createInterview(admin, { questions });
  const [first = '', ...others] = await registerCandidates(bench, interview, 1 + takers);
  await takeInterview(bench, first);
  await admin.query(`alter system set track_functions = 'pl'`);
  await admin.query('select pg_reload_conf(), pg_stat_reset()');
  let ms = 0;
  for (const token of others) for (const reply of await takeInterview(bench, token)) ms += reply.ms;
  // A connection reports its times when it has been idle for ten seconds.
  await wait(12_000);
  const { rows } = await admin.query<{ ms: number; calls: number }>(
    `select sum(total_time) as ms, sum(calls)::int as calls from pg_stat_user_functions
     where schemaname = 'app' and funcname in ('sync_result', 'sync_part_of_result', 'sync_price_of_result', 'sync_credit_entry',
       'sync_changed_enrolment', 'sync_stage')`,
  );
  await admin.query(`alter system reset track_functions`);
  await admin.query('select pg_reload_conf()');
  const { ms: spent = 0, calls = 0 } = rows[0] ?? {};
  console.log(
    `\n${takers} interviews of ${questions} questions: ${calls} calls of triggers, ${(spent / calls).toFixed(3)} ms each`,
  );
  bars.atMost("triggers, share of the time of the candidates' calls", (100 * spent) / ms, 5, ' %');
}

async function addResults({ stack }: BenchStack, admin: Pool): Promise<void> {
  await admin.query(
    `with person as (
       insert into profile (merchant_id, role, email, email_key, name)
       select $1, 'candidate', 'p' || n || '@sync.example', 'p' || n || '@sync.example', 'Candidate ' || n
       from generate_series(1, $3::int) n returning id, email, name
     ), enrolled as (
       insert into enrolment (merchant_id, environment, interview_id, profile_id, name, email, email_key)
       select $1, 'production', $2, id, name, email, email from person returning id
     ), result as (
       insert into interview_result (merchant_id, environment, interview_id, enrolment_id)
       select $1, 'production', $2, id from enrolled returning merchant_id, environment, id
     )
     insert into result_question (merchant_id, environment, result_id, attempt, step_order, is_answer, view, question_asked, answer)
     select merchant_id, environment, id, 1, n, true, 'with listening', 'What did you do?', repeat('I measured it. ', 20)
     from result cross join generate_series(1, $4::int) n`,
    [stack.merchant_id, stack.ids.active_interview, results, answers],
  );
  for (let waiting: number | null = 1; waiting; await wait(100))
    ({ rowCount: waiting } = await admin.query('select from waiting_change'));
  await admin.query('vacuum analyze enrolment, interview_result, result_question, change');
}

type Page = { data: unknown[]; cursor: string; has_more: boolean };
const caller =
  ({ stack }: BenchStack) =>
  async (operation: string, query: Record<string, string>) => {
    const response = await fetch(`${stack.base_url}/${operation}?${new URLSearchParams(query).toString()}`, {
      headers: { authorization: `Bearer ${stack.tokens.merchant_owner}` },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

async function benchWalk(bench: BenchStack, bars: Bars): Promise<void> {
  const call = caller(bench);
  let query: Record<string, string> = { objects: 'result', limit: '500' };
  let [read, pages] = [0, 0];
  const startedAt = performance.now();
  for (let hasMore = true; hasMore; pages++) {
    const { data, cursor, has_more } = (await call('sync', query)).body as unknown as Page;
    read += data.length;
    query = { ...query, cursor };
    hasMore = has_more;
  }
  const perSecond = read / ((performance.now() - startedAt) / 1000);
  console.log(
    `\n${read} results with ${answers} answers each in ${pages} pages: ${perSecond.toFixed(0)} per second`,
  );
  bars.atMost('full walk, ms for 5,000 results', 5_000_000 / perSecond, 1_000, ' ms');
  const times: number[] = [];
  for (let poll = 0; poll < polls; poll++) {
    const began = performance.now();
    await call('sync', query);
    times.push(performance.now() - began);
  }
  bars.atMost('poll that finds nothing, p50', median(times), 2, ' ms');
}

async function prove(bench: BenchStack, bars: Bars): Promise<void> {
  const end = Date.now() + proofMs;
  const proof = await proveMirror({
    databaseUrl: bench.stack.database_url,
    merchantId: bench.stack.merchant_id,
    call: caller(bench),
    writers: 8,
    goesOn: () => Date.now() < end,
    maxDelayMs: scaled(5_000),
  });
  console.log(
    `\n${proof.transactions} transactions of 8 writers, a reader that was killed ${proof.kills} times`,
  );
  console.log(`  rows of the copy by updated_at that are wrong              ${proof.wrongOfTwin}`);
  bars.atMost(`objects of the mirror that differ, of ${proof.compared}`, proof.wrong.length, 0);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
