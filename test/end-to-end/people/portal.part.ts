import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { JWK } from 'jose';
import { createLinks } from '../../../db/platform/link-tokens';
import type { InterviewLink } from '../../../db/platform/link-tokens';
import { interviewId } from '../../../local/seed/interviews';
import { waitFor } from '../../harness/wait-for';
import { cloneInterview, makePosition, openUrl, peopleCalls } from '../../harness/people/people';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import type { Platform } from '../../harness/platform/platform';
import { sendRaw } from '../../harness/platform/raw-http';
import { errorBody } from '../../harness/platform/error-body';

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
const open = async (url: string | URL, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers: { 'accept-language': 'nl', ...headers } });
  return { status: response.status, headers: response.headers, html: await response.text() };
};
/** Signs links of any content with the keys of the deployment. */
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

/** Expects the interview's page in German with this status and text. */
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
/** Expects the page for invalid links, which shows nothing of the interview and is in the browser's language. */
const expectInvalid = async (url: string | URL) => {
  const page = await open(url);
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.html).toContain('<html lang="nl" dir="ltr">');
  expect(page.html).not.toMatch(/secret|Ann|Northwind/);
};

describe('a candidate’s link', () => {
  it('of an active interview is open and shows the last day', async () => {
    const page = await expectState(await linkTo(await clone()), 200, 'Ihr Link ist gültig.');
    expect(page.html).not.toContain('Testlink');
  });

  it('of a draft is not open yet, but open for a test', async () => {
    const id = await clone({ status: 'draft' });
    await expectState(await linkTo(id), 200, 'Dieses Interview ist noch nicht geöffnet.');
    await expectState(await linkTo(id, { is_test: true }), 200, 'Dies ist ein Testlink');
    await change('interview', id, `status = 'active'`);
    await expectState(await linkTo(id), 200, 'Ihr Link ist gültig.');
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

  it('of an interview that has ended since shows that day', async () => {
    const id = await clone();
    const url = await linkTo(id);
    const yesterday = dayOf(Date.now() - dayMs);
    await change('interview', id, `interview_available_till = '${yesterday}'`);
    await expectState(url, 410, inGerman(yesterday));
    await expectState(url, 410, 'Die Zeit für dieses Interview ist abgelaufen');
  });

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
    for (const url of [first, second, first]) await expectState(url, 200, 'Ihr Link ist gültig.');
    await Promise.all([first, first, second].map((url) => expectState(url, 200, 'Ihr Link ist gültig.')));
    await platform.database.rows('update enrolment set link_generation = 2 where scope_id = $1', [id]);
    for (const url of [first, second, test])
      await expectState(url, 410, 'Dieser Link wurde verwendet oder ersetzt');
    await expectState(await linkTo(id), 200, 'Ihr Link ist gültig.');
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
    await expectState(url, 200, 'Ihr Link ist gültig.');
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
    await expectState(url.replace(id, id.toUpperCase()), 200, 'Ihr Link ist gültig.');
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

describe('a page of the portal', () => {
  it('runs no script, loads nothing from other hosts, and has its styles on the same host', async () => {
    const url = await linkTo(await clone());
    for (const page of [
      await open(url),
      await open(`${platform.stack.portal_url}/nothing`),
      await open(`${platform.stack.portal_url}/invitation/`),
    ]) {
      const style = /<link rel="stylesheet" href="([^"]+)"/.exec(page.html)?.[1] ?? '';
      const { status, headers } = await fetch(new URL(style, platform.stack.portal_url));
      expect([status, headers.get('cache-control')]).toEqual([200, expect.stringContaining('immutable')]);
      expect(page.headers.get('content-security-policy')).toBe(
        `default-src 'none'; img-src 'self'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      );
      expect(page.html).not.toMatch(/<script| style=| on\w+=|https?:\/\/(?!localhost)/);
      expect([page.headers.get('cache-control'), page.headers.get('x-robots-tag')]).toEqual([
        'no-store',
        'noindex',
      ]);
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it('supports HEAD without a body, and no other method', async () => {
    const url = await linkTo(await clone());
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const posted = await fetch(url, { method: 'POST', headers: { 'accept-language': 'nl' } });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await posted.text()).toMatch(/<html lang="nl"[^]*Deze link werkt niet/);
  });

  it('exists on the portal’s host only, in any case, where the API does not exist', async () => {
    const url = new URL(await linkTo(await clone()));
    const ask = (host: string, path: string) =>
      sendRaw(platform.stack.origin, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    const path = url.pathname + url.search;
    expect((await ask(`LocalHost:${url.port}`, path)).status).toBe(200);
    for (const host of [`127.0.0.1:${url.port}`, 'evil.example', 'localhost.evil.example', 'x.localhost'])
      expect([host, (await ask(host, path)).status, (await ask(host, path)).headers['content-type']]).toEqual(
        [host, 404, 'application/json; charset=utf-8'],
      );
    for (const apiPath of ['/v1/merchant-status', '/docs', '/auth/token', '/v1/openapi']) {
      const reply = await ask(url.host, apiPath);
      expect([apiPath, reply.status, JSON.parse(reply.body)]).toEqual([
        apiPath,
        404,
        errorBody('not_found', undefined, expect.stringContaining(platform.stack.origin)),
      ]);
    }
    expect((await ask(url.host, '/hooks/sendgrid')).status).toBe(404);
    const undecodable = await ask(url.host, '/interview/take/%zz/');
    expect([undecodable.status, undecodable.headers['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
  });

  it.each([
    ['nl-NL,nl;q=0.9,en-US;q=0.8', 'nl'],
    ['pt-BR,pt;q=0.9', 'pt-BR'],
    ['pt', 'pt'],
    ['pt-PT,en;q=0.5', 'pt'],
    ['br', 'en'],
    ['br,fr;q=0.5', 'fr'],
    ['nb-NO,en;q=0.5', 'no'],
    ['nn', 'no'],
    ['no', 'no'],
    ['zh-TW', 'zh'],
    ['zh-Hant-HK,en;q=0.5', 'zh'],
    ['fil-PH', 'fil'],
    ['xx-Latn', 'en'],
    ['*', 'en'],
    ['de;q=0.1,*;q=0', 'de'],
    ['', 'en'],
  ])('that does not exist is shown to a browser of %p in %s', async (sent, lang) => {
    const { html } = await open(`${platform.stack.portal_url}/nothing`, { 'accept-language': sent });
    expect(html).toContain(`<html lang="${lang}" `);
  });

  it('that fails says so with a 500, and the error is logged', async () => {
    const url = await linkTo(await clone());
    await platform.database.rows('revoke select on enrolment from app_link');
    const page = await open(url);
    await platform.database.rows(
      'grant select (id, interview_id, position_id, name, link_generation) on enrolment to app_link',
    );
    expect([page.status, page.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
    expect(page.html).toMatch(
      /<html lang="nl"[^]*<h1>Deze pagina is op dit moment niet beschikbaar<\/h1>\s*<p>Probeer het over enkele minuten opnieuw\.<\/p>/,
    );
    expect(page.html).not.toMatch(/secret|Ann|Northwind|permission/);
    const isLogged = () =>
      /"code":"42501".*"request failed"/.test(readFileSync(platform.api.logFile, 'utf8'));
    await waitFor('what failed to be logged', async () => isLogged());
  });

  it('logs neither query nor token', async () => {
    const url = await linkTo(await clone());
    const id = `page-${randomUUID()}`;
    await open(url, { 'x-request-id': id });
    const log = await waitFor('the page in the log', async () => {
      const text = readFileSync(platform.api.logFile, 'utf8');
      return text.includes(id) && text;
    });
    expect(log).toContain('"operation":"interview-page"');
    expect(log).not.toMatch(/interview_token|eyJ|ann@example|Ann & Bo|secret/);
  });
});
