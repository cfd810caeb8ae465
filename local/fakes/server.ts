import { once } from 'node:events';
import { createServer } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { createNameRecords, type NameRecords } from './dns';
import { createFaults, faultSchema, type Faults } from './faults';
import { createFeatureBoard } from './feature-board';
import { createVideoProvider, type VideoHook } from './heygen';
import { startNameServer } from './name-server';
import { createModelProvider } from './openai';
import { parseBody } from './parse-body';
import { createDelays, type Delays } from './pauses';
import { createRealtime } from './realtime';
import { createMailProvider, shapeError as shapeMailError } from './sendgrid';
import { createEventReporter, type EventReporter, type EventTarget } from './sendgrid-events';
import { createWebhookSink, type WebhookSink } from './sink';
import { createMessageProvider, type MessageHook } from './twilio';
import { createSupportDesk } from './zendesk';

/** `dnsAddress` is the address (host and port) of the name server, which uses UDP. */
export type Fakes = { url: string; port: number; dnsAddress: string; close: () => Promise<void> };

/**
 * Starts the server that acts as all outside providers. Port 0 means a free port. Without `mailEvents`, the mail
 * provider sends no events, and without `messageHook` or `videoHook`, the providers of messages and
 * videos call no hook.
 */
export async function startFakes({
  port,
  host = '127.0.0.1',
  mailEvents,
  messageHook,
  videoHook,
}: {
  port: number;
  host?: string;
  mailEvents?: EventTarget | undefined;
  messageHook?: MessageHook | undefined;
  videoHook?: VideoHook | undefined;
}): Promise<Fakes> {
  const names = createNameRecords();
  const pauses = createDelays();
  const sink = createWebhookSink(pauses);
  const delays = createDelays();
  const faults = createFaults();
  const realtime = createRealtime(faults, delays);
  const app = buildApp(faults, sink, delays, names, {
    reporter: mailEvents && createEventReporter(mailEvents, pauses),
    messageHook,
    videoHook,
  });
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/sink/')) sink.handle(req, res);
    else app(req, res);
  });
  server.on('upgrade', (request, socket, head) => {
    if (request.url?.startsWith('/openai/v1/realtime')) realtime.upgrade(request, socket, head);
    else socket.destroy();
  });
  // The server keeps an idle connection for longer than the clients do. Otherwise a client could send on a connection
  // that the server is closing.
  server.keepAliveTimeout = 65_000;
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  // If a port is given, the name server uses the same number (UDP).
  const nameServer = await startNameServer(names.answer, { host, port });
  const close = async () => {
    const closed = once(server, 'close');
    nameServer.close();
    pauses.cut();
    delays.cut();
    realtime.close();
    server.close();
    server.closeAllConnections();
    await closed;
  };
  let closing: Promise<void> | undefined;
  const taken = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    port: taken,
    dnsAddress: nameServer.address,
    close: () => (closing ??= close()),
  };
}

function buildApp(
  faults: Faults,
  sink: WebhookSink,
  delays: Delays,
  names: NameRecords,
  {
    reporter,
    messageHook,
    videoHook,
  }: {
    reporter: EventReporter | undefined;
    messageHook: MessageHook | undefined;
    videoHook: VideoHook | undefined;
  },
) {
  const model = createModelProvider(faults, delays);
  const mail = createMailProvider(faults, delays, reporter);
  const message = createMessageProvider(faults, delays, messageHook);
  const video = createVideoProvider(faults, delays, videoHook);
  const support = createSupportDesk(faults, delays);
  const board = createFeatureBoard(faults, delays);
  const app = express();
  app.disable('x-powered-by');
  // People read the lists in a browser, so the JSON is indented.
  app.set('json spaces', 2);
  app.use('/openai/v1/audio/transcriptions', express.raw({ type: () => true, limit: '30mb' }));
  // Bodies of any content type are accepted, so that a curl request needs no header. Every route parses the text with
  // its own schema.
  app.use(express.text({ type: () => true, limit: '10mb' }));

  app.use('/openai/v1', (req, res) => model.answer(req, res));
  app.post('/sendgrid/v3/mail/send', (req, res) => mail.send(req, res));
  app.use('/sendgrid', (_req, res) => void res.status(404).json(shapeMailError('Not Found', null)));
  app.post('/twilio/2010-04-01/Accounts/:account/Messages.json', (req, res) => message.send(req, res));
  app.get('/twilio/2010-04-01/Accounts/:account/Messages/:file', (req, res) => message.read(req, res));
  app.use('/heygen', (req, res) => video.answer(req, res));
  app.use('/board/api/v1', (req, res) => board.answer(req, res));

  app.post(['/support/api/v2/tickets.json', '/support/api/v2/tickets'], (req, res) =>
    support.create(req, res),
  );
  app.get(['/support/api/v2/tickets.json', '/support/api/v2/tickets'], (req, res) => support.find(req, res));
  app.put('/support/settings', (req, res) => support.set(req, res));
  app.use(
    '/support',
    (_req, res) => void res.status(404).json({ error: 'InvalidEndpoint', description: 'Not found' }),
  );

  const lists = {
    '/mailbox': mail.mails,
    '/messages': message.messages,
    '/videos': video.videos,
    '/conversations': support.conversations,
    '/openai/requests': model.calls,
    '/posts': board.posts,
  };
  for (const [path, records] of Object.entries(lists))
    app.get(path, (_req, res) => void res.json(records.list()));
  app.get('/faults', (_req, res) => void res.json(faults.list()));
  app.post('/mailbox/open', (req, res) => mail.open(req, res));
  app.post('/messages/reply', (req, res) => message.reply(req, res));
  app.get('/dns', names.list);
  app.put('/dns/:name', names.set);
  app.delete('/dns/:name', names.remove);
  app.post('/faults', (req, res) => {
    const parsed = parseBody(faultSchema, req.body);
    if (!parsed.ok) {
      res.status(422).json({ error: parsed.error, name: parsed.name });
      return;
    }
    faults.add(parsed.value);
    res.status(201).json(parsed.value);
  });
  // Also ends the delays that are in progress. A test can therefore make a provider wait for exactly as long as the
  // test needs.
  app.delete('/faults', (_req, res) => {
    faults.clear();
    delays.release();
    res.status(204).end();
  });
  app.delete('/records', (_req, res) => {
    model.calls.forget();
    mail.mails.forget();
    message.messages.forget();
    video.videos.forget();
    support.forget();
    board.posts.forget();
    sink.forget();
    names.forget();
    res.status(204).end();
  });
  app.get('/', (_req, res) => {
    const counts = Object.entries(lists).map(([path, records]) => [path, records.count()]);
    res.json({ ...Object.fromEntries(counts), '/faults': faults.list().length, ...sink.counts() });
  });
  app.use((req, res) => {
    res.status(404).json({ error: `there is no fake at ${req.method} ${req.path}`, name: null });
  });
  app.use(answerError);
  return app;
}

function answerError(error: unknown, _req: Request, res: Response, next: NextFunction): void {
  if (res.headersSent) return next(error);
  const status =
    error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
  if (status >= 500) console.error(error);
  res.status(status).json({ error: error instanceof Error ? error.message : 'unexpected error', name: null });
}
