import type { ScoringOutcome } from '../../../activities/scoring/score-activities';
import type { RunKey } from '../../../db/scoring/runs';
import { activityEnvironment } from '../../harness/interviews/interview-worker';
import { goodAnswer, startScoringWorld } from './scoring-world';
import type { ScoringWorld } from './scoring-world';

let world: ScoringWorld;
beforeAll(async () => {
  world = await startScoringWorld();
});
afterAll(() => world.close());
afterEach(() => world.clearFaults());

const run = <Value>(activity: (input: never) => Promise<Value>, input: unknown): Promise<Value> =>
  activityEnvironment().run(activity as (given: unknown) => Promise<Value>, input) as Promise<Value>;
/** Runs the activities of a run in their order. */
async function scoreAll(key: RunKey): Promise<void> {
  const opened = await run(world.scoring.openScoring, key);
  for (const place of opened?.places ?? []) await run(world.scoring.scoreAnswer, { ...key, place });
  await run(world.scoring.scoreSession, key);
  await run(world.scoring.summarizeResult, key);
  await run(world.scoring.recordScoring, key);
}

describe('the activities of the scoring', () => {
  it('score an answer', async () => {
    const { key } = await world.submitted([goodAnswer]);
    await scoreAll(key);
    console.log(
      JSON.stringify(
        [
          await world.result(key.result_id),
          await world.questionsOf(key.result_id),
          await world.recordsOf(key.result_id),
        ],
        null,
        1,
      ),
    );
    const outcome: ScoringOutcome = { state: 'done' };
    expect(outcome.state).toBe('done');
  });
});
