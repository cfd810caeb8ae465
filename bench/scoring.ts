import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'pg';
import { callPortal, createInterview, registerCandidates, takeInterview } from './candidates';
import { machine, median, startBenchStack } from './stack';
import type { BenchStack } from './stack';

const questions = 10;
const alone = 20;
const together = 50;
const reads = 200;
const rubric = {
  weak: ['Names a project from the past', 'Says who took part in the project'],
  moderate: ['Explains the own part in the project', 'Describes how the work was divided'],
  strong: ['Backs the result of the project with numbers', 'Says what the project changed for customers'],
};
const text =
  'I led a project at a bakery last year. My own part in the project was the new oven plan. ' +
  'We backed the result of the project with numbers: sales grew by twelve percent.';

/**
 * `npm run bench:scoring`: with the fake model, measures the time from the submit to the commit that writes the
 * scores and queues the webhook event: first for results one after another, then for 50 at once. Also measures the
 * reading of a scored result. The load generator, API, worker, Temporal and Postgres share the machine. Compare only
 * numbers of one run.
 */
async function main(): Promise<void> {
  console.log(`machine: ${machine()}`);
  const bench = await startBenchStack({ RATE_LIMIT_PER_MINUTE: '0' });
  const admin = new Pool({ connectionString: bench.stack.database_url, max: 2 });
  try {
    const interview = await createInterview(admin, { questions, rubric });
    const tokens = await registerCandidates(bench, interview, 1 + alone + together);
    for (const token of tokens) await takeInterview(bench, token, { text });
    const [first = '', ...others] = tokens;
    await submit(bench, first);
    await waitForScores(admin, interview, 1);

    for (const [index, token] of others.slice(0, alone).entries()) {
      await submit(bench, token);
      await waitForScores(admin, interview, 2 + index);
    }
    const single = (await scoringTimes(admin, interview)).slice(-alone);
    console.log(
      `\n${alone} results with ${questions} answers each, one after the other (bar: p50 of at most 1,500 ms)`,
    );
    console.log(`  submit to scored and announced, p50 ${median(single).toFixed(0)} ms`);
    console.log(`  slowest                             ${Math.max(...single).toFixed(0)} ms`);

    const startedAt = performance.now();
    await Promise.all(others.slice(alone).map((token) => submit(bench, token)));
    await waitForScores(admin, interview, 1 + alone + together);
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(
      `\n${together} results with ${questions} answers each, submitted at once (bar: all within 30 s)`,
    );
    console.log(`  all scored and announced after      ${seconds.toFixed(1)} s`);

    await benchDetails(bench, admin, interview);
  } finally {
    await admin.end();
    await bench.stop();
  }
}

const submit = (bench: BenchStack, token: string) => callPortal(bench, token, 'attempt-submit', {});

async function waitForScores(admin: Pool, interview: string, count: number): Promise<void> {
  for (;;) {
    const { rows } = await admin.query<{ scored: number }>(
      `select count(*)::int as scored from interview_result where interview_id = $1 and processing_status = 'completed'`,
      [interview],
    );
    if ((rows[0]?.scored ?? 0) >= count) return;
    await wait(20);
  }
}

/** Returns the milliseconds from submit to scores for each result, in the order of the submits. */
async function scoringTimes(admin: Pool, interview: string): Promise<number[]> {
  const { rows } = await admin.query<{ ms: number }>(
    `select extract(epoch from s.ended_at - r.submitted_at)::float8 * 1000 as ms
     from interview_result r join score_record s on s.merchant_id = r.merchant_id and s.result_id = r.id
     where r.interview_id = $1 and s.state = 'scored' order by r.submitted_at`,
    [interview],
  );
  return rows.map(({ ms }) => ms);
}

async function benchDetails({ stack }: BenchStack, admin: Pool, interview: string): Promise<void> {
  const { rows } = await admin.query<{ id: string }>(
    `select id from interview_result where interview_id = $1 limit 1`,
    [interview],
  );
  const times: number[] = [];
  for (let read = 0; read < reads; read += 1) {
    const startedAt = performance.now();
    const response = await fetch(
      `${stack.base_url}/job-interview-details?interview_result_id=${rows[0]?.id ?? ''}`,
      { headers: { authorization: `Bearer ${stack.tokens.merchant_owner}` } },
    );
    await response.text();
    times.push(performance.now() - startedAt);
  }
  console.log(`\njob-interview-details of a scored result (bar: p50 of at most 5 ms)`);
  console.log(`  p50                                 ${median(times).toFixed(1)} ms`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
