import { countStored, interviewsNamed, modelOutcomes } from '../../harness/interviews/interview-rows';
import { errorBody } from '../../harness/platform/error-body';
import { newInterview } from '../../harness/platform/platform';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

const sentence = 'Question generation is unavailable. Try again later.';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
});
afterEach(() => platform.clearFaults());

const openai = (fault: Record<string, unknown>) => platform.fault({ provider: 'openai', ...fault });
const create = (name: string, more: Record<string, unknown> = {}) =>
  platform.call('job-interview-create', { body: newInterview(platform.stack, { name, ...more }) });

/** Runs `work` and returns its value, with the outcomes of the model calls for the interview that `work` created. */
async function outcomesOfNext<T>(work: () => Promise<T>): Promise<{ value: T; outcomes: string[] }> {
  const known = `select interview_id as id from model_call where purpose = 'interview_draft'`;
  const before = new Set((await platform.database.rows<{ id: string }>(known)).map(({ id }) => id));
  const value = await work();
  const added = (await platform.database.rows<{ id: string }>(known)).find(({ id }) => !before.has(id));
  const outcomes = added ? await modelOutcomes(platform.database, added.id) : [];
  return { value, outcomes };
}

async function expectBuilt(name: string, outcomes: string[], more: Record<string, unknown> = {}) {
  const { value: created, outcomes: recorded } = await outcomesOfNext(() => create(name, more));
  expect(created.body).not.toHaveProperty('error');
  expect(created.status).toBe(200);
  expect(recorded).toEqual(outcomes);
  // The six steps are the welcome, three questions, the closing prompt and the thank-you. Calling the model again
  // must not add steps.
  expect(await interviewsNamed(platform.database, name)).toEqual([
    expect.objectContaining({ id: created.body['interview_def_set_id'], is_built: true, steps: 6 }),
  ]);
}

async function expectRefused(name: string, outcomes: string[], more: Record<string, unknown> = {}) {
  const before = await countStored(platform.database);
  const { value: refused, outcomes: recorded } = await outcomesOfNext(() => create(name, more));
  expect(refused.body).toEqual(errorBody('generation_unavailable', undefined, sentence));
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(recorded).toEqual(outcomes);
  expect(await countStored(platform.database)).toEqual(before);
}

/**
 * Each outcome is tested here with one fault. draft-interview.test.ts and lying-model.test.ts test all other faults.
 */
describe('job-interview-create when the model', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['answers 429 with a short Retry-After', { status: 429, headers: { 'retry-after': '1' } }, ['failed']],
    ['answers 500 twice', { status: 500, times: 2 }, ['failed', 'failed']],
  ])('%s: returns 200 after another call', async (situation, fault, outcomes) => {
    await openai(fault);
    await expectBuilt(`Built: ${situation}`, [...outcomes, 'accepted']);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['answers 401, which a retry cannot fix', { status: 401 }, 'failed'],
    ['refuses', { refuse: true }, 'refused'],
  ])('%s: returns 503 without another call', async (situation, fault, outcome) => {
    await openai(fault);
    await expectRefused(`Refused: ${situation}`, [outcome], { is_embedded: true, instructional_video: true });
  });
});
