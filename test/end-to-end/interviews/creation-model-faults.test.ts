import { countStored, interviewsNamed, modelOutcomes } from '../../harness/interview-rows';
import { newInterview, startPlatform } from '../../harness/platform';
import type { Platform, Reply } from '../../harness/platform';
import { errorBody } from '../../harness/error-body';

const sentence = 'Question generation is unavailable right now, try again later';
/** Longer than any operation may take. */
const silence = { provider: 'openai', delay_ms: 120_000, times: 100 };

let platform: Platform;
/** Has a model that says nothing: its call takes its time while the other tests run. */
let silent: Platform;
let unanswered: Promise<Reply>;
let storedInSilence: Record<string, number>;
beforeAll(async () => {
  [platform, silent] = await Promise.all([startPlatform(), startPlatform()]);
  await silent.fault(silence);
  storedInSilence = await countStored(silent.database);
  unanswered = silent.call('job-interview-create', { body: newInterview(silent.stack, { name: 'Silent' }) });
  unanswered.catch(() => undefined);
});
afterEach(() => platform.clearFaults());
afterAll(() => Promise.all([platform.stop(), silent.stop()]));

const openai = (fault: Record<string, unknown>) => platform.fault({ provider: 'openai', ...fault });
const create = (name: string, more: Record<string, unknown> = {}) =>
  platform.call('job-interview-create', { body: newInterview(platform.stack, { name, ...more }) });

/** The outcomes of the model's calls that were recorded after this moment. */
async function outcomesOfNext<T>(work: () => Promise<T>): Promise<{ value: T; outcomes: string[] }> {
  const known = 'select interview_id as id from model_call';
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
  // Welcome, three questions, closing prompt, thank-you: once each, however often the model was asked.
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

describe('job-interview-create when the model', () => {
  it('answers 429 with a short Retry-After: asked again, 200', async () => {
    await openai({ status: 429, headers: { 'retry-after': '1' } });
    await expectBuilt('Limited', ['failed', 'accepted']);
  });

  it('answers 429 without Retry-After: asked again, 200', async () => {
    await openai({ status: 429 });
    await expectBuilt('Limited without a wait', ['failed', 'accepted']);
  });

  it('answers 429 with a Retry-After beyond the time left: 503 without another call', async () => {
    await openai({ status: 429, headers: { 'retry-after': '50' } });
    await expectRefused('Limited for long', ['failed']);
  });

  it('answers 429 with a date as Retry-After beyond the time left: 503 without another call', async () => {
    const later = new Date(Date.now() + 3_600_000).toUTCString();
    await openai({ status: 429, headers: { 'retry-after': later } });
    await expectRefused('Limited until later', ['failed']);
  });

  it.each([500, 502, 503, 529])('answers %d: asked again, 200', async (status) => {
    await openai({ status });
    await expectBuilt(`Broken ${status}`, ['failed', 'accepted']);
  });

  it('answers 500 twice: asked a third time, 200', async () => {
    await openai({ status: 500, times: 2 });
    await expectBuilt('Broken twice', ['failed', 'failed', 'accepted']);
  });

  it.each([400, 401, 403])(
    'answers %d, which no repetition mends: 503 without another call',
    async (status) => {
      await openai({ status });
      await expectRefused(`Misconfigured ${status}`, ['failed']);
    },
  );

  it('refuses: 503 without another call', async () => {
    await openai({ refuse: true });
    await expectRefused('Refused', ['refused'], { is_embedded: true, instructional_video: true });
  });

  it('answers malformed JSON once: repaired, 200', async () => {
    await openai({ malformed: true });
    await expectBuilt('Malformed once', ['rejected', 'accepted']);
  });

  it('answers malformed JSON twice: 503', async () => {
    await openai({ malformed: true, times: 2 });
    await expectRefused('Malformed twice', ['rejected', 'rejected'], { is_embedded: true });
  });

  it.each([
    ['too few questions', 2],
    ['too many questions', 4],
    ['no question', 0],
  ])('answers %s once: repaired, 200', async (situation, count) => {
    await openai({ question_count: count });
    await expectBuilt(`Miscounted: ${situation}`, ['rejected', 'accepted']);
  });

  it.each([
    ['too few questions', 2],
    ['too many questions', 4],
  ])('answers %s twice: 503', async (situation, count) => {
    await openai({ question_count: count, times: 2 });
    await expectRefused(`Miscounted twice: ${situation}`, ['rejected', 'rejected']);
  });

  it.each([4, 9])('may pick the number and picks %d: told so, 503 the second time', async (count) => {
    await openai({ question_count: count, times: 2 });
    await expectRefused(`Picked ${count}`, ['rejected', 'rejected'], { interview_length: undefined });
  });

  it('closes the connection: asked again, 200', async () => {
    await openai({ reset: true });
    await expectBuilt('Cut off', ['failed', 'accepted']);
  });

  it.each(['0', '-5', 'soon', 'Sun, 06 Nov 1994 08:49:37 GMT'])(
    'answers 429 with %j as Retry-After: asked again, 200',
    async (wait) => {
      await openai({ status: 429, headers: { 'retry-after': wait } });
      await expectBuilt(`Limited by ${wait}`, ['failed', 'accepted']);
    },
  );

  it('answers 200 with what is no completion once: repaired, 200', async () => {
    await openai({ status: 200 });
    await expectBuilt('Unreadable once', ['rejected', 'accepted']);
  });

  it('answers 200 with what is no completion twice: 503', async () => {
    await openai({ status: 200, times: 2 });
    await expectRefused('Unreadable', ['rejected', 'rejected']);
  });

  it('tells the model in the repair call what was wrong', async () => {
    await openai({ question_count: 2 });
    await expectBuilt('Repaired', ['rejected', 'accepted']);
    const calls = (await platform.standIn('/openai/requests')) as { messages: { content: string }[] }[];
    const last = calls.at(-1)?.messages ?? [];
    expect(last).toHaveLength(4);
    expect(last[3]?.content).toContain('it has 2 questions and needs exactly 3');
  });

  it('says nothing for 60 s: 503, nothing stored, and nothing comes later', async () => {
    const refused = await unanswered;
    expect(refused.body).toEqual(errorBody('generation_unavailable', undefined, sentence));
    expect(refused.status).toBe(503);
    expect(await countStored(silent.database)).toEqual(storedInSilence);
    const outcomes = await silent.database.rows<{ outcome: string }>('select outcome from model_call');
    expect(outcomes.length).toBeGreaterThan(1);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['failed']));
    await silent.clearFaults();
    const next = await silent.call('job-interview-create', {
      body: newInterview(silent.stack, { name: 'Silent' }),
    });
    expect(next.status).toBe(200);
    expect(await interviewsNamed(silent.database, 'Silent')).toEqual([
      expect.objectContaining({ id: next.body['interview_def_set_id'], is_built: true }),
    ]);
  });
});
