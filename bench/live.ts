import { loadavg } from 'node:os';
import { Pool } from 'pg';
import { platformTemplateIds } from '../local/seed/templates';
import { createBars } from './bars';
import { createInterview } from './candidates';
import { measureBrowser } from './live/browser';
import { measureCutIns } from './live/curve';
import { measureFigure } from './live/figure';
import { killWhileAnswering } from './live/kills';
import { beginTalkers, measureOverhead, patienceMs, tellFakes, told } from './live/overhead';
import { machine, scaled, startBenchStack } from './stack';
import { recordVoice } from './voice-recording';

/** The questions of the interview in the browser. */
const shownQuestions = 8;

/**
 * `npm run bench:live`: measures live conversations (docs/live.md#measured): our share of the wait for the interviewer, how
 * fast an interruption acts, how often the interviewer speaks too early, what its picture costs, and what is lost when
 * processes are killed. Candidates, browser, fakes, Postgres and Temporal share the machine. Compare only numbers of one run.
 */
async function main(): Promise<void> {
  console.log(`machine: ${machine()}, load ${loadavg()[0]?.toFixed(1)}`);
  const bars = createBars();
  const bench = await startBenchStack({ RATE_LIMIT_PER_MINUTE: '0' });
  const admin = new Pool({ connectionString: bench.stack.database_url, max: 2 });
  try {
    const create = (questions: number, changes: object) =>
      createInterview(admin, { questions, isSpoken: true, changes });
    const interview = await create(scaled(5), { max_followups: 1 });
    const short = await create(2, { max_followups: 1 });
    const seen = await create(shownQuestions, {
      interview_template_id: platformTemplateIds.interactive_avatar_1,
    });
    const recording = await recordVoice(6);
    const conversations = { interview, recording, bars };
    await tellFakes(bench);
    console.log(
      `\noverhead: the wait for the interviewer above our patience (${patienceMs} ms) and what the fakes were told (decision ${told.decisionMs} ms, speech ${told.speechMs} ms)`,
    );
    // Renders the speech of the questions, and starts what the first conversation of a process starts.
    for (const { finished } of await beginTalkers(bench, interview, { count: 1, recording })) await finished;
    const memory: number[] = [];
    for (const sessions of [1, 10, 50].slice(0, scaled(3)))
      memory.push(await measureOverhead(bench, sessions, conversations));
    const [, few = Number.NaN, many = Number.NaN] = memory;
    bars.atMost('memory of a conversation', (many - few) / (scaled(50) - scaled(10)), 2, ' MiB');
    await measureBrowser(bench, { interview: seen, questions: shownQuestions, bars });
    await measureFigure(bench, { interview: seen, questions: shownQuestions, bars });
    for (const name of (['live', 'api', 'worker'] as const).slice(0, scaled(3)))
      await killWhileAnswering(bench, name, { ...conversations, interview: short, admin });
    measureCutIns(bars);
  } finally {
    await fetch(`${bench.stack.fakes_url}/faults`, { method: 'DELETE' });
    await admin.end();
    await bench.stop();
  }
  bars.judge();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
