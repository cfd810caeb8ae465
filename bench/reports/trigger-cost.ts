import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { median, scaled } from '../stack';
import type { BenchStack } from '../stack';

const rounds = scaled(4);
const people = scaled(1_000);
const writers = 20;
const birthsPerRound = scaled(1_000);

/** The triggers that exist only for reports. They write report_attempt, enrolment_step and report_change. */
const reportTriggers = `
  select tgrelid::regclass::text as on_table, tgname as name from pg_trigger
  where not tgisinternal and tgname ~ '_(report_(added|removed|changed|input_changed)|steps_(added|changed))$'`;

/**
 * Prints how much the triggers of reports slow two kinds of writes: registering a thousand people at a position, and
 * the transactions of a result from the enrolment to the decision. Rounds with and without the triggers take turns.
 */
export async function measureTriggers(bench: BenchStack, admin: Pool): Promise<void> {
  const { rows: triggers } = await admin.query<{ on_table: string; name: string }>(reportTriggers);
  const set = async (mode: 'enable' | 'disable') => {
    for (const { on_table, name } of triggers)
      await admin.query(`alter table ${on_table} ${mode} trigger ${name}`);
  };
  const work = { register: () => register(bench), births: () => bear(bench, admin) };
  type Work = keyof typeof work;
  const times: Record<'enable' | 'disable', Record<Work, number[]>> = {
    enable: { register: [], births: [] },
    disable: { register: [], births: [] },
  };
  try {
    for (let round = 0; round <= rounds; round++)
      for (const mode of round % 2 ? (['enable', 'disable'] as const) : (['disable', 'enable'] as const)) {
        await set(mode);
        for (const name of Object.keys(work) as Work[]) {
          const startedAt = performance.now();
          await work[name]();
          // The first round is a warm-up and does not count.
          if (round > 0) times[mode][name].push(performance.now() - startedAt);
        }
      }
  } finally {
    await set('enable');
  }
  console.log(`\nthe ${triggers.length} triggers of reports, median of ${rounds} rounds in turns`);
  const names: Record<Work, string> = {
    register: `registering ${people} people at a position`,
    births: `${birthsPerRound} results, ${writers} writers, enrolment to decision`,
  };
  for (const name of Object.keys(work) as Work[]) {
    const [kept, bare] = [median(times.enable[name]), median(times.disable[name])];
    console.log(
      `  ${names[name].padEnd(52)} with ${kept.toFixed(0)} ms, without ${bare.toFixed(0)} ms, ratio ${(kept / bare).toFixed(2)}`,
    );
  }
}

async function register({ stack }: BenchStack): Promise<void> {
  const batch = randomUUID();
  const users = Array.from({ length: people }, (_, index) => ({
    name: `Candidate ${index}`,
    email: `candidate${index}@${batch}.example`,
  }));
  const response = await fetch(`${stack.base_url}/job-interview-register-users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.tokens.merchant_owner}`, 'content-type': 'application/json' },
    body: JSON.stringify({ users, interview_id: stack.ids.position }),
  });
  const text = await response.text();
  if (response.status !== 200 || text.includes('Error')) throw new Error(text.slice(0, 1_000));
}

/**
 * The transactions of a candidate at the first step of a position. `$2` is the id that the previous transaction has
 * returned.
 */
const steps = [
  `insert into enrolment (merchant_id, environment, interview_id, position_id, profile_id, email, email_key)
   select s.merchant_id, 'production', s.interview_id, s.position_id, (select id from profile where merchant_id = $1 limit 1),
     $2, $2
   from position_step s where s.merchant_id = $1 and s.position_id = $3 order by s.step_order limit 1 returning id`,
  `insert into interview_result (merchant_id, environment, interview_id, enrolment_id, interview_status, started_at)
   select merchant_id, environment, interview_id, id, 'started', now() from enrolment where merchant_id = $1 and id = $2
   returning id`,
  `update interview_result set interview_status = 'completed', ended_at = now(), duration = 9000
   where merchant_id = $1 and id = $2 returning id`,
  `update interview_result set status = 'active', processing_status = 'completed', submitted_at = now(), score = 7.5
   where merchant_id = $1 and id = $2 returning id`,
  `update interview_result set recruiter_go_next_round = true where merchant_id = $1 and id = $2 returning id`,
];

async function bear({ stack }: BenchStack, admin: Pool): Promise<void> {
  let born = 0;
  const write = async () => {
    while (born < birthsPerRound) {
      born += 1;
      let id = `${randomUUID()}@births.example`;
      for (const [at, step] of steps.entries()) {
        const values = [stack.merchant_id, id, ...(at === 0 ? [stack.ids.position] : [])];
        const { rows } = await admin.query<{ id: string }>(step, values);
        id = rows[0]?.id ?? '';
      }
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
}
