import { readFileSync, writeFileSync } from 'node:fs';
import type { JWK } from 'jose';
import { generateRefreshToken, generateSigningKeys, hashSecret } from '../../../db/platform/tokens';
import { people } from '../../../local/seed/accounts';
import { signIn } from '../../harness/identity/accounts';
import { startPlatform } from '../../harness/platform/start-platform';
import type { OwnPlatform } from '../../harness/platform/start-platform';

let platform: OwnPlatform;
beforeAll(async () => {
  platform = await startPlatform({ worker: false });
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
  it.each(['JSON', 'a form'])('exchanges a refresh token in %s for a new pair', async (form) => {
    const session = await signIn(platform, 'merchant');
    const input = { grant_type: 'refresh_token', refresh_token: session.refresh_token };
    const reply = await post(form === 'JSON' ? JSON.stringify(input) : new URLSearchParams(input).toString());
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
  });

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

  it.each([
    ['unknown', async () => generateRefreshToken()],
    ['no refresh token at all', async () => 'x'],
    ['an access token', async () => platform.stack.tokens.merchant.slice(0, 200)],
    ['expired', () => endedToken(`update refresh_token set expires_at = now() where hash = $1`)],
    ['of a revoked session', () => endedToken(`update session set revoked_at = now() ${ofToken}`)],
    ['of an expired session', () => endedToken(`update session set expires_at = now() ${ofToken}`)],
  ])('returns 401 for a token that is %s', async (_what, make) => {
    expect((await refresh(await make())).status).toBe(401);
  });

  it('returns 401 for a disabled profile', async () => {
    const { refresh_token: token } = await signIn(platform, 'merchant_owner');
    await platform.database.rows('update profile set disabled_at = now() where id = $1', [
      people.merchant_owner.id,
    ]);
    expect((await refresh(token)).status).toBe(401);
    await platform.database.rows('update profile set disabled_at = null where id = $1', [
      people.merchant_owner.id,
    ]);
  });

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

  it.each([
    ['{}', 'grant_type'],
    ['{"grant_type":"password","refresh_token":"x"}', 'grant_type'],
    ['{"grant_type":"refresh_token"}', 'refresh_token'],
    ['{"grant_type":"refresh_token","refresh_token":5}', 'refresh_token'],
    ['{"grant_type":"refresh_token","refresh_token":""}', 'refresh_token'],
    [`{"grant_type":"refresh_token","refresh_token":"${'x'.repeat(201)}"}`, 'refresh_token'],
    ['grant_type=refresh_token', 'refresh_token'],
    ['grant_type=refresh_token&refresh_token=%00', 'refresh_token'],
  ])('returns 422 for %s', async (body, name) => {
    const reply = await post(body);
    expect([reply.status, reply.body.name]).toEqual([422, name]);
  });

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

describe('the time of last use', () => {
  it('is written when the API stops, and a rotated key set still accepts tokens of the old key', async () => {
    const session = await signIn(platform, 'merchant');
    const lastUse = async () => {
      const used = await platform.database.rows<{ session: string | null; key: string | null }>(
        `select (select last_used_at::text from session where id = $1) as session,
           (select max(last_used_at)::text from service_key where merchant_id = $2) as key`,
        [session.session_id, platform.stack.merchant_id],
      );
      return used[0];
    };
    const query = { merchant_id: platform.stack.merchant_id };
    expect(await list(session.access_token)).toBe(200);
    const byKey = { token: platform.stack.merchant_service_key, query };
    expect((await platform.call('interview-template-list', byKey)).status).toBe(200);
    await platform.api.stop();
    expect(await lastUse()).toEqual({ session: expect.any(String), key: expect.any(String) });

    const old = JSON.parse(readFileSync(platform.signingKeysFile, 'utf8')) as { keys: JWK[] };
    const fresh = await generateSigningKeys();
    writeFileSync(platform.signingKeysFile, JSON.stringify({ keys: [...fresh.keys, ...old.keys] }));
    await platform.startApi();
    expect(await list(session.access_token)).toBe(200);
    const { body } = await refresh(session.refresh_token);
    expect(await list(body.access_token)).toBe(200);
    const header = JSON.parse(Buffer.from(body.access_token.split('.')[0] ?? '', 'base64url').toString());
    expect(header).toEqual({ alg: 'ES256', kid: fresh.keys[0]?.kid, typ: 'JWT' });
    const { keys } = (await (await fetch(`${platform.stack.origin}/.well-known/jwks.json`)).json()) as {
      keys: JWK[];
    };
    expect(keys.map(({ kid }) => kid)).toEqual([fresh.keys[0]?.kid, old.keys[0]?.kid]);
  });
});
