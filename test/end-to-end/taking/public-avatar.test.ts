import { languageTexts } from '../../../api/platform/text/language-texts';
import { openConsole } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { embedCalls } from '../../harness/taking/embed';
import { fact, visitorCalls } from '../../harness/taking/visitor';

/* The page of a public avatar (docs/taking.md#public-avatars). */

let platform: Platform;
let makeAvatar: ReturnType<typeof visitorCalls>['makeAvatar'];
let openBrowser: ReturnType<typeof visitorCalls>['openBrowser'];
let visitsOf: ReturnType<typeof visitorCalls>['visitsOf'];
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  ({ makeAvatar, openBrowser, visitsOf } = visitorCalls(platform));
});
const texts = languageTexts.en;

describe('the page of a public avatar', () => {
  it('says that it is an AI, answers questions, and stores the visit for the recruiter', async () => {
    const { id, slug } = await makeAvatar();
    const browser = openBrowser(`/talk/${slug}/`);
    const first = await browser.show();
    expect(first.status).toBe(200);
    expect(first.html).toContain('This is an AI, not a person.');
    // Without this policy, browsers would send the forms of the page with the origin null.
    expect(first.headers.get('referrer-policy')).toBe('same-origin');
    expect(first.setCookie).toMatch(new RegExp(`^talk-${slug}=[\\w.-]+; Path=/; HttpOnly; SameSite=Lax$`));
    expect(await visitsOf(id)).toEqual([]);
    const { posted, page } = await browser.ask('Does the canteen serve vegetarian dishes?');
    expect([posted.status, posted.headers.get('location')]).toEqual([303, `/talk/${slug}/#question`]);
    expect(page.html).toContain(`<p dir="auto">${fact}</p>`);
    expect((await browser.ask('Who is the boss?')).page.html).toContain(texts.spoken.avatar_unknown);
    const [visit] = await visitsOf(id);
    const details = await platform.call('job-interview-details', {
      query: { interview_result_id: visit?.id ?? '' },
    });
    expect(details.body).toMatchObject({
      candidate: null,
      score: null,
      transcript: [
        { question_asked: texts.spoken.avatar_prompt, answer: 'Does the canteen serve vegetarian dishes?' },
        { question_asked: fact, answer: 'Who is the boss?' },
        { question_asked: texts.spoken.avatar_unknown, answer: null },
      ],
    });
  });

  it('is found in the console, with its visits', async () => {
    const { id, slug } = await makeAvatar();
    await openBrowser(`/talk/${slug}/`).ask('Is there a canteen for dishes?');
    const console = await openConsole(platform, 'merchant_owner');
    const { html } = await console.get(`/console/interviews/${id}`);
    expect(html).toContain(`value="${platform.stack.portal_url}/talk/${slug}/"`);
    const visits = await console.get(`/console/results?interview_id=${id}`);
    const [visit] = await visitsOf(id);
    expect(visits.html).toMatch(new RegExp(`/results/${visit?.id ?? ''}"[^>]*>(<[^>]*>)*Visitor<`));
    const shown = await console.get(`/console/results/${visit?.id ?? ''}`);
    expect([shown.status, shown.html.includes('Is there a canteen for dishes?')]).toEqual([200, true]);
  });

  it('keeps a question that is too long or malformed, and stores nothing', async () => {
    const { id, slug } = await makeAvatar();
    const browser = openBrowser(`/talk/${slug}/`);
    await browser.show();
    for (const text of ['x'.repeat(10_000), '   ', 'a\0b']) {
      const { status, html } = await browser.post('ask', { text });
      expect([status, html.includes('Write a question of at most 1,000 characters.')]).toEqual([422, true]);
    }
    expect(await visitsOf(id)).toEqual([]);
  });

  it('shows what is typed as text', async () => {
    const { slug } = await makeAvatar();
    const { page } = await openBrowser(`/talk/${slug}/`).ask('<script>alert(1)</script> Canteen?');
    expect(page.html).toContain('&lt;script>alert(1)&lt;/script> Canteen?');
    expect(page.html).not.toContain('<script');
  });

  it('answers one question of two windows, and keeps the other one in the field', async () => {
    const { id, slug } = await makeAvatar();
    const browser = openBrowser(`/talk/${slug}/`);
    await browser.show();
    const sent = await Promise.all(
      ['Canteen one?', 'Canteen two?'].map((text) => browser.post('ask', { text })),
    );
    expect(sent.map(({ status }) => status).sort((a, b) => a - b)).toEqual([303, 409]);
    const [refused] = sent.flatMap(({ status, html }) => (status === 409 ? [html] : []));
    expect(refused).toMatch(/<textarea[^>]*>Canteen (one|two)\?<\/textarea>/);
    expect(await visitsOf(id)).toHaveLength(1);
  });

  it('shows a visit only to its own browser, and begins another one on request', async () => {
    const { id, slug } = await makeAvatar();
    const other = await makeAvatar();
    const browser = openBrowser(`/talk/${slug}/`);
    await browser.ask('Is there a canteen for dishes?');
    const [name, token] = browser.cookie().split('=');
    for (const cookie of ['', `${name}=${token}x`, `talk-${other.slug}=${token}`]) {
      const stranger = openBrowser(cookie.includes(other.slug) ? `/talk/${other.slug}/` : `/talk/${slug}/`);
      stranger.useCookie(cookie);
      expect((await stranger.show()).html).not.toContain('Is there a canteen');
    }
    expect((await browser.post('new', {})).status).toBe(303);
    expect((await browser.show()).html).not.toContain('Is there a canteen');
    await browser.ask('And another canteen?');
    expect(await visitsOf(id)).toHaveLength(2);
  });

  it('accepts forms of its own pages only', async () => {
    const { slug } = await makeAvatar();
    const browser = openBrowser(`/talk/${slug}/`);
    await browser.show();
    for (const action of ['ask', 'new'])
      expect((await browser.post(action, { text: 'Any?' }, { origin: 'https://evil.example' })).status).toBe(
        403,
      );
  });

  it.each([
    [{ visibility: 'merchant_invite' }, 404, texts.candidate_pages.embed_not_public],
    [{ status: 'archived' }, 410, texts.candidate_pages.avatar_closed],
  ])('responds for %j with %d, also in a frame', async (changes, status, text) => {
    const { id, slug } = await makeAvatar(changes);
    const { embed_id } = await embedCalls(platform).makeKey(id);
    const page = await openBrowser(`/talk/${slug}/`).show();
    const frame = await openBrowser(`/embed/${embed_id}/`).show();
    expect([page.status, frame.status, frame.html.includes(text)]).toEqual([status, status, true]);
  });

  it.each([
    '/talk/none/',
    '/talk/No%20slug/',
    '/talk/..%2F..%2Fconsole/ask',
    `/talk/${'x'.repeat(300)}/`,
    '/talk/',
  ])('has no page at %s', async (path) => {
    expect((await openBrowser(path).show()).status).toBe(404);
  });

  it('is not available without credits, and does not say why', async () => {
    const { id, slug } = await makeAvatar();
    const [account] = await platform.database.rows<{ merchant_id: string }>(
      `update credit_account set monthly = 0, extra = 0, single = 0, plan = 'Free' where merchant_id = (
         select merchant_id from interview where id = $1
       ) returning merchant_id`,
      [id],
    );
    expect(account).toBeDefined();
    const page = await openBrowser(`/talk/${slug}/`).show();
    expect([page.status, page.html.includes(texts.candidate_pages.avatar_unavailable)]).toEqual([503, true]);
    expect(page.html).not.toMatch(/credit/i);
  });
});

describe('a public avatar in a frame', () => {
  it('needs no token, and can be framed by the sites of its key only', async () => {
    const { id } = await makeAvatar();
    const { embed_id } = await embedCalls(platform).makeKey(id, ['https://www.example.com']);
    const browser = openBrowser(`/embed/${embed_id}/`);
    const first = await browser.show();
    expect(first.headers.get('content-security-policy')).toContain(
      "frame-ancestors 'self' https://www.example.com",
    );
    expect(first.setCookie).toMatch(/Secure; Partitioned; SameSite=None$/);
    await platform.database.rows(`update credit_account set extra = 100`);
    const { page } = await browser.ask('Does the canteen serve vegetarian dishes?');
    expect(page.html).toContain(`<p dir="auto">${fact}</p>`);
    await platform.database.rows('update embed_key set revoked_at = now() where id = $1', [embed_id]);
    expect((await browser.show()).status).toBe(401);
  });
});
