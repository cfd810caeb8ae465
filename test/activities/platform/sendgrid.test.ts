import { z } from 'zod';
import type { OutgoingMail } from '../../../activities/providers/outgoing-mail';
import { ProviderError } from '../../../activities/providers/provider-error';
import { createMailer } from '../../../activities/providers/sendgrid';
import { startFakes } from '../../../local/fakes/server';
import type { Fakes } from '../../../local/fakes/server';
import { startReceiver } from '../../harness/webhooks/hook-sink';
import type { Answer, Receiver } from '../../harness/webhooks/hook-sink';

const mail: OutgoingMail = {
  mail_id: '0198a000-0000-7000-8000-000000000001',
  kind: 'candidate_invitation',
  to: { email: 'ann.secret@example.com', name: 'Ann Lee' },
  from_name: 'Acme',
  reply_to: 'jobs@acme.test',
  subject: 'Your interview',
  html: '<p>secret link</p>',
  text: 'secret link',
  custom_args: { batch_id: 'b1' },
  categories: ['production'],
};
const mailList = z.array(z.looseObject({ to: z.string(), from_name: z.string().nullable() }));

let fakes: Fakes;
beforeAll(async () => {
  fakes = await startFakes({ port: 0 });
});
afterAll(() => fakes.close());
beforeEach(async () => {
  await fetch(`${fakes.url}/faults`, { method: 'DELETE' });
  await fetch(`${fakes.url}/records`, { method: 'DELETE' });
});

const mailerAt = (baseUrl: string, changes: { timeoutMs?: number; mailsPerSecond?: number } = {}) =>
  createMailer({
    apiKey: 'key-secret',
    baseUrl,
    fromAddress: 'no-reply@acme.test',
    mailsPerSecond: 500,
    ...changes,
  });
const never = new AbortController().signal;
const send = (changes: Partial<OutgoingMail> = {}, timeoutMs = 60_000) =>
  mailerAt(`${fakes.url}/sendgrid`, { timeoutMs }).send({ ...mail, ...changes }, never);
const mailbox = async () => mailList.parse(await (await fetch(`${fakes.url}/mailbox`)).json());
const fail = async (fault: object) => {
  const body = JSON.stringify({ provider: 'sendgrid', ...fault });
  expect((await fetch(`${fakes.url}/faults`, { method: 'POST', body })).status).toBe(201);
};
/**
 * Returns the error with which sending fails, and checks that the error contains nothing of the mail or the API key.
 */
async function failureOf(sending: Promise<unknown>): Promise<unknown> {
  const error: unknown = await sending.then(
    () => 'sent',
    (thrown: unknown) => thrown,
  );
  const told = error instanceof Error ? [error.message, error.stack, JSON.stringify(error), error.cause] : [];
  expect(told.join(' ')).not.toMatch(/secret/);
  return error;
}

const receivers: Receiver[] = [];
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));
const startServer = async (answer: Answer) => {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return Object.assign(receiver, { answer });
};
const accept: Answer = (_, response) => void response.writeHead(202).end();

