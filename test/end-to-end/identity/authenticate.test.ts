import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import type { CryptoKey, JWK, JWTPayload } from 'jose';
import { generateServiceKey } from '../../../db/platform/tokens';
import { people } from '../../../local/seed/accounts';
import { signIn } from '../../harness/identity/accounts';
import { errorBody } from '../../harness/platform/error-body';
import type { Platform } from '../../harness/platform/platform';
import { sendRaw } from '../../harness/platform/raw-http';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let jwk: JWK;
let sessionId: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  const { keys } = JSON.parse(readFileSync(platform.signingKeysFile, 'utf8')) as { keys: JWK[] };
  jwk = keys[0] ?? {};
  sessionId = (await signIn(platform, 'merchant')).session_id;
});

const now = () => Math.floor(Date.now() / 1000);
const claims = (more: JWTPayload = {}): JWTPayload => ({
  iss: platform.stack.origin,
  aud: 'authenticated',
  sub: people.merchant.id,
  session_id: sessionId,
  role: 'merchant',
  merchant_id: people.merchant.merchantId,
  environment: 'production',
  exp: now() + 3_600,
  ...more,
});
const privateKey = async () => (await importJWK(jwk, 'ES256')) as CryptoKey;
const sign = async (more: JWTPayload = {}, header: Record<string, string> = {}) =>
  new SignJWT(claims(more))
    .setProtectedHeader({ alg: 'ES256', kid: jwk.kid ?? '', ...header })
    .sign(await privateKey());
const call = (headers: Record<string, string>) =>
  fetch(`${platform.stack.base_url}/interview-template-list`, { headers });
const expect401 = async (response: Response, code: unknown = expect.any(String)) => {
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  const error = expect.stringMatching(/^[A-Z][^\n]{10,150}$/);
  expect(await response.json()).toEqual({
    ...errorBody('unauthorized', undefined, error),
    code,
    errors: [{ name: null, code, error }],
  });
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('the Authorization header', () => {
  it('is accepted with our own token', async () => {
    expect((await call(bearer(await sign()))).status).toBe(200);
  });

  it('gets a 401 when it is missing', async () => expect401(await call({}), 'token_missing'));

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic dTpw',
    'Token abc',
    'Bearer a b',
    'Bearer not-a-token',
    'Bearer a.b.c',
  ])('gets a 401 when it is %j', async (authorization) => expect401(await call({ authorization })));

  it('gets a 401 with a token and no scheme', async () => {
    await expect401(await call({ authorization: await sign() }), 'token_missing');
  });

  it.each(['', 'x', '!'])('gets a 401 with a service key that ends in %j', async (end) => {
    const known = platform.stack.service_key;
    const key =
      end === '' ? known.slice(0, -1) : end === 'x' ? generateServiceKey('production') : `${known}!`;
    await expect401(await call(bearer(key)), end === 'x' ? 'key_revoked' : 'key_malformed');
  });

  it('gets a 401 with a key of an unknown environment', async () => {
    await expect401(await call(bearer(platform.stack.service_key.replace('production', 'staging'))));
  });

  it('gets a 401 with a key that is renamed to another environment', async () => {
    await expect401(await call(bearer(platform.stack.service_key.replace('production', 'uat'))));
  });
});

describe('an access token', () => {
  const wrong: [string, () => Promise<string>][] = [
    ['of algorithm none', async () => new UnsecuredJWT(claims()).encode()],
    [
      'signed by HS256 with the public key',
      async () => {
        const { d: _secret, ...open } = jwk;
        const pem = createPublicKey({ key: open as never, format: 'jwk' }).export({
          type: 'spki',
          format: 'pem',
        });
        return new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256', kid: jwk.kid ?? '' })
          .sign(Buffer.from(pem.toString()));
      },
    ],
    [
      'signed by another key under our kid',
      async () => {
        const other = await generateKeyPair('ES256');
        return new SignJWT(claims())
          .setProtectedHeader({ alg: 'ES256', kid: jwk.kid ?? '' })
          .sign(other.privateKey);
      },
    ],
    [
      'signed by a key that it brings along',
      async () => {
        const other = await generateKeyPair('ES256', { extractable: true });
        const { kty, crv, x, y } = (await crypto.subtle.exportKey('jwk', other.publicKey)) as JWK;
        return new SignJWT(claims())
          .setProtectedHeader({ alg: 'ES256', jwk: { kty, crv, x, y } })
          .sign(other.privateKey);
      },
    ],
    [
      'signed by ES384',
      async () => {
        const other = await generateKeyPair('ES384');
        return new SignJWT(claims())
          .setProtectedHeader({ alg: 'ES384', kid: jwk.kid ?? '' })
          .sign(other.privateKey);
      },
    ],
    ['of an unknown kid', () => sign({}, { kid: 'another' })],
    ['of another issuer', () => sign({ iss: 'https://evil.example' })],
    ['without issuer', () => sign({ iss: undefined })],
    ['of another audience', () => sign({ aud: 'interview' })],
    ['without audience', () => sign({ aud: undefined })],
    ['without exp', () => sign({ exp: undefined })],
    ['expired for 10 seconds', () => sign({ exp: now() - 10 })],
    ['not yet valid', () => sign({ nbf: now() + 600 })],
    ['of an unknown role', () => sign({ role: 'superuser' })],
    ['of another role than the profile', () => sign({ role: 'merchant_owner' })],
    ['of another merchant than the profile', () => sign({ merchant_id: platform.stack.other_merchant_id })],
    ['of no merchant', () => sign({ merchant_id: null })],
    ['of another environment than the session', () => sign({ environment: 'uat' })],
    ['of an unknown environment', () => sign({ environment: 'staging' })],
    [
      'of another profile than the session',
      () => sign({ sub: people.merchant_owner.id, role: 'merchant_owner' }),
    ],
    ['of an unknown session', () => sign({ session_id: crypto.randomUUID() })],
    ['without session', () => sign({ session_id: undefined })],
    ['of a session that is no uuid', () => sign({ session_id: "' or true" })],
    ['with a bit of its payload changed', async () => flip(await sign(), 1)],
    ['with a bit of its signature changed', async () => flip(await sign(), 2)],
  ];
  it.each(wrong)('gets a 401 when it is %s', async (what, make) => {
    const code = what.startsWith('expired')
      ? 'token_expired'
      : expect.stringMatching(/^token_(malformed|revoked)$/);
    await expect401(await call(bearer(await make())), code);
  });

  it('is accepted 2 seconds after it has expired', async () => {
    // A token is accepted up to 5 seconds after its expiry. If the machine stalls and the token arrives later, the
    // test repeats the call with a new token.
    const isTaken = async () => (await call(bearer(await sign({ exp: now() - 2 })))).status === 200;
    expect(await waitFor('a call in time', isTaken)).toBe(true);
  });
});

