import { readFileSync } from 'node:fs';
import type { JWK } from 'jose';
import { createLinks } from '../../../db/platform/link-tokens';
import type { InterviewLink } from '../../../db/platform/link-tokens';
import { interviewId } from '../../../local/seed/fixed-id';
import { cloneInterview, makePosition, openUrl, peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { openLink } from '../../harness/taking/open-link';

let platform: Platform;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = peopleCalls(platform);
});

const clone = (changes: Record<string, unknown> = {}) =>
  cloneInterview(platform.database, {
    name: 'Very secret <position>',
    platform_language_code: 'de',
    ...changes,
  });
const change = (table: 'interview' | 'position', id: string, changes: string) =>
  platform.database.rows(`update ${table} set ${changes} where id = $1`, [id]);
/** Registers a candidate of this interview or position, and returns the link. */
const linkTo = async (interview_id: string, more: Record<string, unknown> = {}) => {
  const [row] = await calls.register([{ email: 'ann@example.com', name: 'Ann & Bo' }], {
    interview_id,
    ...more,
  });
  return row?.interview_url ?? '';
};
const open = (url: string | URL) => openLink(url, { 'accept-language': 'nl' });
/**
 * Opens the functions that sign links, so that a test can sign a link with any content. By default, they use the keys
 * of the deployment.
 */
const ownLinks = (keysFile = platform.linkKeysFile, origin = platform.stack.portal_url) =>
  createLinks(JSON.parse(readFileSync(keysFile, 'utf8')) as { keys: JWK[] }, origin);
const unset = { availableTill: null, hideMenu: false, hideIframe: false };
const linkOf = (url: string): InterviewLink => {
  const { claims } = openUrl(url);
  return {
    enrolmentId: String(claims['sub']),
    interviewId: String(claims['interview_id']),
    generation: Number(claims['generation']),
    isTest: claims['is_test'] === true,
  };
};
const dayMs = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const inGerman = (day: string) =>
  new Intl.DateTimeFormat('de', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(day));

/** Expects that the page of the interview is in German and has this status and text. */
const expectState = async (url: string, status: number, text: string) => {
  const page = await open(url);
  expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(page.html).toContain('<html lang="de" dir="ltr">');
  expect(page.html).toContain('Very secret &lt;position>');
  // The candidate's name is shown only if the link still works.
  if (status === 200) expect(page.html).toContain('Für Ann &amp; Bo');
  else expect(page.html).not.toMatch(/Ann|Für/);
  expect(page.html).toContain(text);
  return page;
};
/** Expects the page for invalid links. It reveals nothing of the interview and is in the browser's language. */
const expectInvalid = async (url: string | URL) => {
  const page = await open(url);
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.html).toContain('<html lang="nl" dir="ltr">');
  expect(page.html).not.toMatch(/secret|Ann|Northwind/);
};

describe('a candidate’s link', () => {
  it('of an active interview is open and shows the last day', async () => {
    const page = await expectState(await linkTo(await clone()), 200, 'Interview beginnen');
    expect(page.html).not.toContain('Testlink');
  });

  it('of a draft is not open yet, but open for a test', async () => {
    const id = await clone({ status: 'draft' });
    await expectState(await linkTo(id), 200, 'Dieses Interview ist noch nicht geöffnet.');
    await expectState(await linkTo(id, { is_test: true }), 200, 'Dies ist ein Testlink');
    await change('interview', id, `status = 'active'`);
    await expectState(await linkTo(id), 200, 'Interview beginnen');
  });

  it.each(['archived', 'completed', 'deleted'])(
    'of an interview that became %s is closed',
    async (status) => {
      const id = await clone();
      const urls = [await linkTo(id), await linkTo(id, { is_test: true })];
      await change('interview', id, `status = '${status}'`);
      for (const url of urls) await expectState(url, 410, 'Dieses Interview ist geschlossen');
    },
  );

  it('is valid until the interview or the link ends, whichever is first', async () => {
    const id = await clone();
    const url = await linkTo(id);
    const linkEnds = openUrl(url).claims.exp * 1_000;
    expect(Math.round((linkEnds - Date.now()) / dayMs)).toBe(30);
    const inThreeDays = dayOf(Date.now() + 3 * dayMs);
    for (const [till, shown] of [
      [inThreeDays, inThreeDays],
      [dayOf(linkEnds + 60 * dayMs), dayOf(linkEnds)],
    ] as const) {
      await change('interview', id, `interview_available_till = '${till}'`);
      await expectState(url, 200, `bis einschließlich ${inGerman(shown)} gültig`);
    }
  });

  it('expires after 30 days', async () => {
    const link = linkOf(await linkTo(await clone()));
    const url = await (
      await ownLinks()
    ).interviewUrl(link, { ...unset, availableTill: new Date(Date.now() - 60_000) });
    await expectState(url, 410, 'Dieser Link ist abgelaufen.');
  });

  it('ends with a new generation, also for a test, and all links of the current generation work', async () => {
    const id = await clone();
    const [first, second, test] = [
      await linkTo(id),
      await linkTo(id, { hide_menu: true }),
      await linkTo(id, { is_test: true }),
    ];
    for (const url of [first, second, first]) await expectState(url, 200, 'Interview beginnen');
    await Promise.all([first, first, second].map((url) => expectState(url, 200, 'Interview beginnen')));
    await platform.database.rows('update enrolment set link_generation = 2 where scope_id = $1', [id]);
    for (const url of [first, second, test])
      await expectState(url, 410, 'Dieser Link wurde verwendet oder ersetzt');
    await expectState(await linkTo(id), 200, 'Interview beginnen');
  });

  it('of a position shows its name, status and end', async () => {
    const step = await clone({ name: 'Step one' });
    const position = await makePosition(platform.database, [step]);
    await change('position', position, `name = 'Very secret <position>'`);
    const url = await linkTo(position);
    await change(
      'interview',
      step,
      `status = 'archived', interview_available_till = '${dayOf(Date.now() - dayMs)}'`,
    );
    await expectState(url, 200, 'Interview beginnen');
    await change('position', position, `status = 'completed'`);
    await expectState(url, 410, 'Dieses Interview ist geschlossen');
  });

  it('is in the language and direction of the interview, whatever the browser prefers', async () => {
    const arabic = await open(await linkTo(await clone({ platform_language_code: 'ar' })));
    expect(arabic.html).toContain('<html lang="ar" dir="rtl">');
    const brazilian = await open(await linkTo(await clone({ platform_language_code: 'br' })));
    expect(brazilian.html).toContain('<html lang="pt-BR" dir="ltr">');
  });
});

