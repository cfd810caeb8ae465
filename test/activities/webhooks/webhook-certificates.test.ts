import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { createWebhookPost } from '../../../activities/providers/webhook-post';
import type { WebhookPost } from '../../../activities/providers/webhook-post';
import { readRange } from '../../../api/platform/text/ip-address';
import { startNameServer } from '../../../local/fakes/name-server';
import type { NameServer } from '../../../local/fakes/name-server';
import { createAuthority } from '../../harness/webhooks/certificates';
import type { KeyAndCertificate } from '../../harness/webhooks/certificates';
import { answer, startReceiver } from '../../harness/webhooks/receiver';

const allowedRanges = [readRange('127.0.0.1')].filter((range) => range !== undefined);
const name = 'receiver.test';

let names: NameServer;
let authority: ReturnType<typeof createAuthority>;
let webhooks: WebhookPost;
let trusting: WebhookPost;
beforeAll(async () => {
  names = await startNameServer((_, type) => (type === 'A' ? ['127.0.0.1'] : []));
  authority = createAuthority();
  const settings = {
    allowedRanges,
    allowedPorts: 'any',
    allowHttp: false,
    nameServers: [names.address],
  } as const;
  webhooks = createWebhookPost(settings);
  trusting = createWebhookPost({ ...settings, trustedAuthorities: authority.pem });
});
afterAll(async () => {
  await Promise.all([webhooks.close(), trusting.close()]);
  authority.close();
  names.close();
});

async function postTo(certificate: KeyAndCertificate, sender: WebhookPost, host = name) {
  const receiver = await startReceiver(answer(200), certificate);
  const results = [];
  for (let count = 0; count < 2; count++)
    results.push(await sender.post({ url: `https://${host}:${receiver.port}/`, headers: {}, body: '{}' }));
  await receiver.close();
  return { results, received: receiver.calls.length };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `https://${name}:${typeof address === 'object' ? address?.port : ''}/`;
}

describe('an https receiver', () => {
  it('acknowledges with a trusted certificate, and a kept connection needs no second handshake', async () => {
    const { results } = await postTo(authority.issue(name, 2), trusting);
    const phases = { dns: expect.any(Number), connect: expect.any(Number), tls: expect.any(Number) };
    expect(results).toMatchObject([
      { outcome: 'acknowledged', peer_address: '127.0.0.1', ms: phases },
      { outcome: 'acknowledged', peer_address: '127.0.0.1', ms: { dns: null, connect: null, tls: null } },
    ]);
  });

  it.each<[string, () => KeyAndCertificate, string, string]>([
    ['an expired certificate', () => authority.issue(name, -1), name, 'the certificate has expired'],
    [
      'a certificate for another name',
      () => authority.issue('other.test', 2),
      name,
      'the certificate is for another host name',
    ],
    [
      'a certificate for a name when it is called at an address',
      () => authority.issue(name, 2),
      '127.0.0.1',
      'the certificate is for another host name',
    ],
    ['a self-signed certificate', () => authority.selfSigned(name), name, 'the certificate is self-signed'],
  ])('gets no request with %s', async (_, certificate, host, error) => {
    const { results, received } = await postTo(certificate(), trusting, host);
    expect(results).toMatchObject([
      { outcome: 'network', error },
      { outcome: 'network', error },
    ]);
    expect(received).toBe(0);
  });

  it('gets no request with a certificate of an unknown authority', async () => {
    const { results, received } = await postTo(authority.issue(name, 2), webhooks);
    expect(results[0]).toMatchObject({
      outcome: 'network',
      error: "the certificate's issuer is unknown, or its chain is incomplete",
      ms: { tls: null },
    });
    expect(received).toBe(0);
  });

  it('ends in a network outcome when it speaks http', async () => {
    const plain = createServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    );
    const url = await listen(plain);
    expect(await trusting.post({ url, headers: {}, body: '' })).toMatchObject({
      outcome: 'network',
      error: 'the TLS handshake failed',
    });
    plain.close();
  });

  it('times out after 5 s when it accepts the connection and no handshake, whatever the deadline', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}).resume());
    const url = await listen(silent);
    expect(await trusting.post({ url, headers: {}, body: '' })).toMatchObject({
      outcome: 'timeout',
      error: 'no connection within 5 s',
      peer_address: '127.0.0.1',
      ms: { connect: expect.any(Number), tls: null, first_byte: null },
    });
    silent.close();
  });
});