/** Returns the token with one changed character in the middle of the given part. */
function flip(token: string, part: number): string {
  const parts = token.split('.');
  const text = parts[part] ?? '';
  const middle = Math.floor(text.length / 2);
  parts[part] = text.slice(0, middle) + (text[middle] === 'A' ? 'B' : 'A') + text.slice(middle + 1);
  return parts.join('.');
}

describe('a credential that was not proven yet', () => {
  // The body that `content-length` announces is never sent. A call that waited for the body would get no reply.
  const postWithoutBody = (token: string) =>
    sendRaw(
      platform.stack.origin,
      [
        'POST /v1/catalogue-tag-create HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${token}`,
        'Content-Length: 1048576',
        '',
        '{',
      ].join('\r\n'),
    );

  it('gets a 401 before its body is read when it is a made-up service key', async () => {
    const { status, body } = await postWithoutBody(generateServiceKey('production'));
    expect([status, JSON.parse(body)]).toEqual([401, errorBody('key_revoked')]);
  });

  it('gets a 401 before its body is read when its session is revoked', async () => {
    const { access_token: token, session_id } = await signIn(platform, 'merchant_owner');
    await platform.database.rows('update session set revoked_at = now() where id = $1', [session_id]);
    expect((await postWithoutBody(token)).status).toBe(401);
  });
});

describe('a credential that has ended', () => {
  const ends: [string, string, string][] = [
    ['revoked session', 'update session set revoked_at = now() where id = $1', 'session'],
    [
      'expired session',
      "update session set expires_at = now() - interval '1 second' where id = $1",
      'session',
    ],
    ['disabled profile', 'update profile set disabled_at = now() where id = $1', 'profile'],
    ['changed role', "update profile set role = 'merchant_selection' where id = $1", 'profile'],
  ];
  it.each(ends)(
    'gets a 401 with the next request before its body is read: %s',
    async (_what, statement, whose) => {
      const { access_token: token, session_id } = await signIn(platform, 'merchant_owner');
      const list = () => platform.call('interview-template-list', { token });
      expect((await list()).status).toBe(200);
      await platform.database.rows(statement, [whose === 'session' ? session_id : people.merchant_owner.id]);
      const replies = [
        await list(),
        await platform.call('job-interview-update', { token, body: { position_id: 'wrong' } }),
        await platform.call('job-interview-update', { token, rawBody: '{' }),
        await platform.call('job-interview-update', { token, rawBody: 'x'.repeat(1_048_577) }),
        await platform.call('job-interview-update', { token, body: {}, headers: { 'idempotency-key': 'ä' } }),
        await platform.call('job-interview-get', { token, query: { position_id: crypto.randomUUID() } }),
        await platform.call('interview-template-list?limit=0&limit=1', { token }),
      ];
      expect(replies.map(({ status }) => status)).toEqual(Array(replies.length).fill(401));
      expect(new Set(replies.map(({ headers }) => headers.get('www-authenticate')))).toEqual(
        new Set(['Bearer']),
      );
      expect(new Set(replies.map(({ body }) => body?.['code']))).toEqual(new Set(['token_revoked']));
      await platform.database.rows(
        `update profile set disabled_at = null, role = 'merchant_owner' where id = $1`,
        [people.merchant_owner.id],
      );
    },
  );

  it('gets a 401 with the next request when it is a revoked service key', async () => {
    const { merchant_service_key: token, merchant_id } = platform.stack;
    const list = () => platform.call('interview-template-list', { token, query: { merchant_id } });
    expect((await list()).status).toBe(200);
    await platform.database.rows('update service_key set revoked_at = now() where merchant_id = $1', [
      merchant_id,
    ]);
    expect((await list()).body).toMatchObject({ code: 'key_revoked' });
    expect((await platform.call('interview-template-list', { token })).status).toBe(401);
    expect((await platform.call('job-interview-update', { token, rawBody: '{' })).status).toBe(401);
  });
});
