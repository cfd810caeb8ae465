import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { Pool } from 'pg';
import { interviewId } from '../local/seed/fixed-id';
import { machine, median, scaled, startBenchStack } from './stack';
import type { BenchStack } from './stack';

const people = scaled(1_000);
const runs = scaled(7);
const callsAtOnce = scaled(20);
const manyRows = scaled(1_000_000);
const writers = 20;
const writeSeconds = scaled(5_000) / 1_000;
const writeRounds = scaled(3);

type Reply = { ms: number; status: number; results: string[] };

/**
 * `npm run bench:people`: measures one call with a thousand people, twenty such calls at the same time, the sending
 * of their mails, merchant-status over a million candidates, and how much the trigger that counts enrolments slows
 * writers. Compare only numbers of one run.
 */
async function main(): Promise<void> {
  console.log(`machine: ${machine()}`);
  const bench = await startBenchStack({ RATE_LIMIT_PER_MINUTE: '0' });
  const admin = new Pool({ connectionString: bench.stack.database_url, max: writers });
  try {
    await admin.query(`select app.post_credits($1, 'extra', 'grant', 100000, null, null)`, [
      bench.stack.merchant_id,
    ]);
    await benchCalls(bench);
    await benchMails(bench);
    await benchStatus(bench, admin);
    await benchWriters(bench, admin);
  } finally {
    await admin.end();
    await bench.stop();
  }
}

const newPeople = () => {
  const batch = randomUUID();
  return Array.from({ length: people }, (_, index) => ({
    name: `Candidate ${index}`,
    email: `candidate${index}@${batch}.example`,
    external_id: `${batch}-${index}`,
  }));
};

async function call({ stack }: BenchStack, operation: string, body: Record<string, unknown>): Promise<Reply> {
  const startedAt = performance.now();
  const response = await fetch(`${stack.base_url}/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.tokens.merchant_owner}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const rows = (await response.json()) as { result: string }[];
  const ms = performance.now() - startedAt;
  return {
    ms,
    status: response.status,
    results: Array.isArray(rows) ? rows.map(({ result }) => result) : [],
  };
}

const register = (bench: BenchStack, users = newPeople()) =>
  call(bench, 'job-interview-register-users', { users, interview_id: bench.stack.ids.active_interview });
const invite = (bench: BenchStack) =>
  call(bench, 'invite-users', {
    users: newPeople().map((one) => ({
      ...one,
      type: 'candidate',
      interview_id: bench.stack.ids.active_interview,
    })),
  });

async function benchCalls(bench: BenchStack): Promise<void> {
  await register(bench);
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push((await register(bench)).ms);
  console.log(`\n${people} people in one call`);
  console.log(
    `  job-interview-register-users, p50 of ${runs}   ${median(times).toFixed(0)} ms (bar: at most 600 ms)`,
  );
  const same = newPeople();
  const startedAt = performance.now();
  const together = await Promise.all(
    Array.from({ length: callsAtOnce }, (_, index) => register(bench, index % 2 ? same : same.toReversed())),
  );
  const good = together.filter(
    ({ status, results }) => status === 200 && results.every((result) => result === 'ok'),
  );
  console.log(
    `  ${callsAtOnce} calls about the same people at once     ${good.length} without an error (bar: ${callsAtOnce}), all done after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
}

async function benchMails(bench: BenchStack): Promise<void> {
  const mailed = async (): Promise<number> => {
    const response = await fetch(`${bench.stack.fakes_url}/mailbox`, {
      headers: { accept: 'application/json' },
    });
    return ((await response.json()) as unknown[]).length;
  };
  const calls: number[] = [];
  const ways: number[] = [];
  for (let run = 0; run < runs; run++) {
    await fetch(`${bench.stack.fakes_url}/records`, { method: 'DELETE' });
    const reply = await invite(bench);
    if (reply.results.some((result) => result !== 'Invited')) throw new Error('somebody was not invited');
    calls.push(reply.ms);
    const repliedAt = performance.now();
    while ((await mailed()) < people) await new Promise((resolve) => setTimeout(resolve, 50));
    ways.push(performance.now() - repliedAt);
  }
  console.log(
    `  invite-users, p50 of ${runs}                   ${median(calls).toFixed(0)} ms (bar: at most 1,000 ms)`,
  );
  console.log(
    `  from its reply to the last of the mails       ${(median(ways) / 1000).toFixed(1)} s (bar: at most 5 s, at 500 a second)`,
  );
}

/** Inserts a million candidates directly instead of calling the operations, because only the amount of data matters. */
async function benchStatus({ stack }: BenchStack, admin: Pool): Promise<void> {
  // Postgres builds the index of texts in a fraction of the time that it takes to add to it row by row.
  const index = await admin.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where indexname = 'enrolment__search_text'`,
  );
  await admin.query('drop index enrolment__search_text');
  const chunk = Math.ceil(manyRows / 20);
  for (let start = 0; start < manyRows; start += chunk)
    await admin.query(
      `insert into enrolment (merchant_id, environment, interview_id, profile_id, email, email_key, created_at)
       select $1, 'production', $2, (select id from profile where merchant_id = $1 limit 1), n || '@many.example',
         n || '@many.example', now() - n * interval '30 seconds'
       from generate_series($3::int, $4::int) as n`,
      [stack.merchant_id, interviewId('active'), start, start + chunk - 1],
    );
  await admin.query(index.rows[0]?.indexdef ?? '');
  const { rows } = await admin.query<{ count: string }>(
    'select count(*) from enrolment where merchant_id = $1',
    [stack.merchant_id],
  );
  // The worker adds up the counts of the inserts once a second. After this wait, it has done so.
  await new Promise((resolve) => setTimeout(resolve, scaled(5_000)));
  const result = await autocannon({
    url: `${stack.base_url}/merchant-status`,
    connections: 1,
    duration: scaled(5),
    headers: { authorization: `Bearer ${stack.tokens.merchant_owner}` },
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} replies were not 2xx`);
  console.log(
    `\nGET /merchant-status, ${Number(rows[0]?.count).toLocaleString('en')} candidates, one connection`,
  );
  console.log(`  p50                                           ${result.latency.p50} ms (bar: at most 5 ms)`);
}

