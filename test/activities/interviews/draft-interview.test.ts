import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApplicationFailure } from '@temporalio/activity';
import { interviewDraft } from '../../../activities/interviews/prompts';
import { rubric } from '../../harness/interviews/definitions';
import { activityEnvironment, startInterviewWorker } from '../../harness/interviews/interview-worker';
import type { InterviewWorker } from '../../harness/interviews/interview-worker';
import { parsedQuestion } from '../../harness/interviews/unbuilt-interview';
import { waitFor } from '../../harness/wait-for';

let workflow: InterviewWorker;
beforeAll(async () => {
  workflow = await startInterviewWorker();
});
afterAll(() => workflow.stop());
afterEach(() => workflow.clearFaults());

const run = (interview_id: string, of = workflow) =>
  activityEnvironment().run(of.activities.draftInterview, { interview_id });
const failureOf = async (work: Promise<unknown>): Promise<ApplicationFailure> => {
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof ApplicationFailure) return error;
  throw error;
};
const outcomes = async (id: string, of = workflow) => (await of.modelCalls(id)).map(({ outcome }) => outcome);

describe('draftInterview', () => {
  it('calls the model once for what is missing, stores the draft and records the call with its tokens', async () => {
    const id = await workflow.insertUnbuilt({ question_count: 3 });
    await run(id);
    const row = await workflow.find(id);
    expect(row).toMatchObject({ built: false, steps: 0 });
    expect(row?.['draft']).toMatchObject({ questions: [{}, {}, {}] });
    const calls = await workflow.modelCalls(id);
    expect(calls).toMatchObject([
      {
        merchant_id: row?.['merchant_id'],
        outcome: 'accepted',
        model: 'gpt-4.1-mini',
        prompt_version: interviewDraft.version,
        prompt_tokens: expect.any(Number),
        completion_tokens: expect.any(Number),
      },
    ]);
    expect(workflow.counted.at(-1)).toMatchObject({ interview_id: id, outcome: 'accepted' });
  });

  it('keeps the draft and does not ask the model again when it runs twice', async () => {
    const id = await workflow.insertUnbuilt();
    await run(id);
    const first = await workflow.find(id);
    await run(id);
    expect(await workflow.find(id)).toEqual(first);
    expect(await outcomes(id)).toEqual(['accepted']);
  });

  it('makes no call and no draft when the interview is built or nothing is missing', async () => {
    const id = await workflow.insertUnbuilt(
      {
        questions: [
          parsedQuestion('00000000-0000-4000-8000-00000000aaaa', 'Why?', {
            candidate_expectations_json: rubric,
          }),
        ],
        candidate_expectations_json: rubric,
        seniority_level: 'senior',
      },
      { description: 'D', interview_description_long: 'L' },
    );
    await run(id);
    expect(await workflow.find(id)).toMatchObject({ draft: null, built: false });
    await activityEnvironment().run(workflow.activities.storeInterview, { interview_id: id });
    await run(id);
    expect(await workflow.find(id)).toMatchObject({ draft: null, built: true });
    expect(await outcomes(id)).toEqual([]);
  });

  it('fails for good with InterviewGone when the row was removed or is past its deadline', async () => {
    const late = await workflow.insertUnbuilt();
    await workflow.setDeadline(late, -1);
    for (const id of [late, '00000000-0000-4000-8000-00000000dead']) {
      const failure = await failureOf(run(id));
      expect(failure).toMatchObject({ type: 'InterviewGone', nonRetryable: true, category: 'BENIGN' });
      expect(await outcomes(id)).toEqual([]);
    }
  });

  it('fails for good with ModelUnavailable without a call when too little time is left', async () => {
    const id = await workflow.insertUnbuilt();
    await workflow.setDeadline(id, 11);
    const failure = await failureOf(run(id));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: true });
    expect(await outcomes(id)).toEqual([]);
  });

  const soon = new Date(Date.now() + 3_600_000).toUTCString();
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      '500',
      { status: 500 },
      { nonRetryable: false, nextRetryDelay: undefined, message: 'the model responded with 500' },
    ],
    ['429', { status: 429 }, { nonRetryable: false, nextRetryDelay: undefined }],
    [
      '429 and a wait',
      { status: 429, headers: { 'retry-after': '2' } },
      { nonRetryable: false, nextRetryDelay: 2_000 },
    ],
    [
      '429 and a finer wait',
      { status: 429, headers: { 'retry-after': '9', 'retry-after-ms': '150' } },
      { nonRetryable: false, nextRetryDelay: 150 },
    ],
    [
      '503 and a wait beyond the time left',
      { status: 503, headers: { 'retry-after': '60' } },
      { nonRetryable: true },
    ],
    [
      '429 until a date beyond the time left',
      { status: 429, headers: { 'retry-after': soon } },
      { nonRetryable: true },
    ],
    ['401', { status: 401 }, { nonRetryable: true, message: 'the model responded with 401' }],
    ['400', { status: 400 }, { nonRetryable: true }],
    ['a closed connection', { reset: true }, { nonRetryable: false, message: 'the model cannot be reached' }],
  ])(
    'fails with ModelUnavailable and records the failure when the model answers %s',
    async (_what, fault, expected) => {
      const id = await workflow.insertUnbuilt();
      await workflow.fault(fault);
      const failure = await failureOf(run(id));
      expect(failure).toMatchObject({ type: 'ModelUnavailable', ...expected });
      expect(await workflow.modelCalls(id)).toMatchObject([{ outcome: 'failed', prompt_tokens: null }]);
      expect(await workflow.find(id)).toMatchObject({ draft: null });
      await run(id);
      expect(await outcomes(id)).toEqual(['failed', 'accepted']);
    },
  );

  it('fails with ModelAnswerUnusable after one call when the model refuses', async () => {
    const id = await workflow.insertUnbuilt();
    await workflow.fault({ refuse: true });
    expect(await failureOf(run(id))).toMatchObject({ type: 'ModelAnswerUnusable', nonRetryable: true });
    expect(await workflow.modelCalls(id)).toMatchObject([
      { outcome: 'refused', prompt_tokens: expect.any(Number) },
    ]);
  });

  it.each([
    ['no JSON', { malformed: true }, 'it is not valid JSON'],
    ['too few questions', { question_count: 1 }, 'it has 1 questions and needs exactly 2'],
  ])('repairs %s with one call that names the error', async (_what, fault, sentence) => {
    const id = await workflow.insertUnbuilt();
    await workflow.fault(fault);
    await run(id);
    expect(await outcomes(id)).toEqual(['rejected', 'accepted']);
    const requests = (await (await fetch(`${workflow.fakes.url}/openai/requests`)).json()) as {
      messages: { role: string; content: string }[];
    }[];
    const messages = requests.at(-1)?.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages[3]?.content).toBe(interviewDraft.repair(sentence));
  });

  it('fails with ModelAnswerUnusable without a third call when the answer is unusable twice', async () => {
    const id = await workflow.insertUnbuilt();
    await workflow.fault({ malformed: true, times: 2 });
    expect(await failureOf(run(id))).toMatchObject({ type: 'ModelAnswerUnusable', nonRetryable: true });
    expect(await outcomes(id)).toEqual(['rejected', 'rejected']);
    expect(await workflow.find(id)).toMatchObject({ draft: null });
  });

  it('can be retried when the model fails in the repair call', async () => {
    const id = await workflow.insertUnbuilt();
    await workflow.fault({ malformed: true });
    await workflow.fault({ status: 500 });
    expect(await failureOf(run(id))).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    expect(await outcomes(id)).toEqual(['rejected', 'failed']);
  });

  it('reports no failure with a word of the prompt', async () => {
    const id = await workflow.insertUnbuilt(
      { additional_context: { note: 'Confidential-Quetzal' } },
      { name: 'Private-Quetzal' },
    );
    for (const fault of [{ refuse: true }, { status: 500 }, { malformed: true, times: 2 }]) {
      await workflow.fault(fault);
      const failure = await failureOf(run(id));
      expect(JSON.stringify([failure.message, failure.stack, failure.details, failure.cause])).not.toContain(
        'Quetzal',
      );
    }
  });
});