describe('a mail', () => {
  it('arrives complete, with our ids', async () => {
    const { message_id: messageId } = await send();
    expect(await mailbox()).toEqual([
      {
        to: 'ann.secret@example.com',
        from: 'no-reply@acme.test',
        from_name: 'Acme',
        reply_to: 'jobs@acme.test',
        subject: 'Your interview',
        html: '<p>secret link</p>',
        text: 'secret link',
        attachments: [],
        categories: ['candidate_invitation', 'production'],
        custom_args: { batch_id: 'b1', mail_id: mail.mail_id },
        message_id: messageId,
        at: expect.any(String),
      },
    ]);
  });

  it('has no reply-to address when there is none', async () => {
    await send({ reply_to: null });
    expect(await mailbox()).toMatchObject([{ reply_to: null }]);
  });

  it('asks for open tracking and keeps links as they are', async () => {
    const server = await startServer(accept);
    await mailerAt(`${server.url}/base/`).send(mail, never);
    const [request] = server.received;
    expect(request).toMatchObject({
      headers: { authorization: 'Bearer key-secret' },
      path: '/base/v3/mail/send',
    });
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      tracking_settings: {
        click_tracking: { enable: false, enable_text: false },
        open_tracking: { enable: true },
      },
      personalizations: [{ to: [{ email: 'ann.secret@example.com', name: 'Ann Lee' }] }],
    });
  });

  it.each([
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@例え.テスト', 'ann@xn--r8jz45g.xn--zckzah'],
    ['o’neil+tag@Example.COM', 'o’neil+tag@Example.COM'],
  ])('goes to %s at %s', async (email, expected) => {
    await send({ to: { email, name: 'Ann' }, reply_to: email });
    expect(await mailbox()).toMatchObject([{ to: expected, reply_to: expected }]);
  });

  it.each([
    ['Robert "Bob" O’Neil', 'Robert "Bob" O’Neil'],
    ['Acme, Inc.; Berlin', 'Acme Inc. Berlin'],
    ['李小龍', '李小龍'],
    ['\u0645\u0631\u064A\u0645', '\u0645\u0631\u064A\u0645'],
    ['Ann\r\nBcc: eve@example.com', 'Ann Bcc: eve@example.com'],
    ['Bank <bank@example.com>', 'Bank bank@example.com'],
    ['\u202Egnab\u0000', 'gnab'],
    [' \n ', null],
    ['', null],
  ])('shows the sender and recipient name %j as %j', async (name, expected) => {
    await send({ to: { email: 'ann@example.com', name }, from_name: name });
    expect(await mailbox()).toMatchObject([{ to: 'ann@example.com', from_name: expected }]);
  });

  it('has a subject of one line', async () => {
    await send({ subject: 'Interview\r\nBcc: eve@example.com\u2028now' });
    expect(await mailbox()).toMatchObject([{ subject: 'Interview Bcc: eve@example.com now' }]);
  });
});

describe('a mail that the provider rejects', () => {
  it.each([
    ['rejected.secret@example.com'],
    ['ann.secret@b@example.com'],
    ['ann.secret'],
    [''],
    ['secret@b＠d.exämple'],
  ])('fails for its address: %j', async (email) => {
    const error = await failureOf(send({ to: { email, name: 'secret' } }));
    expect(error).toMatchObject({
      kind: 'rejected',
      message: 'the mail provider rejected the address',
    });
  });

  it.each([
    [{ status: 400 }, 'the mail provider rejected the mail'],
    [{ status: 400, malformed: true }, 'the mail provider rejected the mail'],
    [{ status: 413 }, 'the mail is too large for the mail provider'],
  ])('fails for good with %j', async (fault, message) => {
    await fail(fault);
    const error = await failureOf(send());
    expect(error).toMatchObject({ kind: 'rejected', message });
  });
});

