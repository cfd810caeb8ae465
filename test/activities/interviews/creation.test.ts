import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApplicationFailure } from '@temporalio/activity';
import { interviewDraftPrompt } from '../../../activities/interviews/prompts';
import { createModel } from '../../../activities/providers/openai';
import { ProviderError } from '../../../activities/providers/provider-error';
import { openSigningKey } from '../../../db/interviews/embed-keys';
import { discardUnbuiltInterview } from '../../../db/interviews/interview-building';
import { rubric } from '../../harness/interviews/definitions';
import { startInterviewWorker } from '../../harness/interviews/interview-worker';
import type { InterviewWorker } from '../../harness/interviews/interview-worker';
import { parsedQuestion } from '../../harness/interviews/unbuilt-interview';
import { activityEnvironment } from '../../harness/platform/activity-environment';
import { meetAtInterview } from '../../harness/platform/row-lock';
import { waitFor } from '../../harness/wait-for';

describe('draft interview', () => {
  let workflow: InterviewWorker;
  beforeAll(async () => {
    workflow = await startInterviewWorker();
  });
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
  const outcomes = async (id: string, of = workflow) =>
    (await of.modelCalls(id)).map(({ outcome }) => outcome);

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
          prompt_version: interviewDraftPrompt.version,
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

    it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
      ['500', { status: 500 }, { nonRetryable: false, nextRetryDelay: undefined }],
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
      ['401', { status: 401 }, { nonRetryable: true, message: 'the model responded with 401' }],
      [
        'a closed connection',
        { reset: true },
        { nonRetryable: false, message: 'the model cannot be reached' },
      ],
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
      const requests = (await workflow.fake('/openai/requests')) as {
        messages: { role: string; content: string }[];
      }[];
      const messages = requests.at(-1)?.messages ?? [];
      expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
      expect(messages[3]?.content).toBe(interviewDraftPrompt.repair(sentence));
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
        expect(
          JSON.stringify([failure.message, failure.stack, failure.details, failure.cause]),
        ).not.toContain('Quetzal');
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
        model.close();
      }
    });
  });
});

