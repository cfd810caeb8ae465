import { assert, property, string } from 'fast-check';
import { Webhook } from 'standardwebhooks';
import {
  maskHeaders,
  openSigningSecret,
  webhookHeaders,
} from '../../../activities/webhooks/sender/request-headers';
import { generateSigningSecret } from '../../../db/platform/tokens';

const [secret, next, other] = [generateSigningSecret(), generateSigningSecret(), generateSigningSecret()];
const delivery = {
  id: '0198a000-0000-7000-8000-000000000001',
  attempts: 1,
  now_s: Date.now() / 1000,
};
const timestamp = Math.floor(delivery.now_s);
const body = '{"id":"1","candidate_name":"Zoë 日本 😀"}';
const secretsOf = (...secrets: string[]) =>
  secrets.map((each) => ({ key: openSigningSecret(each), ends_s: null as number | null }));
const endpoint = {
  headers: { 'X-Api-Key': 'key-0123456789-secret', 'x-short': 'short' },
  secrets: secretsOf(secret),
};
const headersFor = (more: Partial<typeof endpoint | { headers: Record<string, string> }> = {}) =>
  webhookHeaders(delivery, 'interview_result', body, { ...endpoint, ...more });
const accepts = (key: string, headers: Record<string, string>, body: string) => {
  try {
    new Webhook(key).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

describe('the signature', () => {
  it('is accepted by the public verifier, with its secret and its content only', () => {
    const headers = headersFor();
    expect(accepts(secret, headers, body)).toBe(true);
    expect(accepts(other, headers, body)).toBe(false);
    expect(accepts(secret, headers, `${body} `)).toBe(false);
    expect(accepts(secret, { ...headers, 'webhook-id': 'x' }, body)).toBe(false);
    expect(accepts(secret, { ...headers, 'webhook-timestamp': String(timestamp - 1) }, body)).toBe(false);
  });

  it('is accepted with both secrets while one is being rotated', () => {
    const headers = headersFor({ secrets: secretsOf(next, secret) });
    expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
    expect([secret, next, other].map((key) => accepts(key, headers, body))).toEqual([true, true, false]);
  });

  it('is not made with a secret that has ended', () => {
    const [ended] = secretsOf(other);
    const headers = headersFor({
      secrets: [...secretsOf(secret), ...(ended ? [{ ...ended, ends_s: delivery.now_s }] : [])],
    });
    expect([secret, other].map((key) => accepts(key, headers, body))).toEqual([true, false]);
  });

  it('signs any content as the public library does', () => {
    const signer = new Webhook(secret);
    assert(
      property(string(), string({ unit: 'grapheme' }), (id, content) => {
        const signed = webhookHeaders({ id, attempts: 0, now_s: 1_700_000_000 }, 'test', content, endpoint);
        expect(signed['webhook-signature']).toBe(signer.sign(id, new Date(1_700_000_000_000), content));
      }),
    );
  });
});

describe('a signing secret', () => {
  it('has 32 random bytes', () => {
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(openSigningSecret(secret).symmetricKeySize).toBe(32);
    expect(new Set([secret, next, other]).size).toBe(3);
  });

  it.each(['', 'whsec_', 'sk_production_abc', 'abcd'])('is rejected without being repeated: %j', (text) => {
    expect(() => openSigningSecret(text)).toThrow('a signing secret must be whsec_ and base64');
  });
});

describe('webhookHeaders', () => {
  it('returns all headers of an attempt in their order', () => {
    expect(Object.entries(headersFor())).toEqual([
      ['content-type', 'application/json'],
      ['user-agent', 'interview-platform-webhooks/1'],
      ['X-Api-Key', 'key-0123456789-secret'],
      ['x-short', 'short'],
      ['webhook-id', delivery.id],
      ['webhook-timestamp', String(timestamp)],
      ['webhook-signature', expect.stringMatching(/^v1,/)],
      ['x-platform-event', 'interview_result'],
      ['x-platform-attempt', '2'],
    ]);
  });

  it('uses the merchant’s user-agent instead of ours', () => {
    const headers = headersFor({ headers: { 'User-Agent': 'acme' } });
    expect(Object.keys(headers).filter((name) => name.toLowerCase() === 'user-agent')).toEqual([
      'User-Agent',
    ]);
  });
});

describe('maskHeaders', () => {
  it('masks the values of the merchant and the signature and keeps the others', () => {
    const headers = headersFor();
    expect(maskHeaders(headers, endpoint.headers)).toEqual({
      ...headers,
      'X-Api-Key': 'key-…',
      'x-short': '…',
      'webhook-signature': 'v1,' + (headers['webhook-signature']?.[3] ?? '') + '…',
    });
    expect(headers['X-Api-Key']).toBe('key-0123456789-secret');
  });
});
