import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { interviewId } from '../local/seed/interviews';
import { templateIds } from '../local/seed/templates';
import { machine, median, startBenchStack } from './stack';
import type { BenchStack } from './stack';

const questions = 10;
const alone = 20;
const together = 100;
/** How long a candidate thinks before each answer: the mean, in milliseconds. */
const thinkingMs = 1_000;

type Attempt = {
  state: string;
  turn?: { turn_id: string; answer: { mode: string } } | null;
};
type Reply = { ms: number; status: number; attempt: Attempt };

/**
 * `npm run bench:taking`: measures how long a candidate waits for the next planned turn: alone, among a hundred
 * candidates who think for a second, and among a hundred who answer without thinking. The load generator, API, worker
 * and Postgres share the machine. Compare only numbers of one run.
 */
async function main(): Promise<void> {
  console.log(`machine: ${machine()}`);
  const bench = await startBenchStack({ RATE_LIMIT_PER_MINUTE: '0' });
  const admin = new Pool({ connectionString: bench.stack.database_url, max: 2 });
  try {
    const interview = await createInterview(admin);
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
  } finally {
    await admin.end();
    await bench.stop();
  }
}

async function takeTogether(bench: BenchStack, tokens: string[], thinking: number): Promise<void> {
  const startedAt = performance.now();
  const replies = (await Promise.all(tokens.map((token) => takeInterview(bench, token, thinking)))).flat();
  const seconds = (performance.now() - startedAt) / 1000;
  const [pace, bar] =
    thinking > 0
      ? [`who think for about ${thinking} ms`, 'bar: p99 of at most 250 ms, no errors']
      : ['who answer at once', 'bar: no errors'];
  show(`${tokens.length} candidates together ${pace}`, replies, bar);
  console.log(`  answers per second                 ${(replies.length / seconds).toFixed(0)}`);
}

/** Creates an interview like the active one of the seed, but with typed answers and a fixed plan. */
async function createInterview(admin: Pool): Promise<string> {
  const id = randomUUID();
  await admin.query(
    `insert into interview select copy.* from interview i, jsonb_populate_record(i, $2) copy where i.id = $1`,
    [
      interviewId('active'),
      JSON.stringify({
        id,
        slug: null,
        interview_template_id: templateIds.offline_avatar_3,
        max_followups: 0,
      }),
    ],
  );
  await admin.query(
    `with step as (
       insert into question (merchant_id, view, question, platform_language_code)
       select i.merchant_id, case when n = 0 then 'welcome' when n > $2 then 'thank_you' else 'question' end,
         'Question ' || n, 'en'
       from interview i, generate_series(0, $2 + 1) as n where i.id = $1
       returning merchant_id, id, question
     )
     insert into interview_question (merchant_id, environment, interview_id, question_id, step_order)
     select merchant_id, 'production', $1, id, 1 + substring(question from '\\d+')::int from step`,
    [id, questions],
  );
  return id;
}

/** Registers candidates and returns the tokens of their links. */
async function registerCandidates({ stack }: BenchStack, interview_id: string, count: number) {
  const users = Array.from({ length: count }, (_, index) => ({ email: `candidate${index}@taking.example` }));
  const response = await fetch(`${stack.base_url}/job-interview-register-users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.tokens.merchant_owner}`, 'content-type': 'application/json' },
    body: JSON.stringify({ users, interview_id }),
  });
  const rows = (await response.json()) as { interview_url: string }[];
  return rows.map((row) => new URL(row.interview_url).searchParams.get('interview_token') ?? '');
}

/** Takes the interview of a link. Returns the replies to those calls that answered a question. */
async function takeInterview(bench: BenchStack, token: string, thinking = 0): Promise<Reply[]> {
  const consent = { consent: true, consent_version: 'any' };
  let begun = await call(bench, token, 'attempt-begin', consent);
  // A 409 for an old version of the consent contains the current version.
  if (begun.status === 409) {
    const [{ consent_version } = { consent_version: '' }] = (
      begun.attempt as unknown as { details: { consent_version: string }[] }
    ).details;
    begun = await call(bench, token, 'attempt-begin', { ...consent, consent_version });
  }
  const replies: Reply[] = [];
  let { attempt } = begun;
  while (attempt.state === 'running' && attempt.turn) {
    const { turn_id, answer } = attempt.turn;
    if (thinking > 0) await new Promise((resolve) => setTimeout(resolve, thinking * (0.5 + Math.random())));
    const given = answer.mode === 'none' ? { seen: true } : { text: 'We measured both ways and kept one.' };
    const reply = await call(bench, token, 'turn-answer', { turn_id, ...given });
    if (answer.mode !== 'none') replies.push(reply);
    if (reply.status !== 200) break;
    ({ attempt } = reply);
  }
  return replies;
}

async function call(bench: BenchStack, token: string, operation: string, body: object): Promise<Reply> {
  const startedAt = performance.now();
  const response = await fetch(`${bench.stack.portal_url}/portal/v1/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const attempt = (await response.json()) as Attempt;
  return { ms: performance.now() - startedAt, status: response.status, attempt };
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
