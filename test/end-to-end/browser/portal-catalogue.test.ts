import type { Page } from 'puppeteer-core';
import { people } from '../../../local/seed/accounts';
import { makeDirectory, makeSession, signedLinks } from '../../harness/catalogue/catalogue-rows';
import { complaintsOf, sharedBrowser } from '../../harness/platform/browser';
import type { TestBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let browser: TestBrowser;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform({ worker: true }), sharedBrowser()]);
});
beforeEach(async () => {
  await platform.database.rows('delete from catalogue_directory');
  await platform.database.rows(`update interview set status = 'archived' where type = 'coaching'`);
});

const pixel = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

/**
 * Records requests to other origins, and everything that shows that a script ran: dialogs, errors, popups and
 * violations of the security policy.
 */
async function watch(page: Page) {
  const seen = { elsewhere: [] as string[], happened: [] as string[] };
  const { origin } = new URL(platform.stack.portal_url);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin === origin) return void request.continue();
    seen.elsewhere.push(`${request.resourceType()} ${url.href}`);
    return void request.respond({ contentType: 'image/gif', body: pixel });
  });
  page.on('dialog', (dialog) => {
    seen.happened.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => void seen.happened.push(String(error)));
  page.on('popup', (popup) => void seen.happened.push(`popup ${popup?.url() ?? ''}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) seen.happened.push(message.text());
  });
  return seen;
}

/**
 * Markup that tries to run a script or to load something from another origin. A test puts each of these strings into
 * every block and every argument of a catalogue page.
 */
const injections = [
  '<script>alert(1)</script>', '<ScRiPt src=https://evil.example/x.js></sCrIpT>', '<img src=x onerror=alert(1)>', '<svg onload=alert(1)>',
  '<svg><script href="data:,alert(1)"/></svg>', '<iframe srcdoc="<script>alert(1)</script>">', '<a href="javascript:alert(1)">a</a>',
  '</style><script>alert(1)</script>', '</title><script>alert(1)</script>', '<!--><script>alert(1)</script>-->', '<![CDATA[<script>alert(1)</script>]]>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>', '<style>@import url(https://evil.example/x.css)</style>',
  '<link rel=stylesheet href=https://evil.example/x.css>', '<meta http-equiv=refresh content="0;url=https://evil.example">', '<base href=https://evil.example>',
  '<form action=https://evil.example><button>a', '<object data=https://evil.example>', '<video src=https://evil.example/a.mp4 autoplay>',
  '[a](javascript:alert(1))', '[a](JaVaScRiPt:alert(1))', '[a](java\tscript:alert(1))', '[a](\u0001javascript:alert(1))', '[a](&#106;avascript:alert(1))',
  '[a](javascript&colon;alert(1))', '[a](javascript&#58;alert(1))', '[a](%6Aavascript:alert(1))', '[a](<javascript:alert(1)>)', '[a](vbscript:alert(1))',
  '[a](data:text/html,<script>alert(1)</script>)', '[a](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)', '[a](file:///etc/passwd)',
  '[a](//evil.example)', '[a](https://a.example "onmouseover=alert(1)")', '[a](https://a.example/"onmouseover="alert(1))', '[a]( javascript:alert(1))',
  '[a][r]\n\n[r]: javascript:alert(1)', '<javascript:alert(1)>', '<data:text/html,a>', '![a](javascript:alert(1))', '![a](data:image/svg+xml,<svg/onload=alert(1)>)',
  '![a](http://evil.example/a.png)', '![a" onerror="alert(1)](https://images.example/in-alt.png)', '![a](https://images.example/in-title.png "x\\" onerror=\\"alert(1)")',
  '![[![a](https://images.example/nested.png)](javascript:alert(1))](javascript:alert(1))', '[[[[[a](javascript:alert(1))](javascript:alert(1))]]]',
  '&lt;script&gt;alert(1)&lt;/script&gt;', '&#60;script&#62;alert(1)&#60;/script&#62;', '`<script>alert(1)</script>`', '```"><script>alert(1)</script>\na\n```',
  '    <script>alert(1)</script>', '# <img src=x onerror=alert(1)>', '|<img src=x onerror=alert(1)>|\n|-|\n|<script>alert(1)</script>|',
  '[chip:<img src=x onerror=alert(1)>]', '[chip:"><script>alert(1)</script>]', '[chip:a,tone=accent" onclick="alert(1)]', "[chip:a' onclick='alert(1)]",
  '[callout:accent"><script>alert(1)</script>]\na\n[/callout]', '[button:<script>alert(1)</script>,url=https://a.example/"onclick="alert(1)]',
  '[button:a,url=javascript:alert(1)]', '[button:a,url=https://a.example\'onclick=\'alert(1)]', '[button:a,url=data:text/html,<script>alert(1)</script>]',
  '[sessions:<script>alert(1)</script>]', '[sessions:filter="><img src=x onerror=alert(1)>,limit=5]', '[directory:"><script>alert(1)</script>]',
  '[session:<script>alert(1)</script>]', '[cards]\n<script>alert(1)</script>\n[/cards]', '[columns]\n[callout:danger]\n</div></div><script>alert(1)</script>\n[/callout]\n[/columns]',
  '[x]: https://a.example "<script>alert(1)</script>"\n[x]', '\u2028<script>alert(1)</script>', '<scr\0ipt>alert(1)</scr\0ipt>'.replaceAll('\0', '\uFEFF'),
]; // prettier-ignore

describe('a catalogue page in a browser', () => {
  it('runs no script and loads only images from other hosts, whatever its Markdown, names and tags contain', async () => {
    const session = await makeSession(platform.database, '</a><script>alert(1)</script>', {
      description: '"><img src=x onerror=alert(1)>',
      tags: ['t', '<svg onload=alert(1)>'],
      interview_description_long: injections.join('\n\n'),
      cover_image_url: 'https://images.example/"onerror="alert(1)',
    });
    await makeDirectory(platform.database, 'nested', {
      name: '"><script>alert(1)</script>',
      coach_plan: 'demo',
      tags_interview_set_filter: ['t'],
    });
    await makeDirectory(platform.database, 'own', {
      name: '</title><script>alert(1)</script>',
      description: '<img src=x onerror=alert(1)>',
      tags_interview_set_filter: ['t'],
      content_md: [
        ...injections,
        '[sessions]',
        '[plan-progress]',
        '[directory:nested]',
        'The last line of all.',
      ].join('\n\n'),
    });
    await makeDirectory(platform.database, 'grid', {
      tags_sub: ['nested'],
      tags_interview_set_filter: ['t'],
      cover_image_url: `https://images.example/cover.png?'"><script>alert(1)</script>`,
    });
    const page = await browser.open();
    const seen = await watch(page);
    for (const path of ['/catalogue/own', '/catalogue/grid', `/session/${session}`]) {
      await page.goto(platform.stack.portal_url + path, { waitUntil: 'networkidle0' });
      // If any element had an event handler, one of these events would run it.
      await page.evaluate(`for (const each of document.querySelectorAll('body *'))
        for (const type of ['mouseover', 'focus', 'load', 'error', 'toggle']) each.dispatchEvent(new Event(type))`);
      expect(
        await page.$$eval(
          'script, iframe, object, video, form, base, meta[http-equiv], svg, [style]',
          (all) => all.length,
        ),
      ).toBe(0);
      expect(await page.$$eval('style', (all) => all.length)).toBe(0);
      const handlers = await page.evaluate(`[...document.querySelectorAll('*')].flatMap((each) =>
        each.getAttributeNames().filter((name) => name.startsWith('on')))`);
      expect(handlers).toEqual([]);
      const schemes = await page.$$eval('a', (all) => [
        ...new Set(all.map((link) => new URL(link.href).protocol)),
      ]);
      expect(schemes.filter((scheme) => !['http:', 'https:', 'mailto:'].includes(scheme))).toEqual([]);
    }
    expect(await (await page.goto(`${platform.stack.portal_url}/catalogue/own`))?.text()).toContain(
      '<p>The last line of all.</p>',
    );
    expect(seen.happened).toEqual([]);
    expect(seen.elsewhere.filter((each) => !each.startsWith('image https://images.example/'))).toEqual([]);
    expect(seen.elsewhere.length).toBeGreaterThan(3);
  });

  const content = `Welcome.\n\n[chip:${'A long chip '.repeat(10)},tone=accent]\n[plan-progress]\n\n${'Longword'.repeat(40)}

|a|b|\n|-|-|\n|${'cell'.repeat(60)}|${'c '.repeat(60)}|\n\n\`\`\`\n${'code '.repeat(80)}\n\`\`\`\n
[columns]\na\n\n[directory:stage]\n[callout:danger]\n${'Word'.repeat(60)}\n[/callout]\n[/columns]
[cards]\n[directory:stage]\na\n[/cards]\n[button:${'Press '.repeat(30)},url=https://a.example/${'b'.repeat(200)}]\n[sessions]\n`;

  it('does not scroll sideways on a phone, from right to left', async () => {
    const arabic = { platform_language_code: 'ar', tags_interview_set_filter: ['t'] };
    await makeSession(platform.database, 'Longname'.repeat(20), {
      tags: ['t', 'tag'.repeat(40)],
      max_duration: 600,
    });
    await makeDirectory(platform.database, 'stage', {
      name: 'Stage'.repeat(30),
      coach_plan: 'demo',
      tags_interview_set_filter: ['t'],
    });
    await makeDirectory(platform.database, 'page', {
      ...arabic,
      name: 'Title'.repeat(30),
      content_md: content,
    });
    await makeDirectory(platform.database, 'top', { ...arabic, tags_sub: ['stage'] });
    const page = await browser.open({ width: 320, scheme: 'dark' });
    for (const path of ['/catalogue/page', '/catalogue/top']) {
      await page.goto(platform.stack.portal_url + path);
      const sideways = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([path, sideways]).toEqual([path, 0]);
    }
  });

  it('leads by keyboard from a learner’s link to a card and its page, with a visible focus, and with a button into the interview', async () => {
    const id = await makeSession(platform.database, 'Only session', { tags: ['t'] });
    await makeDirectory(platform.database, 'invited', {
      visibility: 'merchant_invite',
      tags_interview_set_filter: ['t'],
    });
    const url = await (
      await signedLinks(platform)
    ).learnerUrl(
      { profileId: people.user.id, merchantId: platform.stack.merchant_id },
      `${platform.stack.portal_url}/catalogue/invited`,
    );
    const page = await browser.open();
    await page.goto(url);
    expect(page.url()).toBe(`${platform.stack.portal_url}/catalogue/invited`);
    // The merchant's name and the menu come before the card.
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.pathname')).toBe('/catalogue/');
    for (let tabs = 1; tabs < 5 && !(await page.$('.card :focus')); tabs += 1)
      await page.keyboard.press('Tab');
    const focused = await page.evaluate(`(() => {
      const { activeElement } = document;
      return [activeElement.textContent, getComputedStyle(activeElement.closest('.card')).boxShadow];
    })()`);
    expect(focused).toEqual(['Only session', expect.stringMatching(/2px/)]);
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(page.url()).toBe(`${platform.stack.portal_url}/session/${id}`);
    await page.reload();
    expect(await page.$eval('h1', (title) => title.textContent)).toBe('Only session');
    const complaints = complaintsOf(page);
    await Promise.all([page.waitForNavigation(), page.click('.practice button')]);
    expect(page.url()).toBe(`${platform.stack.portal_url}/interview/take/${id}/`);
    expect(await page.$('input[name=consent]')).not.toBeNull();
    expect(complaints).toEqual([]);
  });
});
