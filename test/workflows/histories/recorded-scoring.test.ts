import { startScoringWorld } from '../../activities/scoring/scoring-world';
import type { ScoringWorld } from '../../activities/scoring/scoring-world';
import { quietRuntime, startTestWorker } from '../../harness/platform/test-worker';
import { expectRecorded, findUncompared, statusAtEnd } from '../compare-history';

/**
 * The text of the answers that are scored. No history may contain it. The histories are compared as
 * recorded-histories.test.ts does. To record new ones: RECORD_HISTORIES=1 npx jest test/workflows/histories
 */
const words =
  'Confidential-Quetzal said that I led a project at a bakery, and that my own part was the oven plan.';

let world: ScoringWorld;
let worker: Awaited<ReturnType<typeof startTestWorker>>;
beforeAll(async () => {
  quietRuntime();
  world = await startScoringWorld();
  worker = await startTestWorker(world.scoring);
});
afterAll(async () => {
  await worker.stop();
  await world.close();
});
afterEach(() => world.clearFaults());

describe('resultScoring', () => {
  it.each<[string, object | undefined, number | undefined, string]>([
    ['scored', undefined, undefined, 'COMPLETED'],
    ['model-away', { status: 503, times: 1_000 }, 1, 'FAILED'],
  ])('produces the recorded history: %s', async (name, fault, tried_for_ms, status) => {
    const { result_id } = await world.submitted([words, words]);
    if (fault) await world.fault({ ...fault });
    const handle = await worker.startScoring(result_id, {
      first_pause_ms: 50,
      ...(tried_for_ms === undefined ? {} : { tried_for_ms }),
    });
    expect(await statusAtEnd(handle)).toBe(status);
    await expectRecorded(`result-scoring/${name}.json`, handle, result_id, { inAnyOrder: true });
  });
});

describe('the recorded histories of the scoring', () => {
  it('are all compared by the tests above', () => {
    expect(findUncompared((file) => file.startsWith('result-scoring/'))).toEqual([]);
  });
});