describe('a link that is not valid', () => {
  it('because it is altered, cut, empty, repeated or missing shows nothing of the interview', async () => {
    const url = await linkTo(await clone());
    const token = new URL(url).searchParams.get('interview_token') ?? '';
    const [header = '', claims = '', signature = ''] = token.split('.');
    const forged = Buffer.from(
      Buffer.from(claims, 'base64url').toString().replace('"generation":1', '"generation":2'),
    ).toString('base64url');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const wrong = [
      `${header}.${forged}.${signature}`, `${none}.${claims}.`, token.slice(0, -3), `${token}x`, `${header}.${claims}`, 'x', '', 'a.b.c',
    ]; // prettier-ignore
    for (const altered of wrong) {
      const changed = new URL(url);
      changed.searchParams.set('interview_token', altered);
      await expectInvalid(changed);
    }
    await expectInvalid(`${url}&interview_token=${token}`);
    await expectInvalid(url.split('?')[0] ?? '');
  });

  it('because of another key, origin or audience shows nothing of the interview', async () => {
    const link = linkOf(await linkTo(await clone()));
    const foreign = [
      await ownLinks(platform.signingKeysFile),
      await ownLinks(platform.linkKeysFile, 'https://portal.example.com'),
    ];
    for (const links of foreign) {
      const { search } = new URL(await links.interviewUrl(link, unset));
      await expectInvalid(`${platform.stack.portal_url}/interview/take/${link.interviewId}/${search}`);
    }
    const account = new URL(
      await (
        await ownLinks()
      ).accountUrl({ profileId: link.enrolmentId, merchantId: platform.stack.merchant_id, generation: 0 }),
    );
    for (const token of [
      account.searchParams.get('invitation_token') ?? '',
      platform.stack.tokens.merchant_owner,
    ])
      await expectInvalid(
        `${platform.stack.portal_url}/interview/take/${link.interviewId}/?interview_token=${token}`,
      );
  });

  it('because it is at another interview’s URL shows nothing, but an id in capitals is the same interview', async () => {
    const id = await clone();
    const url = await linkTo(id);
    await expectInvalid(url.replace(id, await clone()));
    await expectInvalid(url.replace(id, 'x'));
    await expectState(url.replace(id, id.toUpperCase()), 200, 'Interview beginnen');
  });

  it('because of another interview’s enrolment, a later generation or an unknown one shows nothing', async () => {
    const link = linkOf(await linkTo(await clone()));
    const links = await ownLinks();
    for (const changed of [
      { interviewId: interviewId('active') },
      { generation: 2 },
      { enrolmentId: interviewId('active') },
    ])
      await expectInvalid(await links.interviewUrl({ ...link, ...changed }, unset));
  });

  it('is no credential of the API, and an API token is no link', async () => {
    const token = new URL(await linkTo(await clone())).searchParams.get('interview_token') ?? '';
    expect((await platform.call('merchant-status', { token })).status).toBe(401);
  });
});
