import { readFileSync } from 'node:fs';
import type { JWK } from 'jose';
import { createLinkTokens } from '../../../db/platform/link-tokens';
import { merchants } from '../../../local/seed/accounts';
import { eachRow } from '../../harness/each-row';
import { peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = peopleCalls(platform);
});

const linkKeys = () => JSON.parse(readFileSync(platform.linkKeysFile, 'utf8')) as { keys: JWK[] };
const tokenOf = (url: string) => new URL(url).searchParams.get('invitation_token') ?? '';
/** Invites a person. Returns the person's id, and the link of the invitation with its token. */
const invite = async (email: string, type = 'merchant', language = 'de') => {
  const [row] = await calls.invite([{ email, type }], { platform_language_code: language });
  const links = await createLinkTokens(linkKeys(), platform.stack.portal_url);
  const profileId = row?.profile_id ?? '';
  const url = await links.accountUrl({ profileId, merchantId: merchants.main.id, generation: 0 });
  return { url, profileId, token: tokenOf(url) };
};
const pageOf = async (response: Response) => ({ status: response.status, html: await response.text() });
const show = async (url: string | URL) => pageOf(await fetch(url, { headers: { 'accept-language': 'nl' } }));
const accept = async (token?: string) =>
  pageOf(
    await fetch(`${platform.stack.portal_url}/invitation/`, {
      method: 'POST',
      body: new URLSearchParams(token === undefined ? {} : { invitation_token: token }),
      headers: { 'accept-language': 'nl' },
    }),
  );
const activatedAt = async (profileId: string) =>
  (
    await platform.database.rows<{ activated_at: Date | null }>(
      'select activated_at from profile where id = $1',
      [profileId],
    )
  )[0]?.activated_at;
const invalid = { status: 404, html: expect.stringMatching(/<html lang="nl"[^]*Deze link werkt niet/) };
/**
 * Invites a person to the main merchant. The person already has an account, because another merchant sent the first
 * invitation.
 */
const inviteFromElsewhere = async (email: string, { home, here }: { home: string; here: string }) => {
  await calls.invite(
    [{ email, type: home }],
    { merchant_id: merchants.other.id, platform_language_code: 'de' },
    { token: platform.stack.service_key },
  );
  return invite(email, here);
};
const team = 'um dem Team beizutreten.';
const coaching = 'um das Coaching-Portal zu nutzen.';
const done = { status: 200, html: expect.stringContaining('Fertig: Ihr Zugang ist aktiv.') };

describe('GET /invitation/', () => {
  it('shows who invites and to what, in the invitation’s language, and accepts nothing', () =>
    eachRow(
      [
        ['merchant', 'Nehmen Sie die Einladung an, um dem Team beizutreten.'],
        ['mentor', 'Nehmen Sie die Einladung an, um das Coaching-Portal zu nutzen.'],
      ],
      async (type, text) => {
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
      },
    ));

  it('returns the page for invalid links for an altered, missing or repeated token or one of a candidate', async () => {
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
});

describe('an invitation of an account that has its home at another merchant', () => {
  it('asks a person who is pending at both merchants for the role here, and accepts once', () =>
    eachRow(
      [
        ['merchant', 'mentor', coaching],
        ['user', 'merchant', team],
      ],
      async (home, here, text) => {
        const { url, token, profileId } = await inviteFromElsewhere(`pending-${here}@example.com`, {
          home,
          here,
        });
        expect(await show(url)).toEqual({ status: 200, html: expect.stringContaining(text) });
        expect(await activatedAt(profileId)).toBeNull();
        expect(await accept(token)).toEqual(done);
        expect(await activatedAt(profileId)).toBeInstanceOf(Date);
      },
    ));
});

describe('POST /invitation/', () => {
  it('accepts once, and says so the second time, also on the page', async () => {
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

  it('accepts once for ten simultaneous requests', async () => {
    const { token } = await invite('rush@example.com');
    const pages = await Promise.all(Array.from({ length: 10 }, () => accept(token)));
    expect(pages.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(pages.filter(({ html }) => html.includes('Fertig'))).toHaveLength(1);
    expect(pages.filter(({ html }) => html.includes('bereits angenommen'))).toHaveLength(9);
  });

  it('rejects a form without our token, with another content type or too long', async () => {
    const { token } = await invite('form@example.com');
    for (const wrong of [undefined, '', 'x', `${token}x`, platform.stack.tokens.merchant])
      expect(await accept(wrong)).toEqual(invalid);
    const send = (body: string, contentType: string) =>
      fetch(`${platform.stack.portal_url}/invitation/`, {
        method: 'POST',
        body,
        headers: { 'content-type': contentType, 'accept-language': 'nl' },
      });
    const form = 'application/x-www-form-urlencoded';
    for (const [status, body, contentType] of [
      [404, JSON.stringify({ invitation_token: token }), 'application/json'],
      [404, 'a=1', `${form}; charset=x-none`],
    ] as const)
      expect(await pageOf(await send(body, contentType))).toEqual({ ...invalid, status });
    expect(await pageOf(await send(`invitation_token=${'x'.repeat(20_000)}`, form))).toEqual({
      status: 413,
      html: expect.stringMatching(/<html lang="nl"[^]*De tekst is te lang/) as string,
    });
  });
});
