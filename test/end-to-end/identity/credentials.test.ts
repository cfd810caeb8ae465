import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { JWK, CryptoKey, JWTPayload } from 'jose';
import { generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { generateRefreshToken, hashSecret, generateServiceKey } from '../../../db/platform/tokens';
import { people } from '../../../local/seed/accounts';
import { eachRow } from '../../harness/each-row';
import { signIn } from '../../harness/identity/accounts';
import { errorBody } from '../../harness/platform/error-body';
import type { Platform } from '../../harness/platform/platform';
import { sendRaw } from '../../harness/platform/raw-http';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

type Pair = { access_token: string; refresh_token: string; token_type: string; expires_in: number };
const post = async (body: string) => {
  const response = await fetch(`${platform.stack.origin}/auth/token`, { method: 'POST', body });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Pair & { name?: string },
  };
};
const refresh = (refreshToken: string) =>
  post(JSON.stringify({ grant_type: 'refresh_token', refresh_token: refreshToken }));
const list = async (token: string) => (await platform.call('interview-template-list', { token })).status;

describe('/auth/token', () => {
  it('exchanges a refresh token in JSON and in a form for a new pair', () =>
    eachRow(['JSON', 'a form'], async (form) => {
      const session = await signIn(platform, 'merchant');
      const input = { grant_type: 'refresh_token', refresh_token: session.refresh_token };
      const reply = await post(
        form === 'JSON' ? JSON.stringify(input) : new URLSearchParams(input).toString(),
      );
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 3_600,
        refresh_token: expect.stringMatching(/^rt_/),
      });
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(reply.body.refresh_token).not.toBe(session.refresh_token);
      expect(await list(reply.body.access_token)).toBe(200);
      expect((await refresh(reply.body.refresh_token)).status).toBe(200);
      expect(await list(session.access_token)).toBe(200);
    }));

  it('returns a 429 for the eleventh refresh in a minute and does not use up its token', async () => {
    let { refresh_token } = await signIn(platform, 'merchant');
    const exchange = async () => {
      const { status, headers, body } = await refresh(refresh_token);
      refresh_token = body.refresh_token ?? refresh_token;
      return {
        status,
        waits: Number(headers.get('retry-after')) > 0,
        code: (body as { code?: string }).code,
      };
    };
    const ten = [];
    for (let index = 0; index < 10; index++) ten.push((await exchange()).status);
    expect(ten).toEqual(Array(10).fill(200));
    for (const _ of [1, 2])
      expect(await exchange()).toEqual({ status: 429, waits: true, code: 'rate_limited' });
    const kept = await platform.database.rows('select used_at from refresh_token where hash = $1', [
      hashSecret(refresh_token),
    ]);
    expect(kept).toEqual([{ used_at: null }]);
  });

  it('returns a token with the documented claims', async () => {
    const { body } = await refresh((await signIn(platform, 'merchant')).refresh_token);
    const claims = JSON.parse(Buffer.from(body.access_token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toEqual({
      iss: platform.stack.origin,
      aud: 'authenticated',
      sub: people.merchant.id,
      session_id: expect.any(String),
      role: 'merchant',
      merchant_id: people.merchant.merchantId,
      environment: 'production',
      iat: expect.any(Number),
      exp: claims.iat + 3_600,
    });
  });

  it('revokes the session when a refresh token is used again', async () => {
    const session = await signIn(platform, 'merchant');
    const { body: next } = await refresh(session.refresh_token);
    expect(await list(next.access_token)).toBe(200);
    const again = await refresh(session.refresh_token);
    expect([again.status, again.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect([await list(next.access_token), await list(session.access_token)]).toEqual([401, 401]);
    expect((await refresh(next.refresh_token)).status).toBe(401);
  });

  it('gives a pair to one of two simultaneous calls, and revokes the session', async () => {
    const session = await signIn(platform, 'merchant');
    const replies = await Promise.all([refresh(session.refresh_token), refresh(session.refresh_token)]);
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401]);
    expect(await list(session.access_token)).toBe(401);
  });

  it('returns 401 for a token that is unknown or has ended', () =>
    eachRow(
      [
        ['unknown', async () => generateRefreshToken()],
        ['no refresh token at all', async () => 'x'],
        ['an access token', async () => platform.stack.tokens.merchant.slice(0, 200)],
        ['expired', () => endedToken(`update refresh_token set expires_at = now() where hash = $1`)],
        ['of a revoked session', () => endedToken(`update session set revoked_at = now() ${ofToken}`)],
        [
          'of a disabled profile',
          () =>
            endedToken(
              `update profile set disabled_at = now() where id = (select profile_id from session ${ofToken})`,
            ),
        ],
        ['of an expired session', () => endedToken(`update session set expires_at = now() ${ofToken}`)],
      ],
      async (_what, make) => {
        expect((await refresh(await make())).status).toBe(401);
      },
    ));

  it('returns the role that the profile has now', async () => {
    const session = await signIn(platform, 'merchant_owner');
    await platform.database.rows(`update profile set role = 'merchant' where id = $1`, [
      people.merchant_owner.id,
    ]);
    expect(await list(session.access_token)).toBe(401);
    const { body } = await refresh(session.refresh_token);
    expect(await list(body.access_token)).toBe(200);
    await platform.database.rows(`update profile set role = 'merchant_owner' where id = $1`, [
      people.merchant_owner.id,
    ]);
  });

  it('returns 422 for a wrong field', () =>
    eachRow(
      [
        ['{}', 'grant_type'],
        ['{"grant_type":"password","refresh_token":"x"}', 'grant_type'],
        ['{"grant_type":"refresh_token"}', 'refresh_token'],
        ['{"grant_type":"refresh_token","refresh_token":5}', 'refresh_token'],
        ['{"grant_type":"refresh_token","refresh_token":""}', 'refresh_token'],
        [`{"grant_type":"refresh_token","refresh_token":"${'x'.repeat(201)}"}`, 'refresh_token'],
        ['grant_type=refresh_token', 'refresh_token'],
        ['grant_type=refresh_token&refresh_token=%00', 'refresh_token'],
      ],
      async (body, name) => {
        const reply = await post(body);
        expect([reply.status, reply.body.name]).toEqual([422, name]);
      },
    ));

  it('stores no token in plain text', async () => {
    const { refresh_token: token } = await signIn(platform, 'merchant');
    const rows = await platform.database.rows<{ row: string }>('select t::text as row from refresh_token t');
    expect(rows.some(({ row }) => row.includes(token.slice(3)))).toBe(false);
    expect(rows.some(({ row }) => row.includes(hashSecret(token).toString('hex')))).toBe(true);
  });
});

