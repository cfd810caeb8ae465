import { makeSession, openPage } from '../../harness/catalogue/catalogue-rows';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

const session = (name: string, changes: Record<string, unknown>) =>
  makeSession(platform.database, name, changes);

describe('GET /session/<id>', () => {
  it('shows name, length, language, tags and the description as Markdown, escaped and without directives', async () => {
    const id = await session('A <b>', {
      platform_language_code: 'de',
      max_duration: 1_230,
      tags: ['<t>'],
      interview_description_long:
        '# Worum es geht\n[sessions]\n<img src=x onerror=alert(1)>\n[a](https://b.example)',
      cover_image_url: 'https://images.example/a.png',
    });
    for (const path of [`/session/${id}`, `/session/${id.toUpperCase()}/`]) {
      const { status, html } = await openPage(platform, path);
      expect(status).toBe(200);
      for (const part of [
        '<html lang="de" dir="ltr">',
        'A &lt;b></h1>',
        '21 Min.',
        'Deutsch',
        '&#60;t&#62;',
        '<h2>Worum es geht</h2>',
        '<p>[sessions]\n&lt;img src=x onerror=alert(1)&gt;',
        '<a href="https://b.example" rel="noopener nofollow">a</a>',
        'src="https://images.example/a.png" alt="" loading="lazy"',
        'Öffnen Sie diese Seite mit Ihrem eigenen Link, um zu beginnen.',
      ])
        expect(html).toContain(part);
    }
  });

  it('shows the short description if there is no long one', async () => {
    const id = await session('Short', { description: 'In a *word*.', interview_description_long: null });
    expect((await openPage(platform, `/session/${id}`)).html).toContain('<p>In a <em>word</em>.</p>');
  });
});
