import { Pool } from 'pg';
import { createInterview, registerCandidates, takeInterview } from './candidates';
import type { Reply } from './candidates';
import { machine, median, scaled, startBenchStack } from './stack';
import type { BenchStack } from './stack';
import { recordVoice } from './voice-recording';

const questions = scaled(10);
const alone = scaled(20);
const together = scaled(100);
const spoken = scaled(5);
const spokenTogether = scaled(20);
/** How long a candidate thinks before each answer: the mean, in milliseconds. */
const thinkingMs = scaled(1_000);

/**
 * `npm run bench:taking`: measures how long a candidate waits for the next planned turn: alone, among a hundred
 * candidates who think for a second, and among a hundred who answer without thinking. Then measures the same after
 * recorded answers, from the last part of a recording. The fake transcribes at once, and nothing is decided by the
 * model. The load generator, API, worker and Postgres share the machine. Compare only numbers of one run.
 */
async function main(): Promise<void> {
  console.log(`machine: ${machine()}`);
  const bench = await startBenchStack({ RATE_LIMIT_PER_MINUTE: '0' });
  const admin = new Pool({ connectionString: bench.stack.database_url, max: 2 });
  try {
    const interview = await createInterview(admin, { questions });
    const [first = '', ...others] = await registerCandidates(bench, interview, 1 + alone + 2 * together);
    await takeInterview(bench, first);

    const calm: Reply[] = [];
    for (const token of others.slice(0, alone)) calm.push(...(await takeInterview(bench, token)));
    show(`${alone} candidates, one after the other`, calm, 'bar: p50 of at most 15 ms');

    await takeTogether(bench, others.slice(alone, alone + together), thinkingMs);
    await takeTogether(bench, others.slice(alone + together), 0);
    const { rows } = await admin.query<{ finished: string }>(
      `select count(*) as finished from interview_result where interview_id = $1 and interview_status = 'completed'`,
      [interview],
    );
    console.log(`  completed interviews               ${rows[0]?.finished} of ${1 + alone + 2 * together}`);
    await speak(bench, admin);
  } finally {
    await admin.end();
    await bench.stop();
  }
}

/** Measures candidates whose answers are recordings of three seconds. */
async function speak(bench: BenchStack, admin: Pool): Promise<void> {
  const interview = await createInterview(admin, { questions, isSpoken: true });
  const [first = '', ...others] = await registerCandidates(bench, interview, 1 + spoken + spokenTogether);
  const recording = await recordVoice(3);
  await takeInterview(bench, first, { recording });
  const thinking = thinkingMs;
  const calm: Reply[] = [];
  for (const token of others.slice(0, spoken))
    calm.push(...(await takeInterview(bench, token, { recording, thinking })));
  show(`${spoken} candidates who speak, one after the other`, calm, 'bar: p50 of at most 80 ms');
  const replies = await Promise.all(
    others.slice(spoken).map((token) => takeInterview(bench, token, { recording, thinking })),
  );
  show(`${spokenTogether} candidates who speak together`, replies.flat(), 'bar: no errors');
}

async function takeTogether(bench: BenchStack, tokens: string[], thinking: number): Promise<void> {
  const startedAt = performance.now();
  const replies = (
    await Promise.all(tokens.map((token) => takeInterview(bench, token, { thinking })))
  ).flat();
  const seconds = (performance.now() - startedAt) / 1000;
  const [pace, bar] =
    thinking > 0
      ? [`who think for about ${thinking} ms`, 'bar: p99 of at most 250 ms, no errors']
      : ['who answer at once', 'bar: no errors'];
  show(`${tokens.length} candidates together ${pace}`, replies, bar);
  console.log(`  answers per second                 ${(replies.length / seconds).toFixed(0)}`);
}

function show(title: string, replies: Reply[], bar: string): void {
  const times = replies.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const errors = replies.filter(({ status }) => status !== 200).length;
  console.log(`\n${title}, ${questions} questions each (${bar})`);
  console.log(`  answer stored and next turn, p50   ${median(times).toFixed(1)} ms`);
  console.log(
    `  p99                                ${(times[Math.floor(times.length * 0.99)] ?? Number.NaN).toFixed(1)} ms`,
  );
  console.log(`  errors                             ${errors} of ${replies.length}`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
