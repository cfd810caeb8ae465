import sendgridClient from '@sendgrid/client';
import mailer from '@sendgrid/mail';
import { APIConnectionError, APIError } from 'openai';
import { z } from 'zod';
import { startFakes, type Fakes } from '../../../local/fakes/server';
import { until, waitFor } from '../../harness/wait-for';
import { connect, fullBrief, prompt } from './fakes-client';

const mailList = z.array(
  z.strictObject({
    to: z.string(),
    from: z.string(),
    subject: z.string(),
    html: z.string().nullable(),
    text: z.string().nullable(),
    categories: z.array(z.string()),
    custom_args: z.record(z.string(), z.string()),
    at: z.iso.datetime(),
    from_name: z.string().nullable(),
    reply_to: z.string().nullable(),
    message_id: z.uuid(),
    attachments: z.array(z.unknown()),
  }),
);
const requestList = z.array(
  z.strictObject({
    method: z.string(),
    path: z.string(),
    headers: z.record(z.string(), z.unknown()),
    body: z.string(),
    at: z.iso.datetime(),
  }),
);
let fakes: Fakes;
let client: ReturnType<typeof connect>;

beforeAll(async () => {
  fakes = await startFakes({ port: 0 });
  client = connect(fakes.url);
  mailer.setClient(sendgridClient);
  mailer.setApiKey('SG.test');
  sendgridClient.setDefaultRequest('baseUrl', `${fakes.url}/sendgrid/`);
});
afterAll(() => fakes.close());
beforeEach(async () => {
  await client.call('DELETE', '/faults');
  await client.call('DELETE', '/records');
});

const fail = async (fault: object) => expect((await client.call('POST', '/faults', fault)).status).toBe(201);
const send = (changes: object = {}) =>
  mailer.send({ to: 'ann@example.com', from: 'jobs@acme.test', subject: 'Hello', text: 'Hi', ...changes });

