import { readFileSync } from 'node:fs';
import { decodeJwt, SignJWT } from 'jose';
import type { JWK } from 'jose';
import { createLinks } from '../../db/link-tokens';
import { openKeySet } from '../../db/tokens';
import { merchants } from '../../local/seed/accounts';
import { peopleCalls } from '../harness/people';
import { startPlatform } from '../harness/platform';
import type { Platform } from '../harness/platform';

let platform: Platform;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await startPlatform({ worker: false });
  calls = peopleCalls(platform);
});
afterAll(() => platform.stop());

const linkKeys = () => JSON.parse(readFileSync(platform.linkKeysFile, 'utf8')) as { keys: JWK[] };
const tokenOf = (url: string) => new URL(url).searchParams.get('invitation_token') ?? '';
/** A new account's invitation, and the link that its mail holds. */
const invite = async (email: string, type = 'merchant', language = 'de') => {
  const [row] = await calls.invite([{ email, type }], { platform_language_code: language });
  const links = await createLinks(linkKeys(), platform.stack.portal_url);
  const profileId = row?.profile_id ?? '';
  const url = await links.accountUrl({ profileId, merchantId: merchants.main.id });
  return { url, profileId, token: tokenOf(url) };
};
/** The same link, past its 30 days. */
const expired = async (token: string) => {
  const keys = await openKeySet(linkKeys(), 'LINK_SIGNING_KEYS');
  return keys.sign(new SignJWT({ ...decodeJwt(token) }).setExpirationTime(new Date(Date.now() - 60_000)));
};
const show = async (url: string | URL) => {
  const response = await fetch(url, { headers: { 'accept-language': 'nl' } });
  return { status: response.status, html: await response.text() };
};
const accept = async (token?: string) => {
  const response = await fetch(`${platform.stack.portal_url}/invitation/`, {
    method: 'POST',
    body: new URLSearchParams(token === undefined ? {} : { invitation_token: token }),
    headers: { 'accept-language': 'nl' },
  });
  return { status: response.status, html: await response.text() };
};
const activatedAt = async (profileId: string) =>
  (
    await platform.database.rows<{ activated_at: Date | null }>(
      'select activated_at from profile where id = $1',
      [profileId],
    )
  )[0]?.activated_at;
const invalid = { status: 404, html: expect.stringContaining('<html lang="nl"') };

describe('GET /invitation/', () => {
  it.each([
    ['merchant', 'Nehmen Sie die Einladung an, um dem Team beizutreten.'],
    ['mentor', 'Nehmen Sie die Einladung an, um das Coaching-Portal zu nutzen.'],
  ])('type %s: who invites to what, in the invitation’s language; accepts nothing', async (type, text) => {
    const { url, profileId } = await invite(`get-${type}@example.com`, type);
    for (const _ of [1, 2]) {
      const { status, html } = await show(url);
      expect(status).toBe(200);
      for (const part of [
        '<html lang="de"',
        'Northwind Talent lädt Sie ein',
        text,
        '<button>Annehmen</button>',
      ])
        expect(html).toContain(part);
    }
    await fetch(url, { method: 'HEAD' });
    expect(await activatedAt(profileId)).toBeNull();
  });

  it('with a token that is altered, missing, repeated or a candidate’s: invalid, nothing of the account', async () => {
    const { url, token } = await invite('get-wrong@example.com');
    const [candidate] = await calls.register([{ email: 'c@example.com' }]);
    const interviewToken = new URL(candidate?.interview_url ?? '').searchParams.get('interview_token') ?? '';
    const wrong = [
      '',
      `?invitation_token=${token}x`,
      `?invitation_token=${interviewToken}`,
      `?invitation_token=${token}&invitation_token=${token}`,
    ];
    for (const search of wrong) {
      const page = await show(new URL(`/invitation/${search}`, url));
      expect(page).toEqual(invalid);
      expect(page.html).not.toMatch(/Northwind|form/);
    }
  });

  it('expired or disabled: 410, with whom to ask, without a form', async () => {
    const { url, token, profileId } = await invite('get-ended@example.com');
    const pages = [await show(new URL(`/invitation/?invitation_token=${await expired(token)}`, url))];
    await platform.database.rows('update profile set disabled_at = now() where id = $1', [profileId]);
    pages.push(await show(url));
    for (const { status, html } of pages) {
      expect([status, html]).toEqual([
        410,
        expect.stringContaining('Diese Einladung ist nicht mehr gültig. Bitte fragen Sie Northwind Talent'),
      ]);
      expect(html).not.toContain('<form');
    }
  });
});

describe('POST /invitation/', () => {
  it('accepts once; a second time tells so, and so does the page', async () => {
    const { url, token, profileId } = await invite('post@example.com');
    expect(await accept(token)).toEqual({
      status: 200,
      html: expect.stringContaining('Fertig: Ihr Zugang ist aktiv.'),
    });
    const at = await activatedAt(profileId);
    expect(at).toBeInstanceOf(Date);
    expect(await accept(token)).toEqual({ status: 200, html: expect.stringContaining('bereits angenommen') });
    const { html } = await show(url);
    expect([html.includes('bereits angenommen'), html.includes('<form')]).toEqual([true, false]);
    expect(await activatedAt(profileId)).toEqual(at);
    expect((await calls.invite([{ email: 'post@example.com' }]))[0]).toMatchObject({
      result: 'Activated',
      profile_id: profileId,
    });
  });

  it('ten times at once: accepted once', async () => {
    const { token } = await invite('rush@example.com');
    const pages = await Promise.all(Array.from({ length: 10 }, () => accept(token)));
    expect(pages.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(pages.filter(({ html }) => html.includes('Fertig'))).toHaveLength(1);
    expect(pages.filter(({ html }) => html.includes('bereits angenommen'))).toHaveLength(9);
  });

  it('expired or disabled: 410, not accepted', async () => {
    const { token, profileId } = await invite('late@example.com');
    expect((await accept(await expired(token))).status).toBe(410);
    await platform.database.rows('update profile set disabled_at = now() where id = $1', [profileId]);
    expect((await accept(token)).status).toBe(410);
    expect(await activatedAt(profileId)).toBeNull();
  });

  it('without our token: invalid; of another form or too long: refused', async () => {
    const { token } = await invite('form@example.com');
    for (const wrong of [undefined, '', 'x', `${token}x`, platform.stack.tokens.merchant])
      expect(await accept(wrong)).toEqual(invalid);
    const send = (body: string, contentType: string) =>
      fetch(`${platform.stack.portal_url}/invitation/`, {
        method: 'POST',
        body,
        headers: { 'content-type': contentType },
      });
    expect((await send(JSON.stringify({ invitation_token: token }), 'application/json')).status).toBe(404);
    expect(
      (await send(`invitation_token=${'x'.repeat(20_000)}`, 'application/x-www-form-urlencoded')).status,
    ).toBe(413);
    expect((await send('a=1', 'application/x-www-form-urlencoded; charset=x-none')).status).toBe(422);
  });

  it('another method: 405 with those that there are', async () => {
    const response = await fetch(`${platform.stack.portal_url}/invitation/`, { method: 'PUT' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  });

  it('leaves no token in a log line', async () => {
    const { token, url } = await invite('log@example.com');
    await show(url);
    await accept(token);
    await platform.call('merchant-status');
    const log = readFileSync(platform.api.logFile, 'utf8');
    expect(log).toContain('"operation":"invitation-accept"');
    expect(log).not.toMatch(/invitation_token|eyJ|log@example/);
  });
});
