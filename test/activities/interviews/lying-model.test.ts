import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApplicationFailure } from '@temporalio/activity';
import { createModel } from '../../../activities/providers/openai';
import { ProviderError } from '../../../activities/providers/provider-error';
import { rubric } from '../../harness/interviews/definitions';
import { activityEnvironment, startInterviewWorker } from '../../harness/interviews/interview-worker';
import type { InterviewWorker } from '../../harness/interviews/interview-worker';

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
  await workflow.stop();
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

  it.each(['0', 'soon'])('lets draftInterview retry after the wait of its policy for %j', async (value) => {
    const limited = { status: 429, headers: { 'retry-after': value }, body: '{}' };
    const { failure, outcomes } = await draftBy(limited);
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    expect(failure?.nextRetryDelay).toBeUndefined();
    expect(outcomes).toEqual(['failed']);
  });

  it.each(['1e9', '9'.repeat(400)])('makes draftInterview fail for good for %j', async (value) => {
    const limited = { status: 429, headers: { 'retry-after': value }, body: '{}' };
    expect((await draftBy(limited)).failure).toMatchObject({
      type: 'ModelUnavailable',
      nonRetryable: true,
    });
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

  it('fails with ModelAnswerUnusable after two calls without content', async () => {
    const { failure, outcomes } = await draftBy({ body: '' });
    expect(failure).toMatchObject({ type: 'ModelAnswerUnusable', nonRetryable: true });
    expect(outcomes).toEqual(['rejected', 'rejected']);
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

  it('records the call of a draft without invalid token counts and without an invalid model name', async () => {
    const usage = { prompt_tokens: 1e12, completion_tokens: 1.5 };
    const { failure, calls } = await draftBy(said({ content: draft }, { model: 'g\0', usage }));
    expect(failure).toBeUndefined();
    expect(calls).toMatchObject([
      { outcome: 'accepted', model: 'gpt-4.1-mini', prompt_tokens: null, completion_tokens: null },
    ]);
  });

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
