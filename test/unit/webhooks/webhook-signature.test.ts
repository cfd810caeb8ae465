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
  delivery_id: '0198a000-0000-7000-8000-000000000001',
  event: 'interview_result',
  attempt: 2,
  custom_headers: { 'X-Api-Key': 'key-0123456789-secret', 'x-short': 'short' },
  timestampSeconds: Math.floor(Date.now() / 1000),
  body: '{"id":"1","candidate_name":"Zoë 日本 😀"}',
  keys: [openSigningSecret(secret)],
};
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
    const headers = webhookHeaders(delivery);
    expect(accepts(secret, headers, delivery.body)).toBe(true);
    expect(accepts(other, headers, delivery.body)).toBe(false);
    expect(accepts(secret, headers, `${delivery.body} `)).toBe(false);
    expect(accepts(secret, { ...headers, 'webhook-id': 'x' }, delivery.body)).toBe(false);
    expect(
      accepts(
        secret,
        { ...headers, 'webhook-timestamp': String(delivery.timestampSeconds - 1) },
        delivery.body,
      ),
    ).toBe(false);
  });

  it('is accepted with both secrets while one is being rotated', () => {
    const headers = webhookHeaders({ ...delivery, keys: [next, secret].map(openSigningSecret) });
    expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
    expect([secret, next, other].map((key) => accepts(key, headers, delivery.body))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('signs any content as the public library does', () => {
    const key = openSigningSecret(secret);
    const signer = new Webhook(secret);
    assert(
      property(string(), string({ unit: 'grapheme' }), (id, body) => {
        const signed = { ...delivery, delivery_id: id, timestampSeconds: 1_700_000_000, body, keys: [key] };
        expect(webhookHeaders(signed)['webhook-signature']).toBe(
          signer.sign(id, new Date(1_700_000_000_000), body),
        );
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
    expect(Object.entries(webhookHeaders(delivery))).toEqual([
      ['content-type', 'application/json'],
      ['user-agent', 'interview-platform-webhooks/1'],
      ['X-Api-Key', 'key-0123456789-secret'],
      ['x-short', 'short'],
      ['webhook-id', delivery.delivery_id],
      ['webhook-timestamp', String(delivery.timestampSeconds)],
      ['webhook-signature', expect.stringMatching(/^v1,/)],
      ['x-platform-event', 'interview_result'],
      ['x-platform-attempt', '2'],
    ]);
  });

  it('uses the merchant’s user-agent instead of ours', () => {
    const headers = webhookHeaders({ ...delivery, custom_headers: { 'User-Agent': 'acme' } });
    expect(Object.keys(headers).filter((name) => name.toLowerCase() === 'user-agent')).toEqual([
      'User-Agent',
    ]);
  });
});

describe('maskHeaders', () => {
  it('masks the values of the merchant and the signature and keeps the others', () => {
    const headers = webhookHeaders(delivery);
    expect(maskHeaders(headers, delivery.custom_headers)).toEqual({
      ...headers,
      'X-Api-Key': 'key-…',
      'x-short': '…',
      'webhook-signature': 'v1,' + (headers['webhook-signature']?.[3] ?? '') + '…',
    });
    expect(headers['X-Api-Key']).toBe('key-0123456789-secret');
  });
});
