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
    const hostile = '<script>alert(1)</script> Who is the boss?';
    const second = (await browser.ask(hostile)).page.html;
    expect(second).toContain(texts.spoken.avatar_unknown);
    expect(second).toContain('&lt;script>alert(1)&lt;/script> Who is the boss?');
    expect(second).not.toContain('<script');
    const [visit] = await visitsOf(id);
    const details = await platform.call('job-interview-details', {
      query: { interview_result_id: visit?.id ?? '' },
    });
    expect(details.body).toMatchObject({
      candidate: null,
      score: null,
      transcript: [
        { question_asked: texts.spoken.avatar_prompt, answer: 'Does the canteen serve vegetarian dishes?' },
        { question_asked: fact, answer: hostile },
        { question_asked: texts.spoken.avatar_unknown, answer: null },
      ],
    });
    const console = await openConsole(platform, 'merchant_owner');
    const { html } = await console.get(`/console/interviews/${id}`);
    expect(html).toContain(`value="${platform.stack.portal_url}/talk/${slug}/"`);
    const visits = await console.get(`/console/results?interview_id=${id}`);
    expect(visits.html).toMatch(new RegExp(`/results/${visit?.id ?? ''}"[^>]*>(<[^>]*>)*Visitor<`));
    const shown = await console.get(`/console/results/${visit?.id ?? ''}`);
    expect([shown.status, shown.html.includes(fact)]).toEqual([200, true]);
  });

  it('takes no question that is malformed or comes from another site, and one of two windows, and keeps the other', async () => {
    const { id, slug } = await makeAvatar();
    const browser = openBrowser(`/talk/${slug}/`);
    await browser.show();
    for (const text of ['x'.repeat(10_000), '   ', 'a\0b']) {
      const { status, html } = await browser.post('ask', { text });
      expect([status, html.includes('Write a question of at most 1,000 characters.')]).toEqual([422, true]);
    }
    for (const action of ['ask', 'new']) {
      const foreign = await browser.post(action, { text: 'Any?' }, { origin: 'https://evil.example' });
      expect([action, foreign.status]).toEqual([action, 403]);
    }
    expect(await visitsOf(id)).toEqual([]);
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

  it('does not exist, is closed or is not available, also in a frame, and does not say why', async () => {
    for (const [changes, status, text] of [
      [{ visibility: 'merchant_invite' }, 404, texts.candidate_pages.embed_not_public],
      [{ status: 'archived' }, 410, texts.candidate_pages.avatar_closed],
    ] as const) {
      const { id, slug } = await makeAvatar(changes);
      const { embed_id } = await embedCalls(platform).makeKey(id);
      const page = await openBrowser(`/talk/${slug}/`).show();
      const frame = await openBrowser(`/embed/${embed_id}/`).show();
      expect([page.status, frame.status, frame.html.includes(text)]).toEqual([status, status, true]);
    }
    for (const path of ['none/', 'No%20slug/', '..%2F..%2Fconsole/ask', `${'x'.repeat(300)}/`, ''])
      expect([path, (await openBrowser(`/talk/${path}`).show()).status]).toEqual([path, 404]);
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
