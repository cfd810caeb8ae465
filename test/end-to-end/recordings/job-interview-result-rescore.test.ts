import { held } from '../../harness/platform/platform';
import type { CallOptions, Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { scoredAttempts } from '../../harness/taking/scored-attempts';
import { waitFor } from '../../harness/wait-for';
import { putEndpoint } from '../../harness/webhooks/webhook-rows';

let platform: Platform;
let attempts: ReturnType<typeof scoredAttempts>;
let interviewId: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  attempts = scoredAttempts(platform);
  // Deliveries are created for this endpoint, although no server listens at its address. For a disabled endpoint,
  // none would be created.
  await putEndpoint(platform.database, { url: 'http://127.0.0.1:1/', events: ['interview_result'] });
  interviewId = await attempts.makeInterview();
});
afterEach(() => platform.clearFaults());

const rescore = (interview_result_id: unknown, options: CallOptions = {}) =>
  platform.call('job-interview-result-rescore', { body: { interview_result_id }, ...options });
const read = async (interview_result_id: string) =>
  (await platform.call('job-interview-details', { query: { interview_result_id } })).body;
const eventsOf = async (id: string) =>
  (await attempts.eventsOf(id)).map(({ event, reason }) => [event, reason]);

describe('job-interview-result-rescore', () => {
  it('keeps the record of the first run, and sends no event if no score changes', async () => {
    const id = await attempts.takeScored(interviewId);
    const [first] = await attempts.runsOf(id);
    const before = await read(id);
    const events = await eventsOf(id);
    const reply = await rescore(id);
    expect([reply.status, reply.body]).toEqual([200, { interview_result_id: id, attempt: 1, run: 2 }]);
    const second = await attempts.scored(id, 2);
    expect((await attempts.runsOf(id))[0]).toEqual(first);
    expect(second).toMatchObject({
      input_hash: first?.['input_hash'],
      scores: first?.['scores'],
      changes: [],
    });
    const after = await read(id);
    const { scoring, revision, updated_at } = after;
    expect(after).toEqual({ ...before, scoring, revision, updated_at });
    expect(runOf(after)).toMatchObject({ run: 2, state: 'scored', changes: [] });
    expect(await eventsOf(id)).toEqual(events);
  });

  it('says what it changed, and sends the event once if the score changes', async () => {
    const id = await attempts.takeScored(interviewId);
    const before = await read(id);
    const events = await eventsOf(id);
    await platform.fault({
      provider: 'openai',
      call: 'assessment',
      assessment: 'invented_quotes',
      times: 1_000,
    });
    expect((await rescore(id)).status).toBe(200);
    await attempts.scored(id, 2);
    const after = await read(id);
    expect(after['score']).not.toEqual(before['score']);
    expect(runOf(after)['changes']).toContainEqual({
      field: 'score',
      question_id: null,
      from: before['score'],
      to: after['score'],
    });
    const added = (await eventsOf(id)).slice(events.length);
    expect(added).toEqual([['interview_result', expect.stringContaining('score')]]);
  });

  it('returns 409 while a run is in progress, which goes on', async () => {
    const id = await attempts.takeScored(interviewId);
    await platform.fault({ provider: 'openai', call: 'assessment', ...held });
    const replies = [await rescore(id)];
    await waitFor('the second run', async () => (await attempts.runsOf(id))[1]?.state === 'running');
    replies.push(await rescore(id));
    expect(replies.map(({ status, body }) => [status, body['code']])).toEqual([
      [200, undefined],
      [409, 'state_conflict'],
    ]);
    expect(await read(id)).toMatchObject({ processing_status: 'completed', scoring: { state: 'running' } });
    await platform.clearFaults();
    await attempts.scored(id, 2);
    expect(await attempts.runsOf(id)).toHaveLength(2);
  });
});

/** Returns the latest run in the details of a result. */
const runOf = (details: Record<string, unknown>) => details['scoring'] as Record<string, unknown>;
