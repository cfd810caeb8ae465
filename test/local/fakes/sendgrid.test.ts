import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import sendgridClient from '@sendgrid/client';
import mailer from '@sendgrid/mail';
import { z } from 'zod';
import { readSigningKey } from '../../../local/fakes/sendgrid-events';
import { startFakes } from '../../../local/fakes/server';
import type { Fakes } from '../../../local/fakes/server';
import { createEventKeys } from '../../../local/secrets';
import { waitFor } from '../../harness/wait-for';
import { connect } from './fakes-client';

const keys = createEventKeys();
const eventList = z.array(
  z.looseObject({
    email: z.string(),
    event: z.string(),
    timestamp: z.int(),
    sg_event_id: z.uuid(),
    sg_message_id: z.string(),
    category: z.array(z.string()),
  }),
);
type Received = { headers: IncomingHttpHeaders; body: Buffer };
let received: Received[] = [];
let answers: number[] = [];
let receiver: Server;
let fakes: Fakes;
let client: ReturnType<typeof connect>;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(answers.shift() ?? 200).end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = receiver.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const mailEvents = {
    url: `http://127.0.0.1:${port}/hooks/sendgrid`,
    signingKey: readSigningKey(keys.event_signing_key),
  };
  fakes = await startFakes({ port: 0, mailEvents });
  client = connect(fakes.url);
  mailer.setClient(sendgridClient);
  mailer.setApiKey('SG.test');
  sendgridClient.setDefaultRequest('baseUrl', `${fakes.url}/sendgrid/`);
});
afterAll(async () => {
  await fakes.close();
  receiver.close();
  receiver.closeAllConnections();
});
beforeEach(async () => {
  await client.call('DELETE', '/faults');
  await client.call('DELETE', '/records');
  received = [];
  answers = [];
});

const send = (changes: object = {}) =>
  mailer.send({ to: 'ann@example.com', from: 'jobs@acme.test', subject: 'Hello', text: 'Hi', ...changes });
const mailbox = () =>
  client.readJson(z.array(z.object({ to: z.string(), message_id: z.string() })), '/mailbox');
const eventsIn = ({ body }: Received) => eventList.parse(JSON.parse(body.toString()));
const waitForEvents = (count: number) =>
  waitFor(`${count} events`, async () => {
    const events = received.flatMap(eventsIn);
    return events.length >= count && events;
  });

describe('a mail that SendGrid would reject', () => {
  it.each([
    ['rejected@example.com'],
    ['Rejected.twice@example.com'],
    ['ann@b@example.com'],
    ['ann'],
    ['@example.com'],
    ['ann@'],
    ['ann@localhost'],
    ['ann lee@example.com'],
    ['ann@exämple.com'],
    ['ann@example..com'],
    [`${'a'.repeat(65)}@example.com`],
  ])('to %s gets a 400 at the address and is not stored', async (email) => {
    await expect(send({ to: { email } })).rejects.toMatchObject({
      code: 400,
      response: {
        body: {
          errors: [{ message: 'Does not contain a valid address.', field: 'personalizations.0.to.0.email' }],
        },
      },
    });
    expect(await mailbox()).toEqual([]);
  });

  it.each([
    [
      'a name with a comma',
      { to: { email: 'a@example.com', name: 'Doe, Jane' } },
      'personalizations.0.to.0.name',
    ],
    ['a recipient twice', { to: ['a@example.com', 'A@example.com'] }, 'personalizations.0'],
    ['a sender without a domain', { from: 'jobs' }, 'from.email'],
    ['a category twice', { categories: ['a', 'a'] }, 'categories'],
    ['custom arguments that are too long', { customArgs: { a: 'x'.repeat(10_001) } }, 'custom_args'],
    ['HTML before text', { text: undefined, content: contentOf('text/html', 'text/plain') }, 'content'],
  ])('with %s gets a 400', async (_what, changes, field) => {
    await expect(send(changes)).rejects.toMatchObject({
      code: 400,
      response: { body: { errors: [{ field }] } },
    });
  });
});

function contentOf(...types: string[]) {
  return types.map((type) => ({ type, value: 'Hi' }));
}

