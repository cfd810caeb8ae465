import { createHmac, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { applyFault, type Faults } from './faults';
import { parseBody } from './parse-body';
import type { Delays } from './pauses';
import { createRecentRecords, type RecentRecords } from './records';

/**
 * The token that signs calls of the hook and that callers of the fake must send. With `url`, the hook is called there, for
 * example because its public address cannot be reached from the fake's container.
 */
export type MessageHook = { authToken: string; url?: string | undefined };

type Message = {
  sid: string;
  to: string;
  from: string;
  body: string;
  status: string;
  error_code: number | null;
  price: string | null;
  price_unit: string;
  status_callback: string | null;
  at: string;
};

type MessageProvider = {
  messages: RecentRecords<Message>;
  /** Handles `POST …/Messages.json`. */
  send: (req: Request, res: Response) => Promise<void>;
  /** Handles `GET …/Messages/<sid>.json`. */
  read: (req: Request, res: Response) => Promise<void>;
  /** Handles `POST /messages/reply`: acts as if the person with the number `from` answered the last message with `body`. */
  reply: (req: Request, res: Response) => void;
};

/** Twilio's own test numbers, which it rejects, with its errors. */
const rejected = new Map([
  ['+15005550001', 21211],
  ['+15005550002', 21612],
  ['+15005550003', 21408],
  ['+15005550009', 21614],
]);
const stopWords = new Set(['STOP', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT']);
const reportPauseMs = 50;
/** The waits before a call of the hook is repeated. */
const retryPausesMs = [200, 1_000, 5_000];

const replyBody = z.strictObject({ from: z.string().max(50), body: z.string().max(1_600) });

/** Returns Twilio's error body. */
const shapeError = (code: number, message: string, status: number) => ({
  code,
  message,
  status,
  more_info: '',
});

/**
 * Creates a fake of Twilio's messages. Numbers that end in 30001 to 30008 are accepted, and then fail (30001) or are not
 * delivered, with this number as their error. Numbers that answered STOP are rejected, as Twilio does, until they answer
 * START. A message that gets a fault other than a delay is not stored, unless the fault has `accept`.
 */
export function createMessageProvider(
  faults: Faults,
  pauses: Delays,
  hook: MessageHook | undefined,
): MessageProvider {
  const messages = createRecentRecords<Message>();
  const stopped = new Set<string>();

  const accept = (fields: URLSearchParams): Message => {
    const message: Message = {
      sid: `SM${randomBytes(16).toString('hex')}`,
      to: fields.get('To') ?? '',
      from: fields.get('From') ?? '',
      body: fields.get('Body') ?? '',
      status: 'queued',
      error_code: null,
      price: null,
      price_unit: 'USD',
      status_callback: fields.get('StatusCallback'),
      at: new Date().toISOString(),
    };
    messages.add(message);
    void progress(message);
    return message;
  };

  /** Moves the message on as a phone network does, and reports each state. */
  const progress = async (message: Message) => {
    const error = /3000[1-8]$/.exec(message.to)?.[0];
    const last = error === undefined ? 'delivered' : error === '30001' ? 'failed' : 'undelivered';
    for (const status of ['sent', last]) {
      if (!(await pauses.wait(reportPauseMs))) return;
      message.status = status;
      if (status === last) {
        message.error_code = error === undefined ? null : Number(error);
        message.price = last === 'failed' ? null : '-0.00750';
      }
      await callHook(hook, pauses, message.status_callback, {
        MessageSid: message.sid,
        MessageStatus: status,
        To: message.to,
        From: message.from,
        ...(status === last && error !== undefined ? { ErrorCode: error } : {}),
      });
    }
  };

  const problemOf = (req: Request, fields: URLSearchParams) => {
    const to = (fields.get('To') ?? '').replace('whatsapp:', '');
    const body = fields.get('Body') ?? '';
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return shapeError(21211, "Invalid 'To' Phone Number", 400);
    if (!fields.get('From')) return shapeError(21603, "A 'From' phone number is required", 400);
    if (body === '') return shapeError(21602, 'Message body is required', 400);
    if (body.length > 1_600) return shapeError(21617, 'The message body exceeds 1600 characters', 400);
    if (stopped.has(to)) return shapeError(21610, 'Attempt to send to unsubscribed recipient', 400);
    const code = rejected.get(to);
    return code === undefined ? undefined : shapeError(code, 'The message cannot be sent', 400);
  };

  const isAuthorized = (req: Request, res: Response): boolean => {
    const account = String(req.params['account']);
    const sent = Buffer.from((req.get('authorization') ?? '').replace(/^Basic /i, ''), 'base64').toString();
    const isKnown = sent.startsWith(`${account}:`) && (!hook || sent === `${account}:${hook.authToken}`);
    if (!isKnown) res.status(401).json(shapeError(20003, 'Authenticate', 401));
    return isKnown;
  };

  const suffer = (res: Response, creates: boolean, early?: () => void) => {
    const fault = faults.take('twilio', { creates });
    if (fault?.accept) early?.();
    return applyFault(fault, res, pauses, (status, message) => shapeError(20_000 + status, message, status));
  };

  return {
    messages,
    async send(req, res) {
      const fields = new URLSearchParams(String(req.body));
      const problem = problemOf(req, fields);
      let message: Message | undefined;
      if (await suffer(res, true, () => (message = problem ? undefined : accept(fields)))) return;
      if (!isAuthorized(req, res)) return;
      if (problem) {
        res.status(problem.status).json(problem);
        return;
      }
      res.status(201).json(message ?? accept(fields));
    },
    async read(req, res) {
      if ((await suffer(res, false)) || !isAuthorized(req, res)) return;
      const message = messages.list().find(({ sid }) => `${sid}.json` === req.params['file']);
      if (message) res.json(message);
      else res.status(404).json(shapeError(20404, 'The requested resource was not found', 404));
    },
    reply(req, res) {
      const parsed = parseBody(replyBody, req.body);
      if (!parsed.ok) {
        res.status(422).json({ error: parsed.error, name: parsed.name });
        return;
      }
      const { from, body } = parsed.value;
      const last = messages.list().findLast(({ to }) => to.replace('whatsapp:', '') === from);
      if (!last?.status_callback) {
        res.status(404).json({ error: 'no message was sent to this number', name: 'from' });
        return;
      }
      const word = body.trim().toUpperCase();
      if (stopWords.has(word)) stopped.add(from);
      if (word === 'START') stopped.delete(from);
      const url = new URL(last.status_callback);
      url.search = '';
      const sid = `SM${randomBytes(16).toString('hex')}`;
      void callHook(hook, pauses, url.href, { MessageSid: sid, From: last.to, To: last.from, Body: body });
      res.status(202).json({});
    },
  };
}

/** Calls the hook with a signed form, and repeats the call until it is accepted. */
async function callHook(
  hook: MessageHook | undefined,
  pauses: Delays,
  address: string | null,
  fields: Record<string, string>,
): Promise<void> {
  if (!hook || address === null) return;
  const target = new URL(address);
  const signed = Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const signature = createHmac('sha1', hook.authToken)
    .update(address + signed.flat().join(''))
    .digest('base64');
  for (const pauseMs of retryPausesMs) {
    const taken = await fetch(hook.url === undefined ? target : hook.url + target.search, {
      method: 'POST',
      headers: { 'x-twilio-signature': signature },
      body: new URLSearchParams(fields),
      signal: AbortSignal.timeout(5_000),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (taken || !(await pauses.wait(pauseMs))) return;
  }
}