/**
 * Runs the same single-row inserts on twenty connections. Rounds with and without the trigger that counts enrolments
 * take turns.
 */
async function benchWriters({ stack }: BenchStack, admin: Pool): Promise<void> {
  const rates: Record<'enable' | 'disable', number[]> = { enable: [], disable: [] };
  for (let round = 0; round < writeRounds; round++)
    for (const mode of ['enable', 'disable'] as const) {
      await admin.query(`alter table enrolment ${mode} trigger enrolment_count`);
      rates[mode].push(await writeFor(stack.merchant_id, admin));
    }
  await admin.query('alter table enrolment enable trigger enrolment_count');
  const [kept, bare] = [median(rates.enable), median(rates.disable)];
  console.log(
    `\n${writers} writers of one account, one candidate a transaction, median of ${writeRounds} rounds in turns`,
  );
  console.log(`  with the counts kept                          ${kept.toFixed(0)}/s`);
  console.log(`  without                                       ${bare.toFixed(0)}/s`);
  console.log(
    `  ratio                                         ${(kept / bare).toFixed(2)} (bar: at least 0.80)`,
  );
}

async function writeFor(merchantId: string, admin: Pool): Promise<number> {
  const until = performance.now() + writeSeconds * 1_000;
  let written = 0;
  const write = async () => {
    while (performance.now() < until) {
      const email = `${randomUUID()}@writers.example`;
      await admin.query(
        `insert into enrolment (merchant_id, environment, interview_id, profile_id, email, email_key)
         select $1, 'production', $2, (select id from profile where merchant_id = $1 limit 1), $3, $3`,
        [merchantId, interviewId('active'), email],
      );
      written += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return written / writeSeconds;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
