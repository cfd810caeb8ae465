import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { limitAddresses } from '../../../api/platform/http/address-limit';
import { limitVisitors } from '../../../api/platform/portal/visitor-credential';
import { candidateErrorPages } from '../../../api/taking/candidate-pages';
import { embedPages } from '../../../api/taking/embed/embed-pages';
import { limitsWithoutDatabase } from '../../harness/platform/limits';
import { signToken } from '../../harness/taking/embed';

const embed_signing_key = 'esk_of_this_test_which_is_long_enough_for_hs256';
const portalOrigin = 'http://127.0.0.1';
const page = {
  embed_origins: [],
  is_revoked: false,
  interview_id: randomUUID(),
  status: 'active',
  interview_available_till: null,
  platform_language_code: 'en',
};
let server: Server;
beforeAll(async () => {
  const createLimit = limitsWithoutDatabase();
  const deps = {
    database: {
      query: async () => [page],
      write: async () => ({ enrolment_id: randomUUID(), profile_id: randomUUID(), link_generation: 1 }),
    },
    seal: { open: () => embed_signing_key },
    links: { embedToken: async () => 'any', openEmbedToken: async () => undefined },
    isHttps: false,
    portalOrigin,
    visitsPerMinute: 3,
    createLimit,
  };
  const app = express();
  app.use(limitVisitors(limitAddresses(createLimit, 5), createLimit, { perMinute: 100, isHttps: false }));
  app.use(embedPages(deps as unknown as Parameters<typeof embedPages>[0]));
  app.use(candidateErrorPages(portalOrigin));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const enter = async (embedId: string, token: string): Promise<number> => {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/embed/${embedId}?token=${token}`;
  return (await fetch(url, { redirect: 'manual', headers: { connection: 'close' } })).status;
};

describe('visits of an embedded interview', () => {
  it('are limited by embed key when their token is valid, and by address when it is not', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const visits = [];
    for (let visit = 0; visit < 4; visit++) visits.push(await enter(one, signToken({ embed_signing_key })));
    expect(visits).toEqual([303, 303, 303, 429]);
    expect(await enter(other, signToken({ embed_signing_key }))).toBe(303);
    const invented = [];
    for (let visit = 0; visit < 6; visit++) invented.push(await enter(other, `x${visit}`));
    expect(invented).toEqual([401, 401, 401, 401, 401, 429]);
  });
});
