import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { limitAddresses, refundPoint } from '../../../../api/platform/http/address-limit';
import { errorReply } from '../../../../api/platform/http/error-reply';
import {
  limitVisitors,
  linkLimitKey,
  readLearnerCookies,
} from '../../../../api/platform/portal/visitor-credential';
import { limitsWithoutDatabase } from '../../../harness/platform/limits';

const addressPoints = 5;
const ofOneLink = 3;

let server: Server;
let origin: string;
/** Starts a portal with one page. The page accepts every learner's cookie that begins with `valid` as a valid link. */
const start = async (perAddress = addressPoints) => {
  const app = express();
  const limits = limitsWithoutDatabase();
  app.use(
    limitVisitors(limitAddresses(limits, perAddress), limits, { perMinute: ofOneLink, isHttps: false }),
  );
  app.get('/catalogue/', (request, response) => {
    const proven = readLearnerCookies(request, false).find((token) => token.startsWith('valid'));
    if (proven !== undefined) refundPoint(request, linkLimitKey(proven));
    response.status(204).end();
  });
  app.use(errorReply);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
afterEach(() => new Promise((resolve) => server.close(resolve)));

const visit = async (query: string, ...tokens: string[]): Promise<number> => {
  const cookie = tokens.map((token) => `learner=${token}`).join('; ');
  const { status } = await fetch(`${origin}/catalogue/${query}`, {
    headers: { cookie, connection: 'close' },
  });
  return status;
};
const visits = async (count: number, next: (index: number) => Promise<number>): Promise<number[]> => {
  const statuses: number[] = [];
  while (statuses.length < count) statuses.push(await next(statuses.length));
  return statuses;
};
/**
 * The statuses of consecutive visits with one link. The first visit checks that the link is valid and does not count
 * toward the link's limit.
 */
const limited = [204, ...Array<number>(ofOneLink).fill(204), 429, 429];

describe('the limit of a link', () => {
  it.each<[string, (index: number) => Promise<number>]>([
    ['a link alone', () => visit('', 'valid')],
    ['a made-up interview_token', (index) => visit(`?interview_token=made-up-${index}`, 'valid')],
    ['a made-up learner_token', (index) => visit(`?learner_token=made-up-${index}`, 'valid')],
    ['a made-up first cookie', (index) => visit('', `made-up-${index}`, 'valid')],
  ])('counts visits with %s', async (_, next) => {
    await start();
    expect(await visits(limited.length, next)).toEqual(limited);
  });

  it('counts each link by itself, and holds without a limit of addresses', async () => {
    await start(0);
    expect(await visits(limited.length, () => visit('', 'valid'))).toEqual(limited);
    expect(await visit('', 'valid-too')).toBe(204);
  });
});

describe('the limit of an address', () => {
  it('counts visits with links that are not proven, and not those with a proven one', async () => {
    await start();
    expect(await visit('', 'valid')).toBe(204);
    expect(await visits(6, (index) => visit(`?learner_token=made-up-${index}`))).toEqual([
      ...Array<number>(addressPoints).fill(204),
      429,
    ]);
    expect(await visit('', 'valid')).toBe(204);
  });
});
