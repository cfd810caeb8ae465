import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import { addDirectives, compileMarkdown, directiveRule } from '../../../api/portal/markdown';
import { pairBlocks } from '../../../api/portal/markdown-blocks';
import { readDirective } from '../../../api/portal/markdown-directive';
import { createMarkdownPages } from '../../../api/portal/markdown-pages';

/* That work grows with the length is counted, not timed. */

const lines = 4_000;
const hostile: [string, string][] = [
  ['blocks that nobody ends', '[cards]\n'.repeat(lines)],
  ['ends of nothing', '[/cards]\n'.repeat(lines)],
  ['pairs inside of pairs', '[cards]\n'.repeat(lines / 2) + '[/cards]\n'.repeat(lines / 2)],
  ['open ones of one kind under ends of another', '[cards]\n'.repeat(lines / 2) + '[/columns]\n'.repeat(lines / 2)],
  ['blocks that end in each other', '[cards]\n[columns]\n[/cards]\n[/columns]\n'.repeat(lines / 4)],
  ['one long paragraph', 'a\n'.repeat(lines)],
  ['near misses', '[cards] a\n'.repeat(lines)],
  ['chips', '[chip:a]\n'.repeat(lines)],
  ['a lazy quote', `> a\n${'b\n'.repeat(lines)}`],
]; // prettier-ignore

const [someToken] = new MarkdownIt().parse('a', {});
const AnyToken = someToken?.constructor as new (type: string, tag: string, nesting: 0) => Token;

/** How often the rule looks at a line. */
function invocationsOf(markdown: string): number {
  let count = 0;
  const counted: typeof directiveRule = (...given) => {
    count++;
    return directiveRule(...given);
  };
  addDirectives(new MarkdownIt(), counted).parse(markdown, {});
  return count;
}

describe('a page of many lines', () => {
  it.each(hostile)('%s: each line is looked at a few times', (_what, markdown) => {
    const half = markdown.slice(0, markdown.length / 2);
    expect(invocationsOf(markdown)).toBeGreaterThanOrEqual(lines / 2);
    expect(invocationsOf(markdown)).toBeLessThan(6 * lines);
    expect(invocationsOf(markdown) / invocationsOf(half)).toBeLessThan(2.5);
  });

  it.each(hostile)('%s: pairs are found in one pass', (_what, markdown) => {
    const tokens = markdown
      .split('\n')
      .map((content): Token => Object.assign(new AnyToken('directive', '', 0), { content }));
    let asked = 0;
    pairBlocks(tokens, ({ content }) => {
      asked++;
      return readDirective(content);
    });
    expect(asked).toBeLessThanOrEqual(2 * tokens.length);
  });

  it('renders nothing deeper than its pairs: every element ends', () => {
    for (const [, markdown] of hostile) {
      const text = compileMarkdown(markdown).parts.join('');
      expect(text.match(/<div/g)?.length ?? 0).toBe(text.match(/<\/div>/g)?.length ?? 0);
    }
  });
});

describe('compiled pages', () => {
  const long = 'long '.repeat(10_000);
  const page = { parts: ['<p>'], slots: [] };

  it('are kept by row and version', async () => {
    const pages = createMarkdownPages();
    expect(pages.find('row', '1')).toBeUndefined();
    const first = await pages.compile('row', '1', '[sessions]');
    expect(pages.find('row', '1')).toBe(first);
    expect(first.slots).toEqual([{ kind: 'sessions', term: null, limit: null }]);
    expect(pages.find('row', '2')).toBeUndefined();
    expect(pages.find('other', '1')).toBeUndefined();
  });

  it('long ones are compiled aside, once for all who ask, one page at a time', async () => {
    const asked: { markdown: string; end: () => void }[] = [];
    const pages = createMarkdownPages(
      (markdown) => new Promise((resolve) => asked.push({ markdown, end: () => resolve(page) })),
    );
    const waiting = ['a', 'a', 'b', 'a'].map((row) => pages.compile(row, '1', row + long));
    await new Promise(setImmediate);
    expect(asked.map(({ markdown }) => markdown)).toEqual([`a${long}`]);
    asked[0]?.end();
    await waiting[0];
    await new Promise(setImmediate);
    expect(asked.map(({ markdown }) => markdown[0])).toEqual(['a', 'b']);
    asked[1]?.end();
    await Promise.all(waiting);
    expect(pages.find('b', '1')).toEqual(page);
  });

  it('one that fails is told to whoever asked, and tried anew', async () => {
    let fails = true;
    const pages = createMarkdownPages(() =>
      fails ? Promise.reject(new Error('ended')) : Promise.resolve(page),
    );
    await expect(pages.compile('row', '1', long)).rejects.toThrow('ended');
    fails = false;
    expect(await pages.compile('row', '1', long)).toEqual(page);
  });

  it('the oldest give way where they become too many bytes', async () => {
    const pages = createMarkdownPages(() =>
      Promise.resolve({ parts: ['x'.repeat(8 * 1_048_576)], slots: [] }),
    );
    for (const row of ['a', 'b', 'c', 'd', 'e']) await pages.compile(row, '1', long);
    expect(['a', 'b', 'c', 'd', 'e'].filter((row) => pages.find(row, '1'))).toEqual(['c', 'd', 'e']);
  });
});
