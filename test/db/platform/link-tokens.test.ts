import { createHmac } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import type { JWK } from 'jose';
import { createLinkTokens } from '../../../db/platform/link-tokens';
import type { LinkTokens } from '../../../db/platform/link-tokens';
import { createAccessTokens, generateSigningKeys } from '../../../db/platform/tokens';
import { uuid } from './world';

const portal = 'https://portal.example';
const link = { enrolmentId: uuid(), interviewId: uuid(), generation: 3, isTest: false };
const account = { profileId: uuid(), merchantId: uuid(), generation: 3 };
const plain = { availableTill: null, hideMenu: false, hideIframe: false };
const day = 86_400_000;

let keys: { keys: JWK[] };
let links: LinkTokens;
beforeAll(async () => {
  keys = await generateSigningKeys();
  links = await createLinkTokens(keys, portal);
});

const tokenOf = (url: string, name = 'interview_token') => new URL(url).searchParams.get(name) ?? '';
const interviewToken = async () => tokenOf(await links.interviewUrl(link, plain));
const accountToken = async () => tokenOf(await links.accountUrl(account), 'invitation_token');
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = '') =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

/**
 * Signs a copy of an interview token in which `claims` and `header` replace the original ones. The default key is the
 * first one.
 */
async function sign(
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
  key = keys.keys[0],
) {
  const payload = decode((await interviewToken()).split('.')[1]);
  return new SignJWT({ ...payload, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: key?.kid ?? '', ...header })
    .sign(await importJWK(key ?? {}, 'ES256'));
}

describe('a link to an interview', () => {
  it('names its page, and the attempt in its token', async () => {
    const url = new URL(await links.interviewUrl(link, plain));
    expect(url.origin + url.pathname).toBe(`${portal}/interview/take/${link.interviewId}/`);
    expect([...url.searchParams.keys()]).toEqual(['interview_token']);
    expect(await links.openInterviewLink(tokenOf(url.href))).toEqual({
      ...link,
      expiresAt: expect.any(Date),
      isExpired: false,
    });
  });

  it('hides menu and frame on request', async () => {
    const url = new URL(await links.interviewUrl(link, { ...plain, hideMenu: true, hideIframe: true }));
    expect([...url.searchParams].slice(1)).toEqual([
      ['view_hm', 'true'],
      ['view_hi', 'true'],
    ]);
  });

  it('works for 30 days or until the interview ends', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const opened = await links.openInterviewLink(await interviewToken());
    expect(opened?.expiresAt.getTime()).toBeGreaterThanOrEqual(before + 30 * day);
    expect(opened?.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 30 * day);
    const availableTill = new Date('2100-01-01T00:00:00Z');
    const token = tokenOf(await links.interviewUrl(link, { ...plain, availableTill }));
    expect((await links.openInterviewLink(token))?.expiresAt).toEqual(availableTill);
  });

  it('is reported with its content when it has expired', async () => {
    const availableTill = new Date('2026-01-01T00:00:00Z');
    const token = tokenOf(await links.interviewUrl(link, { ...plain, availableTill }));
    expect(await links.openInterviewLink(token)).toEqual({
      ...link,
      expiresAt: availableTill,
      isExpired: true,
    });
  });

  it('is rejected when it has expired and was altered or is for another audience', async () => {
    const past = { exp: 1_700_000_000 };
    const expired = await sign(past);
    const [header, payload = '', signature] = expired.split('.');
    const other = encode({ ...decode(payload), generation: 4 });
    expect(await links.openInterviewLink(`${header}.${other}.${signature}`)).toBeUndefined();
    expect(await links.openInterviewLink(await sign({ ...past, aud: 'account' }))).toBeUndefined();
    expect(await links.openInterviewLink(expired)).toMatchObject({ isExpired: true });
  });

  it.each<[string, (token: string) => string]>([
    ['nothing', () => ''],
    ['no token', () => 'abc'],
    ['two parts', (token) => token.split('.').slice(0, 2).join('.')],
    [
      'another generation under the same signature',
      (token) => {
        const [header, payload, signature] = token.split('.');
        return `${header}.${encode({ ...decode(payload), generation: 4 })}.${signature}`;
      },
    ],
    ['a changed signature', (token) => `${token.slice(0, -3)}${token.endsWith('AAA') ? 'BBB' : 'AAA'}`],
    ['alg none', (token) => `${encode({ alg: 'none' })}.${token.split('.')[1]}.`],
    [
      'HS256 with the public key for a secret',
      (token) => {
        const { kid, x, y } = keys.keys[0] ?? {};
        const signed = `${encode({ alg: 'HS256', kid })}.${token.split('.')[1]}`;
        const secret = JSON.stringify({ kty: 'EC', crv: 'P-256', x, y });
        return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
      },
    ],
  ])('is rejected when it is %s', async (_, alter) => {
    expect(await links.openInterviewLink(alter(await interviewToken()))).toBeUndefined();
  });

  it.each<[string, Record<string, unknown>]>([
    ['another audience', { aud: 'account' }],
    ['another issuer', { iss: 'https://elsewhere.example' }],
    ['no audience', { aud: undefined }],
    ['no end', { exp: undefined }],
    ['no generation', { generation: undefined }],
    ['a generation that is no integer', { generation: 1.5 }],
    ['no enrolment', { sub: undefined }],
    ['an enrolment that is no id', { sub: '1' }],
  ])('is rejected when we signed it with %s', async (_, claims) => {
    expect(await links.openInterviewLink(await sign(claims))).toBeUndefined();
    expect(await links.openInterviewLink(await sign({}))).toMatchObject(link);
  });

  it('is rejected when another key of the same name signed it', async () => {
    const [stranger] = (await generateSigningKeys()).keys;
    const token = await sign({}, { kid: keys.keys[0]?.kid }, stranger);
    expect(await links.openInterviewLink(token)).toBeUndefined();
  });
});