const ofToken = `where id = (select session_id from refresh_token where hash = $1)`;
async function endedToken(statement: string): Promise<string> {
  const { refresh_token: token } = await signIn(platform, 'merchant');
  await platform.database.rows(statement, [hashSecret(token)]);
  return token;
}

describe('/.well-known/jwks.json', () => {
  it('returns the public part of every key and nothing else', async () => {
    const response = await fetch(`${platform.stack.origin}/.well-known/jwks.json`);
    const { keys } = (await response.json()) as { keys: JWK[] };
    expect(keys).toHaveLength(1);
    for (const key of keys)
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    expect(keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
  });
});

let jwk: JWK;
let sessionId: string;
beforeAll(async () => {
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
  it('gets a 401 when it contains no credential', () =>
    eachRow(
      [
        '',
        'Bearer',
        'Bearer ',
        'Basic dTpw',
        'Token abc',
        'Bearer a b',
        'Bearer not-a-token',
        'Bearer a.b.c',
        platform.stack.service_key,
      ],
      async (authorization) => expect401(await call({ authorization })),
    ));

  it('gets a 401 with a service key that was not issued', () =>
    eachRow(['', 'x', '!', 'staging', 'uat'], async (end) => {
      const known = platform.stack.service_key;
      const key =
        { '': known.slice(0, -1), x: generateServiceKey('production'), '!': `${known}!` }[end] ??
        known.replace('production', end);
      const code = { '': 'key_malformed', x: 'key_revoked', '!': 'key_malformed' }[end];
      await expect401(await call(bearer(key)), code);
    }));
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
  it('gets a 401 when it is forged, malformed, expired or of another session', () =>
    eachRow(wrong, async (what, make) => {
      const code = what.startsWith('expired')
        ? 'token_expired'
        : expect.stringMatching(/^token_(malformed|revoked)$/);
      await expect401(await call(bearer(await make())), code);
    }));
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
  it('gets a 401 with the next request before its body is read', () =>
    eachRow(ends, async (_what, statement, whose) => {
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
    }));

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