describe('faults', () => {
  it('return a status in the form of the provider, with headers, as often as requested', async () => {
    await fail({ provider: 'openai', status: 429, times: 2, headers: { 'retry-after': '2' } });
    for (const _ of [1, 2]) {
      const error: unknown = await client.draftFor({}).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
      expect(error instanceof APIError && error.headers?.get('retry-after')).toBe('2');
    }
    await client.draftFor({});
    await fail({ provider: 'sendgrid', status: 503 });
    await expect(send()).rejects.toMatchObject({
      code: 503,
      response: { body: { errors: [{ field: null }] } },
    });
    await send();
    expect(await client.readJson(mailList, '/mailbox')).toHaveLength(1);
  });

  it('break the JSON inside an intact envelope of the model, and the body of the mail provider', async () => {
    await fail({ provider: 'openai', malformed: true });
    await fail({ provider: 'sendgrid', malformed: true });
    const completion = await client.ask(prompt(fullBrief));
    expect(() => z.unknown().parse(JSON.parse(completion.choices[0]?.message.content ?? ''))).toThrow(
      SyntaxError,
    );
    const answer = await client.call('POST', '/sendgrid/v3/mail/send', {});
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(() => z.unknown().parse(JSON.parse(text))).toThrow(SyntaxError);
  });

  it('refuse like the model', async () => {
    await fail({ provider: 'openai', refuse: true });
    const { choices } = await client.ask(prompt(fullBrief));
    expect(choices[0]?.message).toMatchObject({ content: null, refusal: expect.stringMatching(/./) });
  });

  it('close the connection without a response', async () => {
    await fail({ provider: 'openai', reset: true });
    await fail({ provider: 'sendgrid', reset: true });
    await expect(client.draftFor({})).rejects.toBeInstanceOf(APIConnectionError);
    await expect(send()).rejects.toMatchObject({ code: 'ECONNRESET' });
    await client.draftFor({});
  });

  it('return another number of questions', async () => {
    for (const count of [0, 3, 12]) {
      await fail({ provider: 'openai', question_count: count });
      expect((await client.draftFor({})).questions).toHaveLength(count);
      await fail({ provider: 'openai', question_count: count });
      expect((await client.draftFor({ given_questions: ['One?', 'Two?'] })).questions).toHaveLength(count);
    }
  });

  it('wait and then respond normally, and the client may disconnect before', async () => {
    await fail({ provider: 'openai', delay_ms: 20 });
    expect((await client.draftFor({})).questions).toHaveLength(5);
    await fail({ provider: 'openai', delay_ms: 60_000 });
    const given = client.openai.chat.completions.create(
      { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
      { timeout: 50 },
    );
    await expect(given).rejects.toBeInstanceOf(APIConnectionError);
  });

  it('are queued for each provider in order, listed and cleared', async () => {
    await fail({ provider: 'openai', status: 500 });
    await fail({ provider: 'sendgrid', status: 500, times: 3 });
    await fail({ provider: 'openai', status: 400 });
    await expect(send()).rejects.toMatchObject({ code: 500 });
    await expect(client.draftFor({})).rejects.toMatchObject({ status: 500 });
    expect(await client.readJson(z.array(z.unknown()), '/faults')).toEqual([
      { provider: 'sendgrid', status: 500, times: 2 },
      { provider: 'openai', status: 400, times: 1 },
    ]);
    await expect(client.draftFor({})).rejects.toMatchObject({ status: 400 });
    expect((await client.call('DELETE', '/faults')).status).toBe(204);
    await send();
  });

  it('release waiting requests when they are cleared, for the rest of the fault', async () => {
    await fail({ provider: 'openai', status: 503, delay_ms: 600_000, times: 2 });
    const held = client.draftFor({});
    held.catch(() => undefined);
    await waitFor(
      'the call',
      async () => (await client.readJson(z.array(z.unknown()), '/openai/requests')).length > 0,
    );
    expect((await client.call('DELETE', '/faults')).status).toBe(204);
    await expect(held).rejects.toMatchObject({ status: 503 });
  });

  it.each([
    [{ provider: 'nobody', status: 500 }, 'provider'],
    [{ status: 500 }, 'provider'],
    [{ provider: 'openai' }, 'status'],
    [{ provider: 'openai', status: 99 }, 'status'],
    [{ provider: 'openai', status: 500, times: 0 }, 'times'],
    [{ provider: 'openai', statuss: 500 }, 'statuss'],
    [{ provider: 'board', refuse: true }, 'refuse'],
    [{ provider: 'openai', status: 500, accept: true }, 'accept'],
    [{ provider: 'sendgrid', accept: true }, 'status'],
    [{ provider: 'openai', status: 500, headers: { 'a b': 'c' } }, 'headers'],
    [[], null],
  ])('do not include %j', async (fault, name) => {
    const answer = await client.call('POST', '/faults', fault);
    expect([answer.status, await answer.json()]).toEqual([422, { error: expect.any(String), name }]);
  });
});

describe('sendgrid', () => {
  it('stores one mail for each recipient of each personalization, oldest first', async () => {
    await mailer.send({
      personalizations: [
        {
          to: [{ email: 'a@example.com', name: 'A' }, { email: 'b@example.com' }],
          customArgs: { who: 'ab' },
        },
        { to: 'c@example.com', subject: 'Own' },
      ],
      from: { email: 'jobs@acme.test', name: 'Acme' },
      replyTo: 'ann@acme.test',
      subject: 'All',
      text: 'text',
      html: '<p>html</p>',
      categories: ['invitation'],
      customArgs: { batch: '1', who: 'all' },
    });
    const mails = await client.readJson(mailList, '/mailbox');
    expect(mails.map(({ to, subject, custom_args }) => [to, subject, custom_args])).toEqual([
      ['a@example.com', 'All', { batch: '1', who: 'ab' }],
      ['b@example.com', 'All', { batch: '1', who: 'ab' }],
      ['c@example.com', 'Own', { batch: '1', who: 'all' }],
    ]);
    expect(mails[0]).toMatchObject({
      from: 'jobs@acme.test',
      from_name: 'Acme',
      reply_to: 'ann@acme.test',
      text: 'text',
      html: '<p>html</p>',
      categories: ['invitation'],
    });
  });

  it('returns an empty 202 with a message id, and rejects a mail without a key or a subject', async () => {
    const [answer] = await send();
    expect(answer.statusCode).toBe(202);
    expect(answer.headers['x-message-id']).toMatch(/\S/);
    expect(answer.body).toBe('');
    expect((await client.call('POST', '/sendgrid/v3/mail/send', {})).status).toBe(401);
    await expect(send({ subject: '' })).rejects.toMatchObject({ code: 400 });
  });
});

describe('sink', () => {
  it('records any method and path with headers and raw body', async () => {
    const answer = await client.call('POST', '/sink/raw/deep/path?x=1', { a: 'ü' }, { 'x-signature': 's' });
    expect([answer.status, await answer.text()]).toEqual([200, 'ok']);
    await client.call('DELETE', '/sink/raw');
    const requests = await client.readJson(requestList, '/sink/raw/requests');
    expect(requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/sink/raw/deep/path?x=1', '{"a":"ü"}'],
      ['DELETE', '/sink/raw', ''],
    ]);
    expect(requests[0]?.headers).toMatchObject({ 'x-signature': 's' });
    expect(await client.readJson(requestList, '/sink/other/requests')).toEqual([]);
  });

  it('responds as requested, as often as requested, and then with 200 again', async () => {
    const told = { status: 410, delay_ms: 5, headers: { 'retry-after': '7' }, body: 'gone', times: 2 };
    expect((await client.call('PUT', '/sink/told/answer', told)).status).toBe(200);
    for (const _ of [1, 2]) {
      const answer = await client.call('POST', '/sink/told');
      expect([answer.status, await answer.text(), answer.headers.get('retry-after')]).toEqual([
        410,
        'gone',
        '7',
      ]);
    }
    expect((await client.call('POST', '/sink/told')).status).toBe(200);
    await client.call('PUT', '/sink/told/answer', { status: 204 });
    for (const _ of [1, 2, 3]) expect((await client.call('POST', '/sink/told')).status).toBe(204);
    const refused = await client.call('PUT', '/sink/told/answer', { status: 'x' });
    expect([refused.status, await refused.json()]).toMatchObject([422, { name: 'status' }]);
    expect((await client.call('PUT', '/sink/told/answer', { headers: { Trailer: 'x' } })).status).toBe(422);
    expect((await client.call('POST', '/sink/told/answer', {})).status).toBe(405);
  });
});

