import { EventEmitter } from 'node:events';
import { createDecisionCircuit, awaitDecision } from '../../../api/taking/decide-next';

type Deps = Parameters<typeof awaitDecision>[0];
const caller = {} as Parameters<typeof awaitDecision>[1];
const turn = { resultId: 'r', attempt: 1, turnId: 't' };

/** Dependencies with a Temporal that does not respond: each call to it ends at its deadline. */
function whileTemporalHangs() {
  const waited: number[] = [];
  const outcomes: string[] = [];
  const deps = {
    queues: { live: 'live' },
    decisions: createDecisionCircuit(),
    metrics: { countWorkflow: (_type: string, outcome: string) => void outcomes.push(outcome) },
    temporal: {
      workflow: {},
      withDeadline: async (deadline: number) => {
        waited.push(deadline - Date.now());
        throw new Error('deadline exceeded');
      },
    },
    database: { write: async () => ({ attempt: { state: 'running' } }) },
  };
  return { deps: deps as unknown as Deps, waited, outcomes };
}

it('returns the next turn when it is asked, before the workflow has ended its update', async () => {
  const { deps } = whileTemporalHangs();
  const askedTurns = new EventEmitter();
  const temporal = {
    workflow: { startUpdateWithStart: async () => ({ result: () => new Promise(() => undefined) }) },
    withDeadline: (_deadline: number, work: () => Promise<unknown>) => work(),
  };
  const database = { query: async () => [{ attempt: { state: 'running' } }] };
  const decided = awaitDecision({ ...deps, temporal, database, askedTurns } as unknown as Deps, caller, turn);
  askedTurns.emit('another turn');
  askedTurns.emit(turn.turnId);
  expect(await decided).toEqual({ state: 'running' });
  expect(askedTurns.eventNames()).toEqual([]);
});

describe('an answer that needs a decision while Temporal hangs', () => {
  it('waits for three seconds at most, and not at all after the third one', async () => {
    const { deps, waited, outcomes } = whileTemporalHangs();
    for (let answers = 0; answers < 4; answers += 1)
      expect(await awaitDecision(deps, caller, turn)).toEqual({ state: 'running' });
    expect(outcomes).toEqual(['failed', 'failed', 'failed', 'skipped']);
    expect(waited).toHaveLength(3);
    expect(Math.max(...waited)).toBeLessThanOrEqual(3_000);
  });

  it('waits no longer than the time that is left for the decision', async () => {
    const { deps, waited } = whileTemporalHangs();
    await awaitDecision(deps, caller, turn, 500);
    expect(Math.max(...waited)).toBeLessThanOrEqual(500);
  });
});
