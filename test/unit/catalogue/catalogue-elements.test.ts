import { renderToString } from 'preact-render-to-string';
import { catalogueElements } from '../../../api/catalogue/catalogue-elements';

const id = '0190a000-0000-7000-8000-00000000000a';
const session = {
  id,
  name: 'A "B" & <C>',
  description: '<script>',
  cover_image_url: 'https://example.com/a.png?b="c"',
  max_duration: 90,
  tags: ['<i>'],
};

/** Removes the line breaks of the templates. */
const onOneLine = (markup: string) => markup.replace(/\s*\n\s*/g, '').replaceAll(' />', '>');

describe('the cards of the catalogue', () => {
  it('show the facts of a session as escaped text', () => {
    const elements = catalogueElements('en', new Set([id]), true);
    const markup = renderToString(elements.cards([elements.sessionCard(session)]));
    expect(onOneLine(markup)).toBe(
      `<article class="card session">` +
        `<img class="cover" src="https://example.com/a.png?b=&#34;c&#34;" alt="" loading="lazy">` +
        `<div class="words"><h2><a href="/session/${id}" dir="auto">A &#34;B&#34; &#38; &#60;C&#62;</a></h2>` +
        `<p class="description" dir="auto">&#60;script&#62;</p>` +
        `<p class="facts"><span class="done">Completed</span> <span class="time">2 min</span> ` +
        `<span class="chip neutral" dir="auto">&#60;i&#62;</span></p></div></article>`,
    );
  });

  it('show no cover that is not at an https address', () => {
    const { directoryCard } = catalogueElements('en', new Set(), false);
    const directory = {
      id: 'sales-en',
      name: 'Sales',
      description: null,
      cover_image_url: 'http://example.com/a.png',
    };
    expect(onOneLine(directoryCard(directory).text)).toBe(
      `<article class="card directory"><div class="words"><h2><a href="/catalogue/sales-en" dir="auto">Sales</a></h2></div></article>`,
    );
  });
});
