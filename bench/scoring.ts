import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'pg';
import { createBars } from './bars';
import type { Bars } from './bars';
import { callPortal, createInterview, registerCandidates, takeInterview } from './candidates';
import { machine, median, scaled, startBenchStack } from './stack';
import type { BenchStack } from './stack';

const questions = scaled(10);
const alone = scaled(20);
const together = scaled(50);
const reads = scaled(200);
const rubric = {
  weak: ['Names a project from the past', 'Says who took part in the project'],
  moderate: ['Explains the own part in the project', 'Describes how the work was divided'],
  strong: ['Backs the result of the project with numbers', 'Says what the project changed for customers'],
};
const text =
  'I led a project at a bakery last year. My own part in the project was the new oven plan. ' +
  'We backed the result of the project with numbers: sales grew by twelve percent.';

/**
 * `npm run bench:scoring`: measures the time from the submit to the commit that writes the scores and queues the
 * webhook event. Measures results one after another, with and without an automatic PDF, and 50 results at once. Also
 * measures the reading of a scored result. The model is the fake one. The load generator, API, worker, Temporal and
 * Postgres share the machine. Compare only numbers of one run.
 */
async function main(): Promise<void> {
  console.log(`machine: ${machine()}`);
  const bench = await startBenchStack({ RATE_LIMIT_PER_MINUTE: '0' });
  const admin = new Pool({ connectionString: bench.stack.database_url, max: 2 });
  const bars = createBars();
  try {
    const interview = await createInterview(admin, { questions, rubric });
    const tokens = await registerCandidates(bench, interview, 1 + alone + together);
    for (const token of tokens) await takeInterview(bench, token, { text });
    const [first = '', ...others] = tokens;
    console.log(`\n${alone} results with ${questions} answers each, one after the other`);
    await submitEach(bench, admin, interview, [first, ...others.slice(0, alone)]);
    const single = (await announcementTimes(admin, interview)).slice(1);
    bars.atMost('submit to scored and announced, p50', median(single), 1_500, ' ms');
    console.log(`  slowest ${Math.max(...single).toFixed(0)} ms`);

    console.log(`\n${together} results with ${questions} answers each, submitted at once`);
    const startedAt = performance.now();
    await Promise.all(others.slice(alone).map((token) => submit(bench, token)));
    await waitForAnnouncements(admin, interview, tokens.length);
    bars.atMost('all scored and announced', (performance.now() - startedAt) / 1_000, 30, ' s');

    await benchWithPdf(bench, admin, bars);
    await benchDetails(bench, admin, interview, bars);
  } finally {
    await admin.end();
    await bench.stop();
  }
  bars.judge();
}

async function benchWithPdf(bench: BenchStack, admin: Pool, bars: Bars): Promise<void> {
  const interview = await createInterview(admin, { questions, rubric });
  await admin.query(`update interview set pdf_export_auto_config = '{"transcript": true}' where id = $1`, [
    interview,
  ]);
  const tokens = await registerCandidates(bench, interview, 1 + alone);
  for (const token of tokens) await takeInterview(bench, token, { text });
  console.log(`\n${alone} results with ${questions} answers each and an automatic PDF, one after the other`);
  await submitEach(bench, admin, interview, tokens);
  const times = (await announcementTimes(admin, interview)).slice(1);
  bars.atMost('submit to scored, PDF stored and announced, p50', median(times), 2_000, ' ms');
  console.log(`  slowest ${Math.max(...times).toFixed(0)} ms`);
}

/** Submits attempts one after the other. Waits after each until its result has its scores and its automatic PDF. */
async function submitEach(bench: BenchStack, admin: Pool, interview: string, tokens: string[]) {
  for (const [index, token] of tokens.entries()) {
    await submit(bench, token);
    await waitForAnnouncements(admin, interview, index + 1);
  }
}

const submit = (bench: BenchStack, token: string) => callPortal(bench, token, 'attempt-submit', { json: {} });

/** Selects the results of an interview that are scored and, if the interview has automatic PDFs, have their PDF. */
const announced = `
  from interview_result r join interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
  join score_record s on s.merchant_id = r.merchant_id and s.result_id = r.id
  where r.interview_id = $1 and s.state = 'scored'
    and (i.pdf_export_auto_config is null or r.pdf_export_url is not null)`;

async function waitForAnnouncements(admin: Pool, interview: string, count: number): Promise<void> {
  for (;;) {
    const { rows } = await admin.query<{ done: number }>(`select count(*)::int as done ${announced}`, [
      interview,
    ]);
    if ((rows[0]?.done ?? 0) >= count) return;
    await wait(20);
  }
}

/**
 * Returns the milliseconds from the submit until the scores and any automatic PDF were stored, for each result in the
 * order of the submits.
 */
async function announcementTimes(admin: Pool, interview: string): Promise<number[]> {
  const { rows } = await admin.query<{ ms: number }>(
    `select extract(epoch from greatest(s.ended_at, r.pdf_made_at) - r.submitted_at)::float8 * 1000 as ms
     ${announced} order by r.submitted_at`,
    [interview],
  );
  return rows.map(({ ms }) => ms);
}

async function benchDetails(
  { stack }: BenchStack,
  admin: Pool,
  interview: string,
  bars: Bars,
): Promise<void> {
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
  console.log(`\n${reads} reads of a scored result`);
  bars.atMost('job-interview-details, p50', median(times), 5, ' ms');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
