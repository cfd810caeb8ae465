import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import sendgridClient from '@sendgrid/client';
import mailer from '@sendgrid/mail';
import { z } from 'zod';
import { readSigningKey } from '../../../../local/fakes/sendgrid-events';
import { startFakes } from '../../../../local/fakes/server';
import type { Fakes } from '../../../../local/fakes/server';
import { createEventKeys } from '../../../../local/secrets';
import { waitFor } from '../../../harness/wait-for';
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
  it('gets a 400 at the address and is not stored', async () => {
    for (const email of [
      'rejected@example.com',
      'ann@b@example.com',
      'ann',
      'ann@localhost',
      'ann lee@example.com',
      'ann@exämple.com',
      'ann@example..com',
      `${'a'.repeat(65)}@example.com`,
    ]) {
      const errors = [
        { message: 'Does not contain a valid address.', field: 'personalizations.0.to.0.email' },
      ];
      await expect(send({ to: { email } })).rejects.toMatchObject({
        code: 400,
        response: { body: { errors } },
      });
    }
    expect(await mailbox()).toEqual([]);
  });

  it('gets a 400 with the wrong field', async () => {
    for (const [changes, field] of [
      [{ to: { email: 'a@example.com', name: 'Doe, Jane' } }, 'personalizations.0.to.0.name'],
      [{ to: ['a@example.com', 'A@example.com'] }, 'personalizations.0'],
      [{ from: 'jobs' }, 'from.email'],
      [{ categories: ['a', 'a'] }, 'categories'],
      [{ customArgs: { a: 'x'.repeat(10_001) } }, 'custom_args'],
      [{ text: undefined, content: contentOf('text/html', 'text/plain') }, 'content'],
    ] as const)
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
  it('stores the mail once', async () => {
    await client.call('POST', '/faults', { provider: 'sendgrid', accept: true, reset: true });
    await expect(send()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await mailbox()).toHaveLength(1);
    expect((await waitForEvents(2)).map(({ event }) => event)).toEqual(['processed', 'delivered']);
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
