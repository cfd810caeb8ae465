import { merchants, people } from '../../../local/seed/accounts';
import { learnerCookie, makeSession as cloneSession, openPage } from '../../harness/catalogue/catalogue-rows';
import type { Platform } from '../../harness/platform/platform';
import { sendRaw } from '../../harness/platform/raw-http';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { openLink } from '../../harness/taking/open-link';

let platform: Platform;
let calls: ReturnType<typeof candidateCalls>;
let cookie: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = candidateCalls(platform);
  cookie = await learnerCookie(platform);
});

const domain = 'learn.contoso.example';
const makeSession = (changes: Record<string, unknown> = {}) =>
  calls.makeInterview([{ question: 'One?' }], {
    type: 'coaching',
    visibility: 'merchant_public',
    result_view: 'minimal_with_score',
    ...changes,
  });
/** Sends the form of a session's page, as its start button does. */
async function start(id: string, headers: Record<string, string> = {}) {
  const { portal_url } = platform.stack;
  const response = await fetch(`${portal_url}/session/${id}/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: portal_url, cookie, 'accept-language': 'nl', ...headers },
  });
  const location = response.headers.get('location') ?? '';
  const token = location === '' ? '' : (new URL(location).searchParams.get('interview_token') ?? '');
  return { status: response.status, location, token, html: await response.text() };
}
const page = async (id: string) => (await openPage(platform, `/session/${id}`, { cookie })).html;
const buttonIn = (html: string) => /<button class="button">([^<]*)</.exec(html)?.[1];
const enrolments = (id: string) =>
  platform.database.rows('select profile_id from enrolment where interview_id = $1', [id]);

describe('a session of the catalogue', () => {
  it('is started, continued and practiced again by a learner', async () => {
    const id = await makeSession();
    const fresh = await openPage(platform, `/session/${id}`, { cookie });
    expect(fresh.html).toContain('You have not started this session yet.');
    expect(buttonIn(fresh.html)).toBe('Start');
    // Browsers send the origin of the form only with this referrer policy. They follow the form's redirect only to
    // the origins in this security policy.
    expect(fresh.headers.get('referrer-policy')).toBe('same-origin');
    expect(fresh.headers.get('content-security-policy')).toContain(
      `form-action 'self' ${platform.stack.portal_url};`,
    );

    const first = await start(id);
    expect([first.status, first.location]).toEqual([
      303,
      expect.stringMatching(`^${platform.stack.portal_url}/interview/take/${id}/\\?interview_token=`),
    ]);
    const asked = (await openLink(first.location)).html;
    expect(asked).toContain('name="consent"');
    const notice =
      /href="([^"]*privacy[^"]*)"/.exec(asked)?.[1]?.replaceAll('&amp;', '&').replaceAll('&#38;', '&') ?? '';
    const pages = [asked, (await openLink(new URL(notice, platform.stack.portal_url).href)).html];
    for (const html of pages) {
      expect(html).toMatch(/practice session|give you feedback, and to contact you/);
      expect(html).not.toMatch(/Interview with|application(?!\/)|employer|decision|decide/);
    }
    await calls.begin(first.token);
    expect(buttonIn(await page(id))).toBe('Continue');
    await calls.takeAll((await start(id)).token);
    expect((await calls.call('attempt-submit', { token: first.token, body: {} })).status).toBe(200);
    const submitted = await page(id);
    expect(submitted).toContain('Times completed: 1');
    expect(submitted).toContain('Your answers are being assessed.');
    expect(buttonIn(submitted)).toBeUndefined();

    await platform.database.rows(
      `update interview_result set processing_status = 'completed', score = 7.25 where interview_id = $1`,
      [id],
    );
    const scored = await page(id);
    expect(scored).toContain('Last score: 7.25 of 10');
    expect(buttonIn(scored)).toBe('Practice again');
    const again = await start(id);
    expect((await openLink(again.location)).html).toContain('name="consent"');
    expect((await calls.begin(again.token)).attempt).toMatchObject({ attempt: 2, state: 'running' });
    expect((await calls.begin(first.token)).attempt).toMatchObject({ attempt: 2, state: 'running' });
    const running = await page(id);
    expect([buttonIn(running), running.includes('Times completed: 1')]).toEqual(['Continue', true]);
    expect(await enrolments(id)).toEqual([{ profile_id: people.user.id }]);
  });

  it('says that no practice session is left before it begins, and begins and charges nothing', async () => {
    const id = await makeSession({ platform_language_code: 'de' });
    const { token, location } = await start(id);
    const pay = (coaching: number) =>
      platform.database.rows(
        `select app.post_credits(merchant_id, 'coaching', 'expiry', $2 - coaching, null, null) from credit_account
         where merchant_id = $1`,
        [merchants.main.id, coaching],
      );
    await pay(0.3);
    const none = 'Ihre Organisation hat in diesem Monat keine Übungen mehr übrig.';
    const shown = [await page(id), (await openLink(location)).html];
    for (const html of shown) expect(html).toContain(none);
    expect([buttonIn(shown[0] ?? ''), shown[1]?.includes('name="consent"')]).toEqual([undefined, false]);
    const { status, body } = await calls.begin(token);
    expect([status, body['code'], body['error']]).toEqual([
      409,
      'state_conflict',
      'Your organization has no practice sessions left this month.',
    ]);
    expect(
      await platform.database.rows('select from interview_result where interview_id = $1', [id]),
    ).toEqual([]);
    await pay(100);
    expect((await calls.begin(token)).status).toBe(200);
  });

  it('is not started from another site, when it is archived or when its time has passed', async () => {
    const id = await makeSession();
    for (const origin of ['https://evil.example', 'null', platform.stack.origin])
      expect((await start(id, { origin })).status).toBe(403);
    const { status } = await fetch(`${platform.stack.portal_url}/session/${id}/`, {
      method: 'POST',
      headers: { cookie },
    });
    expect([status, await enrolments(id)]).toEqual([403, []]);
    const archived = await start(await makeSession({ status: 'archived' }));
    expect([archived.status, archived.html]).toEqual([
      410,
      expect.stringContaining('Deze sessie is gesloten.'),
    ]);
    const past = await makeSession({ interview_available_till: '2026-01-31' });
    const over = await start(past);
    expect([over.status, over.html]).toEqual([410, expect.stringContaining('31 januari 2026')]);
    const html = await page(past);
    expect([html, buttonIn(html)]).toEqual([
      expect.stringContaining('This session was open until January 31, 2026.'),
      undefined,
    ]);
  });
});

describe('a merchant’s own domain', () => {
  it('starts a session for a learner of that merchant', async () => {
    const { rows } = platform.database;
    await rows('update merchant set portal_domain = $1 where id = $2', [domain, merchants.other.id]);
    await rows(`insert into merchant_access (merchant_id, profile_id, role) values ($1, $2, 'user')`, [
      merchants.other.id,
      people.user.id,
    ]);
    const id = await cloneSession(platform.database, 'Theirs', { merchant_id: merchants.other.id });
    const own = await learnerCookie(platform, people.user.id, merchants.other.id);
    const post = (origin: string) =>
      sendRaw(
        platform.stack.origin,
        `POST /session/${id}/ HTTP/1.1\r\nhost: ${domain}\r\norigin: ${origin}\r\ncookie: ${own}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
      );
    expect((await post(platform.stack.portal_url)).status).toBe(403);
    const { status, headers } = await post(`http://${domain}`);
    expect([status, headers['location']]).toEqual([
      303,
      expect.stringMatching(`/interview/take/${id}/\\?interview_token=`),
    ]);
    const link = new URL(headers['location'] ?? '');
    expect(link.host).toBe(domain);
    const opened = await sendRaw(
      platform.stack.origin,
      `GET ${link.pathname}${link.search} HTTP/1.1\r\nhost: ${domain}\r\nconnection: close\r\n\r\n`,
    );
    expect(opened.status).toBe(302);
    expect(
      await rows(
        `select p.role, p.email from enrolment e join profile p on p.id = e.profile_id where e.interview_id = $1`,
        [id],
      ),
    ).toEqual([{ role: 'candidate', email: people.user.email }]);
  });
});
