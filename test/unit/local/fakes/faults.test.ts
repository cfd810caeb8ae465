import sendgridClient from '@sendgrid/client';
import mailer from '@sendgrid/mail';
import { z } from 'zod';
import { startFakes, type Fakes } from '../../../../local/fakes/server';
import { connect } from './fakes-client';

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

  it('do not include what a provider cannot do', async () => {
    for (const [fault, name] of [
      [{ provider: 'nobody', status: 500 }, 'provider'],
      [{ provider: 'openai' }, 'status'],
      [{ provider: 'openai', status: 99 }, 'status'],
      [{ provider: 'openai', status: 500, times: 0 }, 'times'],
      [{ provider: 'openai', statuss: 500 }, 'statuss'],
      [{ provider: 'board', refuse: true }, 'refuse'],
      [{ provider: 'openai', status: 500, accept: true }, 'accept'],
      [{ provider: 'openai', status: 500, headers: { 'a b': 'c' } }, 'headers'],
      [[], null],
    ]) {
      const answer = await client.call('POST', '/faults', fault);
      expect([answer.status, await answer.json()]).toEqual([422, { error: expect.any(String), name }]);
    }
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
});