describe('a link to an account', () => {
  it('names the account and the merchant', async () => {
    const url = new URL(await links.accountUrl(account));
    expect(url.origin + url.pathname).toBe(`${portal}/invitation/`);
    expect(await links.openAccountLink(await accountToken())).toEqual({
      ...account,
      expiresAt: expect.any(Date),
      isExpired: false,
    });
  });

  it('is rejected as a link to an interview, and the other way round', async () => {
    expect(await links.openInterviewLink(await accountToken())).toBeUndefined();
    expect(await links.openAccountLink(await interviewToken())).toBeUndefined();
  });

  it('is reported with its content when it has expired', async () => {
    const token = await sign({
      aud: 'account',
      sub: account.profileId,
      merchant_id: account.merchantId,
      generation: account.generation,
      exp: 1_700_000_000,
    });
    expect(await links.openAccountLink(token)).toMatchObject({ ...account, isExpired: true });
  });

  it('has the first generation when it was signed before generations existed', async () => {
    const token = await sign({
      aud: 'account',
      sub: account.profileId,
      merchant_id: account.merchantId,
      generation: undefined,
      exp: 1_700_000_000,
    });
    expect(await links.openAccountLink(token)).toMatchObject({ ...account, generation: 0 });
  });
});

describe('keys', () => {
  it('do not verify a link as an access token or an access token as a link, even with one key and issuer', async () => {
    const tokens = await createAccessTokens(keys, portal);
    const access = await tokens.sign({
      profileId: account.profileId,
      sessionId: uuid(),
      role: 'merchant',
      merchantId: account.merchantId,
      environment: 'production',
    });
    await expect(tokens.verify(access)).resolves.toMatchObject({ profileId: account.profileId });
    expect(await links.openInterviewLink(access)).toBeUndefined();
    expect(await links.openAccountLink(access)).toBeUndefined();
    for (const token of [await interviewToken(), await accountToken()])
      await expect(tokens.verify(token)).rejects.toMatchObject({ claim: 'aud' });
  });

  it('sign with the new key after a rotation, and verify old links until the old key is removed', async () => {
    const fresh = await generateSigningKeys();
    const old = await interviewToken();
    const rotated = await createLinkTokens({ keys: [...fresh.keys, ...keys.keys] }, portal);
    const renewed = await createLinkTokens(fresh, portal);
    expect(await rotated.openInterviewLink(old)).toMatchObject(link);
    expect(await renewed.openInterviewLink(old)).toBeUndefined();
    const now = tokenOf(await rotated.interviewUrl(link, plain));
    expect(await renewed.openInterviewLink(now)).toMatchObject(link);
    expect(await links.openInterviewLink(now)).toBeUndefined();
  });

  it.each<[string, () => { keys: JWK[] }]>([
    ['no key', () => ({ keys: [] })],
    ['a key without its private part', () => ({ keys: keys.keys.map((key) => ({ ...key, d: undefined })) })],
    ['a key without a kid', () => ({ keys: keys.keys.map((key) => ({ ...key, kid: undefined })) })],
    ['a secret', () => ({ keys: [{ kty: 'oct', kid: 'k', k: 'c2VjcmV0' }] })],
  ])('are rejected at the start: %s', async (_, set) => {
    await expect(createLinkTokens(set(), portal)).rejects.toThrow(/^LINK_SIGNING_KEYS must /);
  });
});