describe('a provider that fails', () => {
  it.each([
    [{ status: 401 }, 'the mail provider responded with 401'],
    [{ status: 403 }, 'the mail provider responded with 403'],
    [{ status: 404 }, 'the mail provider responded with 404'],
    [{ status: 429 }, 'the mail provider responded with 429'],
    [{ status: 500 }, 'the mail provider responded with 500'],
    [{ status: 503, malformed: true }, 'the mail provider responded with 503'],
    [{ malformed: true }, 'the mail provider responded with 200'],
    [{ reset: true }, 'the mail provider cannot be reached'],
  ])('fails the mail with a temporary error after one request: %j', async (fault, message) => {
    await fail(fault);
    const error = await failureOf(send());
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ message, retryAfterMs: undefined });
    expect(await mailbox()).toEqual([]);
  });

  it('counts as having accepted the mail with a 202, whatever the body', async () => {
    await fail({ status: 202, malformed: true, accept: true });
    expect(await send()).toEqual({ message_id: null });
  });

  it('fails the mail with a temporary error also after it accepted the mail', async () => {
    await fail({ reset: true, accept: true });
    expect(await failureOf(send())).toBeInstanceOf(ProviderError);
    expect(await mailbox()).toHaveLength(1);
  });

  const inAnHour = () => Date.now() + 3_600_000;
  const resetInAnHour = () => ({ 'X-RateLimit-Reset': String(Math.ceil(inAnHour() / 1_000)) });
  it.each<[number, string, () => Record<string, string>, number, number]>([
    [429, 'seconds', () => ({ 'Retry-After': '7' }), 7_000, 7_000],
    [503, 'seconds', () => ({ 'Retry-After': '3' }), 3_000, 3_000],
    [429, 'a date', () => ({ 'Retry-After': new Date(inAnHour()).toUTCString() }), 3_000_000, 3_600_000],
    [429, 'the time of a reset', resetInAnHour, 3_000_000, 3_601_000],
    [429, 'both', () => ({ 'Retry-After': '2', 'X-RateLimit-Reset': '9999999999' }), 2_000, 2_000],
    [429, 'a reset that is over', () => ({ 'X-RateLimit-Reset': '1' }), 0, 0],
  ])('reports how long to wait for a %i with %s', async (status, _what, headers, least, most) => {
    await fail({ status, headers: headers() });
    const error = await failureOf(send());
    const waitMs = error instanceof ProviderError ? error.retryAfterMs : undefined;
    expect(waitMs).toBeGreaterThanOrEqual(least);
    expect(waitMs).toBeLessThanOrEqual(most);
  });

  it.each([
    [429, { 'X-RateLimit-Reset': 'soon', 'Retry-After': 'later' }],
    [500, { 'X-RateLimit-Reset': '9999999999' }],
  ])('reports no wait for a %i with %j', async (status, headers) => {
    await fail({ status, headers });
    expect(await failureOf(send())).toMatchObject({ retryAfterMs: undefined });
  });

  it('fails the mail with a temporary error at the deadline when it is silent', async () => {
    await fail({ delay_ms: 60_000 });
    const error = await failureOf(send({}, 100));
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ message: 'the mail provider did not respond in time' });
  });

  it('fails the mail with a temporary error at the deadline when its response does not end', async () => {
    const server = await startServer((_, response) => void response.writeHead(202).write('{'));
    const error = await failureOf(mailerAt(server.url, { timeoutMs: 200 }).send(mail, never));
    expect(error).toMatchObject({ message: 'the mail provider did not respond in time' });
  });

  it('is not followed when it redirects', async () => {
    const server = await startServer((request, response) =>
      request.path === '/elsewhere'
        ? accept(request, response)
        : void response.writeHead(307, { location: '/elsewhere' }).end(),
    );
    const error = await failureOf(mailerAt(server.url).send(mail, never));
    expect(error).toBeInstanceOf(ProviderError);
    expect(server.received).toHaveLength(1);
  });

  it('is called directly, whatever proxy the environment names', async () => {
    process.env['http_proxy'] = 'http://127.0.0.1:1';
    await send().finally(() => delete process.env['http_proxy']);
    expect(await mailbox()).toHaveLength(1);
  });

  it('is not waited for when the caller cancels', async () => {
    await fail({ delay_ms: 600_000 });
    const stop = new AbortController();
    const mailer = mailerAt(`${fakes.url}/sendgrid`, { timeoutMs: 600_000 });
    const sending = mailer.send(mail, stop.signal);
    setTimeout(() => stop.abort(), 50);
    const error = await failureOf(sending);
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ message: 'the call was cancelled' });
  });

  it('fails the mail with a temporary error when it cannot be reached', async () => {
    const error = await failureOf(mailerAt('http://127.0.0.1:1').send(mail, never));
    expect(error).toMatchObject({ message: 'the mail provider cannot be reached' });
  });
});

describe('many mails', () => {
  it('share connections', async () => {
    const server = await startServer(accept);
    const mailer = mailerAt(server.url);
    let left = 100;
    const line = async () => {
      while (left-- > 0) await mailer.send(mail, never);
    };
    await Promise.all(Array.from({ length: 5 }, line));
    expect(server.connections).toBeLessThanOrEqual(5);
  });

  it('are limited per second, and at most five seconds of them wait', async () => {
    const server = await startServer(accept);
    const mailer = mailerAt(server.url, { mailsPerSecond: 2 });
    const settled = Array.from({ length: 15 }, () => mailer.send(mail, never)).map((sending) =>
      sending.catch((error: unknown) => error),
    );
    const refused = await Promise.all(settled.slice(12));
    for (const error of refused)
      expect(error).toMatchObject({
        message: 'too many mails are queued in this process',
        retryAfterMs: 5_000,
      });
    await Promise.all(settled);
    expect(server.received).toHaveLength(12);
  });
});