describe('the server', () => {
  it('counts on its first page what each list holds, and returns 404 elsewhere', async () => {
    await send();
    await client.call('POST', '/sink/a%3Cb');
    const counts = await client.readJson(z.record(z.string(), z.number()), '/');
    expect(counts).toMatchObject({
      '/mailbox': 1,
      '/openai/requests': 0,
      '/faults': 0,
      '/sink/a%3Cb/requests': 1,
    });
    expect((await client.call('GET', '/nothing')).status).toBe(404);
  });

  it('cuts delayed responses when it is closed', async () => {
    const other = await startFakes({ port: 0 });
    const { call } = connect(other.url);
    await call('POST', '/faults', { provider: 'sendgrid', delay_ms: 600_000 });
    await call('PUT', '/sink/slow/answer', { delay_ms: 600_000 });
    const cut = [call('POST', '/sendgrid/v3/mail/send', {}), call('POST', '/sink/slow', {})].map((sent) =>
      sent.then(
        () => 'answered',
        () => 'cut',
      ),
    );
    const textOf = async (path: string) => (await call('GET', path)).text();
    await until(
      'the slow request',
      () => textOf('/sink/slow/requests'),
      (text) => text !== '[]',
    );
    await until(
      'the fault to be used',
      () => textOf('/faults'),
      (text) => text === '[]',
    );
    await Promise.all([other.close(), other.close()]);
    expect(await Promise.all(cut)).toEqual(['cut', 'cut']);
  });
});
