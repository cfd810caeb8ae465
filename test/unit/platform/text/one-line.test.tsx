import { renderDocument } from '../../../../api/platform/site/document';
import { oneLine } from '../../../../api/platform/text/one-line';

describe('oneLine', () => {
  it('removes characters that are invisible or turn the line around, and keeps those that join letters', () => {
    expect(oneLine('\u202eJa\u200bna\u2067 \u200f\ufeff')).toBe('Jana');
    expect(oneLine('می\u200cخواهم')).toBe('می\u200cخواهم');
  });

  it('is applied to the title of each document', () => {
    const html = renderDocument({ title: '\u202eJana – console', lang: 'en', styles: [], body: <p /> });
    expect(html).toContain('<title>Jana – console</title>');
  });
});
