import { readFileSync } from 'node:fs';
import { decodeJwt, SignJWT } from 'jose';
import type { JWK } from 'jose';
import { openKeySet } from '../../../db/platform/tokens';
import { merchants, people } from '../../../local/seed/accounts';
import { learnerCookie, makeDirectory, openPage, signedLinks } from '../../harness/catalogue/catalogue-rows';
import { peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  await makeDirectory(platform.database, 'invited', { visibility: 'merchant_invite' });
});
beforeEach(() => platform.database.rows('update merchant set portal_domain = null, start_directory = null'));

const main = merchants.main.id;
const other = merchants.other.id;
const linkOf = async (profileId: string = people.user.id, merchantId: string = main) =>
  (await signedLinks(platform)).learnerUrl(
    { profileId, merchantId },
    `${platform.stack.portal_url}/catalogue/invited`,
  );
const tokenOf = (url: string) => new URL(url).searchParams.get('learner_token') ?? '';
/** Opens the link of a learner with this token. */
const enter = async (token: string) => {
  const { status, headers } = await openPage(platform, `/catalogue/invited?learner_token=${token}`);
  return { status, location: headers.get('location'), cookies: headers.getSetCookie() };
};
const statusWith = async (cookie: string) =>
  (await openPage(platform, '/catalogue/invited', { cookie })).status;
/** Returns an expired token with the same claims as `token`. */
const expired = async (token: string) => {
  const jwks = JSON.parse(readFileSync(platform.linkKeysFile, 'utf8')) as { keys: JWK[] };
  const keys = await openKeySet(jwks, 'LINK_SIGNING_KEYS');
  return keys.sign(new SignJWT({ ...decodeJwt(token) }).setExpirationTime(new Date(Date.now() - 60_000)));
};
/** Inserts an active account of the merchant. */
const activeAccount = async (email: string, merchantId = main) => {
  const [row] = await platform.database.rows<{ id: string }>(
    `insert into profile (merchant_id, role, email, email_key, activated_at) values ($1, 'user', $2, $2, now()) returning id`,
    [merchantId, email],
  );
  return row?.id ?? '';
};

describe('a learner’s link', () => {
  it('sets a cookie until its own end, and redirects to the URL without the token', async () => {
    const token = tokenOf(await linkOf());
    const { status, location, cookies } = await enter(token);
    expect([status, location]).toEqual([303, '/catalogue/invited']);
    expect(cookies).toEqual([
      expect.stringMatching(/^learner=[\w.-]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/),
    ]);
    const ends = Date.parse(/Expires=([^;]+)/.exec(cookies[0] ?? '')?.[1] ?? '');
    expect(ends).toBe(Number(decodeJwt(token).exp) * 1_000);
    expect(Math.round((ends - Date.now()) / 86_400_000)).toBe(30);
    expect(await statusWith('')).toBe(404);
    expect(await statusWith(cookies[0]?.split(';')[0] ?? '')).toBe(200);
  });

  it('sets no cookie when it is altered, expired, repeated, of another kind or of another merchant', async () => {
    const token = tokenOf(await linkOf());
    const links = await signedLinks(platform);
    const account = new URL(
      await links.accountUrl({ profileId: people.user.id, merchantId: main, generation: 0 }),
    );
    const stranger = await activeAccount('stranger@example.com', other);
    const wrong = [
      `${token}x`,
      'x',
      '',
      await expired(token),
      account.searchParams.get('invitation_token') ?? '',
      platform.stack.tokens.merchant_owner,
      `${token}&learner_token=${token}`,
      tokenOf(await linkOf(people.user.id, other)),
      tokenOf(await linkOf(stranger, main)),
      tokenOf(await linkOf(stranger, other)),
    ];
    for (const each of wrong) {
      expect(await enter(each)).toEqual({ status: 303, location: '/catalogue/invited', cookies: [] });
      expect(await statusWith(`learner=${each.split('&')[0]}`)).toBe(each.includes('&') ? 200 : 404);
    }
    expect(await statusWith(`other=${token}; learner=${token}`)).toBe(200);
    // A browser can also send cookies with the same name that belong to other paths or domains.
    for (const each of ['x', await expired(token), tokenOf(await linkOf(people.user.id, other))])
      expect(await statusWith(`learner=${each}; learner=${token}`)).toBe(200);
  });

  it('of a disabled profile or one without access ends with the next page', async () => {
    const id = await activeAccount('leaves@example.com');
    const cookie = await learnerCookie(platform, id);
    expect(await statusWith(cookie)).toBe(200);
    await platform.database.rows('update profile set disabled_at = now() where id = $1', [id]);
    expect(await statusWith(cookie)).toBe(404);
    expect((await enter(cookie.slice('learner='.length))).cookies).toEqual([]);

    const guest = await activeAccount('guest@example.com', other);
    await platform.database.rows(
      `insert into merchant_access (merchant_id, profile_id, role) values ($1, $2, 'user')`,
      [main, guest],
    );
    const guestCookie = await learnerCookie(platform, guest);
    expect(await statusWith(guestCookie)).toBe(200);
    await platform.database.rows('delete from merchant_access where profile_id = $1', [guest]);
    expect(await statusWith(guestCookie)).toBe(404);
  });
});

describe('the page of an accepted invitation', () => {
  const begin = (id: string, changes: string) =>
    platform.database.rows(`update merchant set ${changes} where id = $1`, [id]);
  const invite = async (email: string, type: string) => {
    const [row] = await peopleCalls(platform).invite([{ email, type }]);
    const links = await signedLinks(platform);
    const url = await links.accountUrl({ profileId: row?.profile_id ?? '', merchantId: main, generation: 0 });
    return { url, token: new URL(url).searchParams.get('invitation_token') ?? '' };
  };
  const accept = async (token: string) =>
    (
      await fetch(`${platform.stack.portal_url}/invitation/`, {
        method: 'POST',
        body: new URLSearchParams({ invitation_token: token }),
      })
    ).text();
  const linkIn = (html: string) => /<a class="button" href="([^"]+)">/.exec(html)?.[1];

  it('leads a learner into the catalogue as that learner, at the merchant’s own host name, and the team to the console', async () => {
    await begin(main, `start_directory = 'invited'`);
    const { url, token } = await invite('accepts-user@example.com', 'user');
    expect(linkIn((await openPage(platform, url)).html)).toBeUndefined();
    const pages = [await accept(token), await accept(token), (await openPage(platform, url)).html];
    for (const html of pages) {
      const link = linkIn(html) ?? '';
      expect(link).toMatch(new RegExp(`^${platform.stack.portal_url}/catalogue/invited\\?learner_token=`));
      const { cookies } = await enter(tokenOf(link));
      expect(await statusWith(cookies[0]?.split(';')[0] ?? '')).toBe(200);
    }
    expect(linkIn(await accept(await expired(token)))).toBeUndefined();
    await begin(main, `portal_domain = 'learn.northwind.example'`);
    expect(linkIn(await accept((await invite('accepts-at-host@example.com', 'user')).token))).toMatch(
      /^https:\/\/learn\.northwind\.example\/catalogue\/invited\?learner_token=/,
    );
    const team = await invite('accepts-team@example.com', 'merchant');
    expect(linkIn(await accept(team.token))).toBe(`${platform.stack.origin}/console`);
  });
});
