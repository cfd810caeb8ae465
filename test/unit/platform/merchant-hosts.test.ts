import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { Router } from 'express';
import { limitAddresses } from '../../../api/platform/http/address-limit';
import { errorReply } from '../../../api/platform/http/error-reply';
import { merchantHosts } from '../../../api/platform/portal/merchant-hosts';
import { limitVisitors } from '../../../api/platform/portal/visitor-credential';
import { limitsWithoutDatabase } from '../../harness/platform/limits';
import { sendRaw } from '../../harness/platform/raw-http';

/** How often the domain of a portal was queried. */
let queries = 0;
let server: Server;
beforeAll(async () => {
  const app = express();
  const limits = limitsWithoutDatabase();
  app.use(
    merchantHosts({
      database: {
        query: async () => {
          queries += 1;
          return [{ domain: 'learn.example' }] as never;
        },
      },
      visitorLimits: limitVisitors(limitAddresses(limits, 10), limits, { perMinute: 3, isHttps: true }),
      apiOrigin: 'https://api.example',
      operations: Router(),
      candidatePages: Router(),
      errorPages: [errorReply],
      catalogue: Router(),
    }),
  );
  app.use((_request, response) => void response.status(204).end());
  app.use(errorReply);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const statusAt = async (host: string, path: string): Promise<number> => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
  return (await sendRaw(origin, request)).status;
};

describe('the hosts of merchants', () => {
  it('are looked up with one query for any number of unknown names, and without an address limit', async () => {
    for (const path of ['/', '/v1/nothing'])
      for (let index = 0; index < 20; index++) expect(await statusAt(`h${index}.example`, path)).toBe(204);
    expect(queries).toBe(1);
  });

  it('show the portal under its domain only', async () => {
    expect(await statusAt('Learn.Example.:8443', '/')).toBe(302);
    expect(await statusAt('learn.example', '/v1/nothing')).toBe(404);
    expect(await statusAt('x.learn.example', '/')).toBe(204);
  });

  it('limit visits by address, whatever link they name', async () => {
    const visits = [];
    for (let index = 0; index < 11; index++)
      visits.push(await statusAt('learn.example', `/?learner_token=made-up-${index}`));
    expect(visits).toContain(302);
    expect(visits.at(-1)).toBe(429);
  });
});
