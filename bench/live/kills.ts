import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Bars } from '../bars';
import { scaled } from '../stack';
import type { BenchStack } from '../stack';
import { beginTalkers, overheadOf } from './overhead';
import { pidOf } from './processes';
import type { ProcessName } from './processes';

const conversations = scaled(10);
/** How long the transcripts of the recordings may take after the last answer. */
const transcriptsMs = 180_000;

/**
 * Kills a process of the stack with SIGKILL while candidates answer, which `npm start` starts again. Prints how many answers
 * were lost, and how long the candidates had to wait: for their connection to the live process, or for the next turn, above patience
 * and what the fakes were told.
 */
export async function killWhileAnswering(
  bench: BenchStack,
  name: ProcessName,
  { interview, recording, admin, bars }: { interview: string; recording: Buffer; admin: Pool; bars: Bars },
): Promise<void> {
  const talkers = await beginTalkers(bench, interview, { count: conversations, recording });
  // They have begun within five seconds, so after a while most of them are in the middle of an answer.
  while (talkers.filter(({ isTalking }) => isTalking).length <= conversations / 2) await sleep(20);
  const inAnswer = talkers.filter(({ isTalking }) => isTalking);
  const pid = pidOf(bench.folder, name);
  if (pid === undefined) throw new Error(`${name} does not run`);
  const killedAt = performance.now();
  const reconnected = Promise.all(talkers.map((talker) => talker.reconnected()));
  process.kill(pid, 'SIGKILL');
  if (name === 'live') await reconnected;
  const awayMs = performance.now() - killedAt;
  await Promise.all(talkers.map(({ finished }) => finished));
  const waits = inAnswer.flatMap(({ gaps }) => gaps.filter(({ endedAt }) => endedAt > killedAt).slice(0, 1));
  const answered = talkers.flatMap((talker) => talker.answered);
  const { lost, removed } = await countLost(admin, answered);
  console.log(
    `\nkill -9 of ${name} while ${inAnswer.length} of ${conversations} candidates answer (${answered.length} answers, ${removed} of them removed)`,
  );
  bars.atMost('answers lost', lost, 0);
  if (name === 'live') bars.atMost('until the last one is connected again', awayMs / 1_000, 2, ' s');
  const longest = Math.max(...waits.map(overheadOf)) / 1_000;
  if (name === 'live') console.log(`  longest wait for the next turn           ${longest.toFixed(1)} s`);
  else bars.atMost('longest wait for the next turn, ours', longest, 2, ' s');
}

/**
 * Returns how many of these turns have no words of their candidate in the end, and how many were removed, because the candidate took
 * the answer before them back.
 */
async function countLost(admin: Pool, turns: readonly string[]): Promise<{ lost: number; removed: number }> {
  for (const endsAt = Date.now() + transcriptsMs; ; await sleep(500)) {
    const { rows } = await admin.query<{ asked: number; lost: number }>(
      `select count(*)::int as asked, count(*) filter (where transcript_status is distinct from 'done' or answer = '')::int as lost
       from result_question where id = any ($1)`,
      [turns],
    );
    const [{ asked, lost } = { asked: 0, lost: turns.length }] = rows;
    if (lost === 0 || Date.now() > endsAt) return { lost, removed: turns.length - asked };
  }
}
