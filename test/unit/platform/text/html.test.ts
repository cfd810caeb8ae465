import { Html, html, htmlLanguage } from '../../../../api/platform/text/html';
import { languageCodes } from '../../../../db/platform/vocabulary';

describe('html', () => {
  it('escapes every value that is not markup, in text and in attributes', () => {
    const value = `<b a="1" c='2'>&amp;`;
    const escaped = '&#60;b a=&#34;1&#34; c=&#39;2&#39;&#62;&#38;amp;';
    expect(html`<p title="${value}">${value}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`);
  });

  it('keeps markup and lists of markup, and prints nothing for null and a zero as a number', () => {
    const list = ['a', '<'].map((entry) => html`<i>${entry}</i>`);
    expect(html`${new Html('<br />')}${list}${null}${undefined}${0}`.text).toBe(
      '<br /><i>a</i><i>&#60;</i>0',
    );
  });
});

describe('htmlLanguage', () => {
  it('is the code itself, except pt-BR for Brazilian Portuguese, and right to left for Arabic', () => {
    expect(htmlLanguage('br')).toEqual({ lang: 'pt-BR', dir: 'ltr' });
    expect(htmlLanguage('ar')).toEqual({ lang: 'ar', dir: 'rtl' });
    expect(htmlLanguage('de')).toEqual({ lang: 'de', dir: 'ltr' });
  });

  it.each(languageCodes)('is a tag that dates can be formatted in: %s', (code) => {
    const { lang } = htmlLanguage(code);
    expect(Intl.DateTimeFormat.supportedLocalesOf(lang)).toEqual([lang]);
  });
});
