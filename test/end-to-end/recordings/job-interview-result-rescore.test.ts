import { held } from '../../harness/platform/platform';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { scoredAttempts } from '../../harness/taking/scored-attempts';
import { waitFor } from '../../harness/wait-for';
import { putEndpoint } from '../../harness/webhooks/webhook-rows';

/* Tests how the score of a result changes after the scoring: by another run, or by a person. */

let platform: Platform;
let attempts: ReturnType<typeof scoredAttempts>;
let id: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  attempts = scoredAttempts(platform);
  // Deliveries are created for this endpoint, although no server listens at its address. For a disabled endpoint,
  // none would be created.
  await putEndpoint(platform.database, { url: 'http://127.0.0.1:1/', events: ['interview_result'] });
});
beforeEach(async () => {
  id = await attempts.takeScored(await attempts.makeInterview());
});
afterEach(() => platform.clearFaults());

type Details = Record<string, unknown> & {
  transcript: Record<string, unknown>[];
  scoring: Record<string, unknown>;
};
const read = async () =>
  (await platform.call('job-interview-details', { query: { interview_result_id: id } })).body as Details;
const rescore = () => platform.call('job-interview-result-rescore', { body: { interview_result_id: id } });
const reason = 'Known from the second interview.';
const override = (fields: Record<string, unknown>) =>
  platform.call('job-interview-result-override-score', {
    body: { interview_result_id: id, reason, ...fields },
  });
const reasonsOfEvents = async () => (await attempts.eventsOf(id)).map((event) => event.reason);

describe('job-interview-result-rescore', () => {
  it('keeps the record of the first run, says what changed, and sends an event only then, one run after the other', async () => {
    const [first] = await attempts.runsOf(id);
    const before = await read();
    const events = await reasonsOfEvents();
    const reply = await rescore();
    expect([reply.status, reply.body]).toEqual([200, { interview_result_id: id, attempt: 1, run: 2 }]);
    const second = await attempts.scored(id, 2);
    expect((await attempts.runsOf(id))[0]).toEqual(first);
    expect(second).toMatchObject({
      input_hash: first?.['input_hash'],
      scores: first?.['scores'],
      changes: [],
    });
    const same = await read();
    const { scoring, revision, updated_at } = same;
    expect(same).toEqual({ ...before, scoring, revision, updated_at });
    expect(scoring).toMatchObject({ run: 2, state: 'scored', changes: [] });
    expect(await reasonsOfEvents()).toEqual(events);

    const fault = { provider: 'openai', call: 'assessment' };
    await platform.fault({ ...fault, ...held });
    const replies = [await rescore()];
    await waitFor('the third run', async () => (await attempts.runsOf(id))[2]?.state === 'running');
    replies.push(await rescore());
    expect(replies.map(({ status, body }) => [status, body['code']])).toEqual([
      [200, undefined],
      [409, 'state_conflict'],
    ]);
    expect(await read()).toMatchObject({ processing_status: 'completed', scoring: { state: 'running' } });
    await platform.clearFaults();
    await attempts.scored(id, 3);

    await platform.fault({ ...fault, assessment: 'invented_quotes', times: 1_000 });
    expect((await rescore()).status).toBe(200);
    await attempts.scored(id, 4);
    const after = await read();
    expect(after['score']).not.toEqual(before['score']);
    expect(after.scoring['changes']).toContainEqual({
      field: 'score',
      question_id: null,
      from: before['score'],
      to: after['score'],
    });
    expect((await reasonsOfEvents()).slice(events.length)).toEqual([expect.stringContaining('score')]);
    expect(await attempts.runsOf(id)).toHaveLength(4);
  });
});

describe('job-interview-result-override-score', () => {
  it('sets the score of an answer or, with an event, of the result, also for later runs, until it is withdrawn', async () => {
    const before = await read();
    const computed = before['score'];
    const answer = before.transcript.find((turn) => turn['score_answer_ai'] !== null);
    const events = await reasonsOfEvents();
    const ofAnswer = await override({ result_question_id: answer?.['id'], score: 1.5 });
    expect([ofAnswer.status, ofAnswer.body]).toMatchObject([
      200,
      { score: 1.5, score_ai: answer?.['score_answer_ai'] },
    ]);
    const changed = await read();
    expect(changed['score']).toBe(computed);
    expect(changed.transcript).toContainEqual({ ...answer, score: 1.5 });
    expect(await reasonsOfEvents()).toEqual(events);

    const ofResult = await override({ score: 3.5 });
    expect([ofResult.status, ofResult.body]).toEqual([
      200,
      { interview_result_id: id, attempt: 1, score: 3.5, score_ai: computed },
    ]);
    const after = await read();
    expect(after).toMatchObject({ score: 3.5, scoring: { score_ai: computed } });
    expect(after.transcript).toEqual(changed.transcript);
    expect(await reasonsOfEvents()).toEqual([...events, 'score']);

    await rescore();
    await attempts.scored(id, 2);
    expect(await read()).toMatchObject({ score: 3.5, scoring: { run: 2, score_ai: computed, changes: [] } });
    const withdrawn = await override({ score: null });
    expect([withdrawn.status, withdrawn.body]).toMatchObject([200, { score: computed, score_ai: computed }]);
    expect(await read()).toMatchObject({ score: computed });
    const decisions = await platform.database.rows(
      'select question_id, score::float8, score_ai::float8, reason from score_decision where result_id = $1 order by id',
      [id],
    );
    expect(decisions).toEqual([
      { question_id: answer?.['id'], score: 1.5, score_ai: answer?.['score_answer_ai'], reason },
      { question_id: null, score: 3.5, score_ai: computed, reason },
      { question_id: null, score: null, score_ai: computed, reason },
    ]);
  });
});