describe('draftInterview while the model is silent', () => {
  /**
   * Starts a model server that never responds. The test can wait for a request to arrive and for its connection to
   * close.
   */
  async function silentModel() {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const asked = once(server, 'request').then(([request]) => ({
      closed: once((request as { socket: NodeJS.EventEmitter }).socket, 'close'),
    }));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/v1`, asked, close: () => void server.close() };
  }

  it('sends heartbeats, and aborts the HTTP call when it is canceled', async () => {
    const model = await silentModel();
    const silent = await startInterviewWorker({ modelUrl: model.url });
    try {
      const id = await silent.insertUnbuilt();
      const environment = activityEnvironment();
      const beat = once(environment, 'heartbeat');
      const ended = failureOf(environment.run(silent.activities.draftInterview, { interview_id: id }));
      const { closed } = await model.asked;
      await beat;
      environment.cancel();
      await closed;
      expect((await ended).type).toBe('ModelUnavailable');
      expect(await outcomes(id, silent)).toEqual(['failed']);
      expect(await silent.find(id)).toMatchObject({ draft: null, built: false });
    } finally {
      await silent.stop();
      model.close();
    }
  });

  it('aborts the call and records the failure when the time is up', async () => {
    const model = await silentModel();
    const silent = await startInterviewWorker({ modelUrl: model.url });
    try {
      let isAsked = false;
      void model.asked.then(() => (isAsked = true));
      // On a slow machine, the deadline may pass before the model is called. The test then repeats with another
      // interview.
      const { id, failure } = await waitFor('a call in time', async () => {
        const id = await silent.insertUnbuilt();
        await silent.setDeadline(id, 13);
        const failure = await failureOf(run(id, silent));
        return isAsked && { id, failure };
      });
      await (
        await model.asked
      ).closed;
      expect(failure).toMatchObject({
        type: 'ModelUnavailable',
        message: 'the model did not respond in time',
      });
      expect(await outcomes(id, silent)).toEqual(['failed']);
    } finally {
      await silent.stop();
      model.close();
    }
  });
});