describe('a fault after the mail was accepted', () => {
  it.each([
    ['a closed connection', { reset: true }, { code: 'ECONNRESET' }],
    ['an error', { status: 500 }, { code: 500 }],
    ['an error after a while', { status: 500, delay_ms: 10 }, { code: 500 }],
  ])('stores the mail once: %s', async (_what, fault, error) => {
    await client.call('POST', '/faults', { provider: 'sendgrid', accept: true, ...fault });
    await expect(send()).rejects.toMatchObject(error);
    expect(await mailbox()).toHaveLength(1);
    expect((await waitForEvents(2)).map(({ event }) => event)).toEqual(['processed', 'delivered']);
  });

  it('stores the mail although the caller disconnects during a delay', async () => {
    await client.call('POST', '/faults', { provider: 'sendgrid', accept: true, delay_ms: 60_000 });
    const hangUp = new AbortController();
    const sent = fetch(`${fakes.url}/sendgrid/v3/mail/send`, {
      method: 'POST',
      headers: { authorization: 'Bearer SG.test' },
      body: JSON.stringify({
        personalizations: [{ to: [{ email: 'ann@example.com' }] }],
        from: { email: 'jobs@acme.test' },
        subject: 'Hello',
        content: contentOf('text/plain'),
      }),
      signal: hangUp.signal,
    });
    await waitForEvents(2);
    hangUp.abort();
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    expect(await mailbox()).toHaveLength(1);
  });

  it('does not accept a mail that is rejected anyway', async () => {
    await client.call('POST', '/faults', { provider: 'sendgrid', accept: true, status: 500 });
    await expect(send({ to: 'rejected@example.com' })).rejects.toMatchObject({ code: 500 });
    expect(await mailbox()).toEqual([]);
  });
});

describe('events', () => {
  it('report the outcome of each mail with our ids, signed over timestamp and body', async () => {
    const [answer] = await send({
      categories: ['invitation'],
      customArgs: { mail_id: 'm1', batch_id: 'b1' },
    });
    const events = await waitForEvents(2);
    const shared = {
      email: 'ann@example.com',
      mail_id: 'm1',
      batch_id: 'b1',
      category: ['invitation'],
      sg_message_id: expect.stringContaining(String(answer.headers['x-message-id'])),
    };
    expect(events).toMatchObject([
      { ...shared, event: 'processed' },
      { ...shared, event: 'delivered' },
    ]);
    const key = createPublicKey({ key: Buffer.from(keys.event_key, 'base64'), format: 'der', type: 'spki' });
    for (const { headers, body } of received) {
      const timestamp = String(headers['x-twilio-email-event-webhook-timestamp']);
      const signature = String(headers['x-twilio-email-event-webhook-signature']);
      const signed = Buffer.concat([Buffer.from(timestamp), body]);
      expect(verify('sha256', signed, key, Buffer.from(signature, 'base64'))).toBe(true);
    }
  });

  it('come in batches', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, index) => send({ to: `a${index}@example.com` })));
    const events = await waitForEvents(100);
    expect(new Set(events.map(({ sg_event_id }) => sg_event_id)).size).toBe(100);
    expect(received.length).toBeLessThan(50);
  });

  it('report a bounce with a reason', async () => {
    await send({ to: 'bounce.me@example.com' });
    expect(await waitForEvents(2)).toMatchObject([
      { event: 'processed' },
      { event: 'bounce', type: 'bounce', reason: expect.stringContaining('<bounce.me@example.com>') },
    ]);
    expect(await mailbox()).toHaveLength(1);
  });

  it('report a mail that was opened', async () => {
    await send({ customArgs: { mail_id: 'm2' } });
    await waitForEvents(2);
    expect((await client.call('POST', '/mailbox/open', { mail_id: 'm2' })).status).toBe(202);
    expect((await waitForEvents(3)).at(-1)).toMatchObject({ event: 'open', mail_id: 'm2' });
    expect((await client.call('POST', '/mailbox/open', { mail_id: 'm3' })).status).toBe(404);
    expect((await client.call('POST', '/mailbox/open', {})).status).toBe(422);
  });

  it('are sent again until they are accepted', async () => {
    answers = [503, 401];
    await send();
    await waitForEvents(6);
    const [first, ...more] = received.map(({ body }) => body.toString());
    expect(more).toEqual([first, first]);
  });
});
