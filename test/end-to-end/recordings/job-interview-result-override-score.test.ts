import type { CallOptions, Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { scoredAttempts } from '../../harness/taking/scored-attempts';
import { putEndpoint } from '../../harness/webhooks/webhook-rows';

let platform: Platform;
let attempts: ReturnType<typeof scoredAttempts>;
let interviewId: string;
let id: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  attempts = scoredAttempts(platform);
  await putEndpoint(platform.database, { url: 'http://127.0.0.1:1/', events: ['interview_result'] });
  interviewId = await attempts.makeInterview();
});

const reason = 'Known from the second interview.';
const override = (fields: Record<string, unknown>, options: CallOptions = {}) =>
  platform.call('job-interview-result-override-score', {
    body: { interview_result_id: id, reason, ...fields },
    ...options,
  });
type Details = Record<string, unknown> & { transcript: Record<string, unknown>[] };
const read = async () =>
  (await platform.call('job-interview-details', { query: { interview_result_id: id } })).body as Details;
const answerOf = ({ transcript }: Details) => transcript.find((turn) => turn['score_answer_ai'] !== null);
const decisionsOf = () =>
  platform.database.rows(
    'select question_id, score::float8, score_ai::float8, reason from score_decision where result_id = $1 order by id',
    [id],
  );
const reasonsOfEvents = async () => (await attempts.eventsOf(id)).map((event) => event.reason);

describe('job-interview-result-override-score', () => {
  beforeEach(async () => {
    id = await attempts.takeScored(interviewId);
  });

  it('sets the score of the result, keeps the computed one, and sends the event', async () => {
    const before = await read();
    const events = await reasonsOfEvents();
    const reply = await override({ score: 3.5 });
    expect([reply.status, reply.body]).toEqual([
      200,
      { interview_result_id: id, attempt: 1, score: 3.5, score_ai: before['score'] },
    ]);
    const after = await read();
    expect(after).toMatchObject({ score: 3.5, scoring: { score_ai: before['score'] } });
    expect(after.transcript).toEqual(before.transcript);
    expect(await decisionsOf()).toEqual([
      { question_id: null, score: 3.5, score_ai: before['score'], reason },
    ]);
    expect(await reasonsOfEvents()).toEqual([...events, 'score']);
  });

  it('sets the score of an answer, leaves the total, and sends no event', async () => {
    const before = await read();
    const question = answerOf(before);
    const events = await reasonsOfEvents();
    const reply = await override({ result_question_id: question?.['id'], score: 1.5 });
    expect([reply.status, reply.body]).toMatchObject([
      200,
      { score: 1.5, score_ai: question?.['score_answer_ai'] },
    ]);
    const after = await read();
    expect(after['score']).toBe(before['score']);
    expect(answerOf(after)).toEqual({ ...question, score: 1.5 });
    expect(await reasonsOfEvents()).toEqual(events);
  });

  it('stays when the result is scored again, until it is withdrawn', async () => {
    const { score: computed } = await read();
    await override({ score: 2 });
    await platform.call('job-interview-result-rescore', { body: { interview_result_id: id } });
    await attempts.scored(id, 2);
    expect(await read()).toMatchObject({ score: 2, scoring: { run: 2, score_ai: computed, changes: [] } });
    const withdrawn = await override({ score: null });
    expect([withdrawn.status, withdrawn.body]).toMatchObject([200, { score: computed, score_ai: computed }]);
    expect(await read()).toMatchObject({ score: computed });
    expect((await decisionsOf()).map(({ score }) => score)).toEqual([2, null]);
  });
});
