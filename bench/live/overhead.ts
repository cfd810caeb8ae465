import { loadavg } from 'node:os';
import { patienceOf } from '../../api/live/patience';
import type { Bars } from '../bars';
import { registerCandidates } from '../candidates';
import { scaled } from '../stack';
import type { BenchStack } from '../stack';
import { cpuSeconds, memoryMiB, pidOf } from './processes';
import { percentile, spread } from './sound';
import { createTalker } from './talker';
import type { Gap, Talker } from './talker';

/** How long the fake of the model takes to decide, and to speak a follow-up. */
export const told = { decisionMs: 500, speechMs: 300 };
/** The default patience, after words that sound finished and after others. */
export const { finishedMs: patienceMs, unfinishedMs } = patienceOf({
  timeFactor: 1,
  speed: null,
  isAssessment: false,
});

/** Makes the fake of the model take its time. */
export async function tellFakes({ stack }: BenchStack): Promise<void> {
  for (const [call, delay_ms] of [
    ['decision', told.decisionMs],
    ['speech', told.speechMs],
  ])
    await fetch(`${stack.fakes_url}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'openai', call, delay_ms, times: 1_000_000 }),
    });
}

/** Returns how much of a wait is ours: all but our patience and what the fake was told to wait. */
export const overheadOf = ({ ms, kind }: Gap): number =>
  ms - patienceMs - (kind === 'planned' ? 0 : told.decisionMs) - (kind === 'follow_up' ? told.speechMs : 0);

const kinds = {
  planned: 'the next question, nothing decided',
  decided: 'the next question, after a decision',
  follow_up: 'a follow-up, decided and rendered',
} as const;

/**
 * Answers every second question so that the fake asks a follow-up: it asks one after fewer than ten words. All answers
 * sound finished.
 */
export const answerTo = (turn: { kind: string; number: number }, place: number) => ({
  text:
    turn.kind !== 'follow_up' && turn.number % 2 === 1
      ? 'I have planned the work of my team.'
      : 'I have planned the work of my whole team for more than three years now.',
  ms: 3_000 + ((place * 1_340) % 2_000),
});

/** Begins conversations within five seconds. */
export async function beginTalkers(
  bench: BenchStack,
  interview: string,
  { count, recording }: { count: number; recording: Buffer },
): Promise<Talker[]> {
  const tokens = await registerCandidates(bench, interview, count);
  const talkers = tokens.map((token) => createTalker(bench, token, { recording, answerTo }));
  await Promise.all(
    talkers.map(async (talker, index) => {
      await new Promise((resolve) => setTimeout(resolve, (5_000 * index) / count));
      await talker.begin();
    }),
  );
  return talkers;
}

type Conversations = { interview: string; recording: Buffer; bars: Bars };

/** Measures our overhead with so many conversations at once. Returns the memory of the process in MiB at its largest. */
export async function measureOverhead(
  bench: BenchStack,
  sessions: number,
  { interview, recording, bars }: Conversations,
): Promise<number> {
  const count = sessions === 1 ? 1 : scaled(sessions);
  const pid = pidOf(bench.folder, 'live') ?? Number.NaN;
  const startedAt = performance.now();
  const before = cpuSeconds(pid);
  let memory = 0;
  const watch = setInterval(() => (memory = Math.max(memory, memoryMiB(pid))), 500);
  const talkers = await beginTalkers(bench, interview, { count, recording });
  await Promise.all(talkers.map(({ finished }) => finished));
  clearInterval(watch);
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = (100 * (cpuSeconds(pid) - before)) / seconds;
  const gaps = talkers.flatMap((talker) => talker.gaps);
  const sent = gaps.filter(({ isSent }) => isSent).length;
  const late = talkers.flatMap((talker) => talker.lateness);
  console.log(
    `${count} conversations at once (load ${loadavg()[0]?.toFixed(1)}; the clients' own lateness p95 ${percentile(late, 0.95).toFixed(0)} ms, the live process ${cpu.toFixed(0)} % of a core; ${sent} recordings were asked for)`,
  );
  if (percentile(late, 0.95) > 10)
    console.log('  the clients themselves were late: these figures say more about the machine than about us');
  for (const [kind, name] of Object.entries(kinds)) {
    const waits = gaps.filter((gap) => gap.kind === kind);
    const own = waits.map(overheadOf);
    const middle = (pick: (gap: Gap) => number) => percentile(waits.map(pick), 0.5).toFixed(0);
    console.log(
      `  ${name.padEnd(40)} overhead p50 / p95 / p99 ${spread(own)} ms (${own.length} waits; the end was noticed after ${middle(({ noticedMs }) => noticedMs - patienceMs)} ms, the next turn said after ${middle((gap) => gap.saidMs - gap.noticedMs)} ms, its speech loaded after ${middle(({ ms, saidMs }) => ms - saidMs)} ms)`,
    );
    if (sessions < 50 || kind === 'follow_up') continue;
    bars.atMost(`${name}, p50`, percentile(own, 0.5), 60, ' ms');
    bars.atMost(`${name}, p95`, percentile(own, 0.95), 120, ' ms');
  }
  return memory;
}