describe('lying model', () => {
  type Reply = { status?: number; headers?: IncomingHttpHeaders; body: string };

  /** The next responses of the model, in order. The last one is repeated. */
  let replies: Reply[] = [];
  const asked: { messages: { role: string; content: string }[] }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push(JSON.parse(Buffer.concat(chunks).toString()) as (typeof asked)[number]);
      const [reply = { body: '' }] = replies.length > 1 ? replies.splice(0, 1) : replies;
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
      response.end(reply.body);
    });
  });
  let baseUrl: string;
  let workflow: InterviewWorker;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    workflow = await startInterviewWorker({ modelUrl: baseUrl });
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => void asked.splice(0));

  const complete = (...given: Reply[]) => {
    replies = given;
    return createModel({ apiKey: 'test', baseUrl, model: 'configured' }).complete({
      name: 'draft',
      schema: {},
      messages: [{ role: 'user', content: 'Write' }],
      timeoutMs: 60_000,
      signal: new AbortController().signal,
    });
  };
  const json = (body: unknown): Reply => ({ body: JSON.stringify(body) });
  const said = (message: unknown, more: Record<string, unknown> = {}): Reply =>
    json({ model: 'gpt', choices: [{ message, finish_reason: 'stop' }], ...more });

  const draft = JSON.stringify({
    description: 'Two sentences. For you.',
    description_long: '## Purpose',
    seniority_level: 'senior',
    candidate_expectations: rubric,
    questions: ['One?', 'Two?'].map((question) => ({ question, candidate_expectations: rubric })),
  });
  /** Runs the activity with these responses of the model, and returns the failure with which the activity ended. */
  async function draftBy(...given: Reply[]) {
    replies = given;
    const id = await workflow.insertUnbuilt();
    const failure = await activityEnvironment()
      .run(workflow.activities.draftInterview, { interview_id: id })
      .then(
        () => undefined,
        (error: unknown) => error as ApplicationFailure,
      );
    const calls = await workflow.modelCalls(id);
    return { failure, calls, outcomes: calls.map(({ outcome }) => outcome), row: await workflow.find(id) };
  }

  const noCompletion: [string, Reply][] = [
    ['null', json(null)],
    ['nothing', { body: '' }],
    ['nothing, status 204', { status: 204, body: '' }],
    ['HTML', { headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' }],
    ['HTML as JSON', { body: '<h1>Welcome</h1>' }],
    ['a text', json('hello')],
    ['no choices', json({})],
    ['choices that are no list', json({ choices: { 0: 1 } })],
    ['an empty list of choices', json({ choices: [] })],
    ['a choice that is null', json({ choices: [null] })],
    ['a choice without message', json({ choices: [{}] })],
    ['a message without content', said({})],
    ['content null', said({ content: null })],
    ['content that is a number', said({ content: 5 })],
    ['an error', json({ error: { message: 'no' } })],
  ];

  describe('the model client, for a response with status 200', () => {
    it.each(noCompletion)('reports %s as an answer without content', async (_what, reply) => {
      expect(await complete(reply)).toMatchObject({ content: '' });
    });

    const parts = [
      { type: 'text', text: 'one ' },
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'two' },
    ];
    it.each<[string, Reply, string | null]>([
      ['text', said({ content: 'one' }), 'one'],
      ['parts of a text', said({ content: parts }), 'one two'],
      ['a refusal', said({ content: null, refusal: 'no' }), null],
      ['a refusal as a part', said({ content: [{ type: 'refusal', refusal: 'no' }] }), null],
      ['a cut-off text', json({ choices: [{ finish_reason: 'length', message: { content: 'o' } }] }), 'o'],
      ['a filtered answer without message', json({ choices: [{ finish_reason: 'content_filter' }] }), null],
    ])('reads the content of %s', async (_what, reply, content) => {
      expect(await complete(reply)).toMatchObject({ content });
    });

    it.each([1e12, 1.5, -1, 'many', null, undefined])('records no tokens for %p', async (count) => {
      const answer = await complete(
        said({ content: 'one' }, { usage: { prompt_tokens: count, completion_tokens: 7 } }),
      );
      expect(answer).toMatchObject({ content: 'one', promptTokens: null, completionTokens: 7 });
    });

    it.each([
      ['gpt', 'gpt'],
      ['n'.repeat(200), 'n'.repeat(200)],
      ['n'.repeat(201), 'configured'],
      ['', 'configured'],
      ['g\0pt', 'configured'],
      ['g\ud800', 'configured'],
      [5, 'configured'],
    ])('records the name %p as %p', async (given, name) => {
      expect((await complete(said({ content: 'one' }, { model: given }))).model).toBe(name);
    });
  });

  describe('the model client, for a 429 with Retry-After', () => {
    const wait = async (headers: IncomingHttpHeaders) => {
      const error = await complete({ status: 429, headers, body: '{}' }).catch((reason: unknown) => reason);
      if (error instanceof ProviderError) return error.retryAfterMs;
      throw error;
    };

    it.each<[string, number | undefined]>([
      ['0', 0],
      ['2', 2_000],
      ['0.0001', 1],
      ['1e9', 1e12],
      ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
      ['Sun Nov  6 08:49:37 1994', 0],
      ['-5', undefined],
      ['soon', undefined],
      ['5 s', undefined],
      ['2099-01-01', undefined],
      ['Sunday', undefined],
    ])('reads %j as %p ms', async (value, expected) => {
      expect(await wait({ 'retry-after': value })).toBe(expected);
    });

    it('uses Retry-After when Retry-After-Ms is invalid', async () => {
      expect(await wait({ 'retry-after-ms': '-5', 'retry-after': '2' })).toBe(2_000);
    });

    it('lets draftInterview retry after the wait of its policy for 0', async () => {
      const limited = { status: 429, headers: { 'retry-after': '0' }, body: '{}' };
      const { failure, outcomes } = await draftBy(limited);
      expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
      expect(failure?.nextRetryDelay).toBeUndefined();
      expect(outcomes).toEqual(['failed']);
    });
  });

  describe('draftInterview with a model that returns unusable answers', () => {
    it('asks again after an answer without content, and stores the draft that follows', async () => {
      const { failure, outcomes, row } = await draftBy(said({ content: null }), said({ content: draft }));
      expect(failure).toBeUndefined();
      expect(outcomes).toEqual(['rejected', 'accepted']);
      expect(row?.['draft']).toEqual(JSON.parse(draft));
      expect(asked[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
    });

    it.each(['\\u0000', '\\ud800'])(
      'fails with ModelAnswerUnusable when the text contains %s twice',
      async (escape) => {
        const torn = said({ content: draft.replace('One?', `One${escape}?`) });
        const { failure, outcomes, row } = await draftBy(torn);
        expect(failure).toMatchObject({ type: 'ModelAnswerUnusable', nonRetryable: true });
        expect(outcomes).toEqual(['rejected', 'rejected']);
        expect(row).toMatchObject({ draft: null });
      },
    );

    it('stores the draft although its call cannot be recorded', async () => {
      await workflow.database.rows('revoke insert on model_call from app_worker');
      try {
        const { failure, outcomes, row } = await draftBy(said({ content: draft }));
        expect(failure).toBeUndefined();
        expect(outcomes).toEqual([]);
        expect(row?.['draft']).toEqual(JSON.parse(draft));
      } finally {
        await workflow.database.rows('grant insert on model_call to app_worker');
      }
    });
  });
});

describe('store interview', () => {
  let workflow: InterviewWorker;
  beforeAll(async () => {
    workflow = await startInterviewWorker();
  });

  const draft = (interview_id: string) =>
    activityEnvironment().run(workflow.activities.draftInterview, { interview_id });
  const store = (interview_id: string) =>
    activityEnvironment().run(workflow.activities.storeInterview, { interview_id });
  const discard = async (id: string) => {
    const [row] = await workflow.api.write(workflow.caller, (trx) =>
      trx.rows<{ discarded: boolean }>(discardUnbuiltInterview(id)),
    );
    return row?.discarded;
  };
  /** Inserts an unbuilt interview and drafts its texts, so that the next step is to store it. */
  const drafted = async (
    more: Parameters<InterviewWorker['insertUnbuilt']>[0] = {},
    row: Record<string, unknown> = {},
  ) => {
    const id = await workflow.insertUnbuilt(
      { include_closing_prompt: true, is_embedded: true, ...more },
      row,
    );
    await draft(id);
    // Forty runs in sequence may take longer than the deadline of an interview.
    await workflow.setDeadline(id, 3_600);
    return id;
  };
  const benign = { type: 'InterviewGone', nonRetryable: true, category: 'BENIGN' };

  describe('storeInterview', () => {
    it('stores definition, steps and sealed key of a draft and removes the traces of building', async () => {
      const id = await drafted({}, { name: 'Senior développeur', visibility: 'public' });
      await store(id);
      const row = await workflow.find(id);
      expect(row).toMatchObject({
        built: true,
        steps: 5,
        keys: 1,
        build_input: null,
        draft: null,
        questions_generated: 2,
        description: expect.stringMatching(/\S/),
        interview_description_long: expect.stringMatching(/\S/),
        candidate_expectations_json: expect.any(Object),
        creation_parameters: { seniority_level: 'senior' },
        slug: `senior-developpeur-${id.slice(-12)}`,
      });
      const [key] = await workflow.database.rows<{ id: string; signing_key_sealed: Buffer }>(
        'select * from embed_key where interview_id = $1',
        [id],
      );
      expect(
        openSigningKey(workflow.seal, key?.id ?? '', key?.signing_key_sealed ?? Buffer.alloc(0)),
      ).toMatch(/^esk_/);
      const compiled = row?.['calc_definition_json'] as { steps: { id: string }[] };
      const linked = await workflow.database.rows<{ question_id: string }>(
        'select question_id from interview_question where interview_id = $1 order by step_order',
        [id],
      );
      expect(compiled.steps.map((step) => step.id)).toEqual(linked.map((link) => link.question_id));
    });

    it('stores an interview once when it runs twice, also at the same time', async () => {
      const id = await drafted();
      const again = () => store(id);
      await meetAtInterview(workflow.database, id, [again, again, again]);
      const first = await workflow.find(id);
      const records = await workflow.questionRecords();
      await store(id);
      expect(first).toMatchObject({ built: true, steps: 5, keys: 1 });
      expect(await workflow.find(id)).toEqual(first);
      expect(await workflow.questionRecords()).toBe(records);
    });

    it.each(['coaching', 'persona', 'public_avatar', 'persona_interview'])(
      'does not store the long description that the model wrote for the type %s',
      async (type) => {
        const id = await drafted({}, { type });
        const written = (await workflow.find(id))?.['draft'] as { description_long: string };
        expect(written.description_long).not.toBe('');
        await store(id);
        expect(await workflow.find(id)).toMatchObject({ built: true, interview_description_long: null });
      },
    );

    it('fails with InterviewGone after the deadline and commits nothing', async () => {
      const id = await drafted();
      await workflow.setDeadline(id, -0.001);
      const [before, records] = [await workflow.find(id), await workflow.questionRecords()];
      await expect(store(id)).rejects.toMatchObject(benign);
      expect(await workflow.find(id)).toEqual(before);
      expect(before).toMatchObject({ built: false, steps: 0, keys: 0 });
      expect(await workflow.questionRecords()).toBe(records);
    });

    it('fails with InterviewGone for an unknown id', async () => {
      await expect(store('00000000-0000-4000-8000-00000000dead')).rejects.toMatchObject(benign);
    });

    it('fails with ModelAnswerUnusable without a draft and commits nothing', async () => {
      const id = await workflow.insertUnbuilt();
      const failure = await store(id).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ApplicationFailure);
      expect(failure).toMatchObject({ type: 'ModelAnswerUnusable', nonRetryable: true });
      expect(await workflow.find(id)).toMatchObject({ built: false, steps: 0 });
    });

    it('commits nothing when a question record cannot be written', async () => {
      const id = await drafted({
        questions: [
          parsedQuestion('00000000-0000-4000-8000-00000000bbbb', 'One?'),
          parsedQuestion('00000000-0000-4000-8000-00000000bbbb', 'The same id'),
        ],
      });
      const records = await workflow.questionRecords();
      await expect(store(id)).rejects.toThrow(/duplicate key/);
      expect(await workflow.find(id)).toMatchObject({ built: false, steps: 0, keys: 0 });
      expect(await workflow.questionRecords()).toBe(records);
    });
  });

  describe('storeInterview and a request that gives up', () => {
    it('finds nothing to store when the request removed the row first', async () => {
      const id = await drafted();
      expect(await discard(id)).toBe(true);
      await expect(store(id)).rejects.toMatchObject(benign);
      await expect(draft(id)).rejects.toMatchObject(benign);
      expect(await workflow.find(id)).toBeUndefined();
    });

    it('stores an interview that the request then finds built and leaves alone', async () => {
      const id = await drafted();
      await store(id);
      expect(await discard(id)).toBe(false);
      expect(await workflow.find(id)).toMatchObject({ built: true, steps: 5, keys: 1 });
    });

    it('makes the request wait for the row and report the interview as built', async () => {
      const id = await drafted();
      // `discard` waits for the row that this transaction locks. The transaction returns the promise of `discard` in a
      // list: otherwise it would wait for the promise and never end.
      const [discarded] = await workflow.worker.writeAsWorker(async (trx) => {
        await trx.rows({ text: 'select id from interview where id = $1 for update', values: [id] });
        const waiting = discard(id);
        await waitFor('the request to wait for the row', async () => {
          const locks = await workflow.database.rows(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return locks.length > 0;
        });
        await trx.count({ text: 'update interview set built_at = now() where id = $1', values: [id] });
        return [waiting];
      });
      expect(await discarded).toBe(false);
      expect(await workflow.find(id)).toMatchObject({ built: true });
    });
  });
});
