import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Response } from 'express';
import { limitAddresses } from '../../../../api/platform/http/address-limit';
import type { Credential } from '../../../../api/platform/http/credential';
import { errorReply } from '../../../../api/platform/http/error-reply';
import { createProvenCredentials } from '../../../../api/platform/http/proven-credentials';
import { limitsWithoutDatabase } from '../../../harness/platform/limits';
import { waitFor } from '../../../harness/wait-for';

const perMinute = 20;

let server: Server;
let origin: string;
/** The keys of the requests that passed the limit. In production, such a request would then query the database. */
let passed: string[];
let open: Response[];
const proven = createProvenCredentials();
const keyOf = (keyHash: string): Credential => ({ kind: 'service_key', keyHash, environment: 'production' });

beforeEach(async () => {
  passed = [];
  open = [];
  const authenticate = limitAddresses(limitsWithoutDatabase(), perMinute).authenticate(
    async (request) => keyOf(request.get('authorization') ?? ''),
    proven,
    (response, credential) => {
      response.locals['key'] = 'keyHash' in credential ? credential.keyHash : '';
    },
  );
  const app = express();
  app.use(authenticate);
  app.get('/', (_request, response) => {
    passed.push(response.locals['key']);
    // A made-up key gets a 401 after 5 ms, as if the database had rejected it. All other requests stay open.
    if (!String(response.locals['key']).startsWith('made-up')) open.push(response);
    else setTimeout(() => void response.status(401).end(), 5);
  });
  app.use(errorReply);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const ask = async (key: string, more: RequestInit = {}) =>
  (await fetch(origin, { ...more, headers: { authorization: key } })).status;
const askTimes = (count: number, key: (index: number) => string) =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(key(index))));
const toPass = (count: number) =>
  waitFor(`${count} requests to pass`, async () => passed.length === count && open.length === count);

describe('simultaneous requests with unproven credentials', () => {
  it('each cost two points before they pass, however many share a made-up key', async () => {
    const statuses = await askTimes(120, (index) => `made-up ${index % 30}`);
    expect(passed).toHaveLength(perMinute / 2);
    expect(statuses.filter((status) => status === 401)).toHaveLength(perMinute / 2);
    expect(statuses.filter((status) => status === 429)).toHaveLength(120 - perMinute / 2);
  });

  it('of one made-up key pass until the points of the address are used up', async () => {
    await askTimes(50, () => 'made-up');
    expect(passed).toHaveLength(perMinute / 2);
  });

  it('wait for the first one and pass together once it is proven', async () => {
    const asked = askTimes(100, () => 'valid');
    await toPass(1);
    proven.note(keyOf('valid'), null);
    await toPass(100);
    open.forEach((response) => response.end());
    expect(new Set(await asked)).toEqual(new Set([200]));
    proven.forget(keyOf('valid'));
    const again = ask('valid');
    await waitFor('another request to pass', async () => passed.length === 101);
    open.at(-1)?.end();
    expect(await again).toBe(200);
  });

  it('pass when the first one disconnects, and each that disconnects has cost two points', async () => {
    for (let count = 1; count <= perMinute / 2; count += 1) {
      const caller = new AbortController();
      const asked = ask('slow', { signal: caller.signal }).catch(() => 'aborted');
      await toPass(count);
      caller.abort();
      expect(await asked).toBe('aborted');
      await waitFor('the end of the request', async () => open.at(-1)?.destroyed === true);
    }
    expect(await ask('another')).toBe(429);
  });

  it('that disconnect while they wait cost nothing', async () => {
    const first = ask('waited for');
    await toPass(1);
    const caller = new AbortController();
    const waiting = Array.from({ length: 50 }, () =>
      ask('waited for', { signal: caller.signal }).catch(() => 'aborted'),
    );
    await waitFor('the connections', async () => (await connections()) >= 51);
    caller.abort();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['aborted']));
    await waitFor('the end of the connections', async () => (await connections()) === 1);
    open[0]?.status(401).end();
    expect(await first).toBe(401);
    await askTimes(50, (index) => `made-up ${index}`);
    expect(passed).toHaveLength(perMinute / 2);
  });
});

const connections = () =>
  new Promise<number>((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
