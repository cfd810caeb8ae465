import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { limitAddresses } from '../../../api/platform/http/address-limit';
import { errorReply } from '../../../api/platform/http/error-reply';
import { rememberProven } from '../../../api/platform/http/proven-credentials';
import { waitFor } from '../../harness/wait-for';

/** The number of requests to `/slow`, which never gets a reply, that are still open. */
let open = 0;
let server: Server;
let origin: string;
beforeAll(async () => {
  const authenticate = limitAddresses(20).authenticate(
    async () => ({ kind: 'service_key', keyHash: 'unknown', environment: 'production' }),
    rememberProven(),
    () => undefined,
  );
  const app = express();
  app.use(authenticate);
  app.get('/slow', (_request, response) => {
    open += 1;
    response.once('close', () => (open -= 1));
  });
  app.get('/quick', (_request, response) => void response.status(204).end());
  app.use(errorReply);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

it('counts requests that share an unproven credential and disconnect before the reply', async () => {
  const caller = new AbortController();
  const asked = Array.from({ length: 10 }, () =>
    fetch(`${origin}/slow`, { signal: caller.signal }).catch(() => undefined),
  );
  await waitFor('the requests', async () => open === 10);
  expect((await fetch(`${origin}/quick`)).status).toBe(204);
  caller.abort();
  await Promise.all(asked);
  await waitFor('their ends', async () => open === 0);
  expect((await fetch(`${origin}/quick`)).status).toBe(429);
});
