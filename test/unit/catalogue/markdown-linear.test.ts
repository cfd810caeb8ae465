import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import { addDirectives, compileMarkdown, directiveRule } from '../../../api/catalogue/markdown';
import { findPairedTokens } from '../../../api/catalogue/markdown-blocks';
import { readDirective } from '../../../api/catalogue/markdown-directive';
import { cpuMilliseconds } from '../../harness/platform/cpu-time';

/* These tests count calls instead of measuring time. */

const lines = 200;
const hostile: [string, string][] = [
  ['blocks without an end', '[cards]\n'.repeat(lines)],
  ['ends without a beginning', '[/cards]\n'.repeat(lines)],
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

/** Returns how often the parser calls the rule for directives while it parses this text. */
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
  it.each(hostile)('looks at each line a few times only: %s', (_what, markdown) => {
    const half = markdown.slice(0, markdown.length / 2);
    expect(invocationsOf(markdown)).toBeGreaterThanOrEqual(lines / 2);
    expect(invocationsOf(markdown)).toBeLessThan(6 * lines);
    expect(invocationsOf(markdown) / invocationsOf(half)).toBeLessThan(2.5);
  });

  it.each(hostile)('pairs blocks in one pass: %s', (_what, markdown) => {
    const tokens = markdown
      .split('\n')
      .map((content): Token => Object.assign(new AnyToken('directive', '', 0), { content }));
    let asked = 0;
    findPairedTokens(tokens, ({ content }) => {
      asked++;
      return readDirective(content);
    });
    expect(asked).toBeLessThanOrEqual(2 * tokens.length);
  });

  it('closes every element that it opens', () => {
    for (const [, markdown] of hostile) {
      const text = compileMarkdown({ kind: 'page', markdown }).parts.join('');
      expect(text.match(/<div/g)?.length ?? 0).toBe(text.match(/<\/div>/g)?.length ?? 0);
    }
  });
});

/** A page may have 1 MiB. With repeated references, 128 KiB already exceed the limit for the length of the markup. */
const size = 131_072;
const long = (count: number) => 'A'.repeat(count);
const fill = (text: string, start = '') =>
  start + text.repeat(Math.floor((size - start.length) / text.length));
const odd: [string, string, boolean][] = [
  ['links by reference', fill('[a]\n', `[a]: https://b.example/${long(2_000)}\n\n`), true],
  ['links by reference whose address is full of what is escaped', fill('[a]\n', `[a]: https://b.example/${'&'.repeat(2_000)}\n\n`), true],
  ['titles of references', fill('[a]\n', `[a]: https://b.example "${long(2_048)}"\n\n`), true],
  ['many references', Array.from({ length: 400 }, (_, n) => `[a${n}]: https://b.example/${long(1_000)}\n\n${`[a${n}]\n`.repeat(60)}\n`).join(''), true],
  ['a reference that is too long', fill('[a]\n', `[a]: https://b.example/${long(50_000)}\n\n`), false],
  ['a title that is too long', fill('[a] and more words\n', `[a]: https://b.example "${long(50_000)}"\n\n`), false],
  ['chips', fill('[chip:a]\n'), false],
  ['quotation marks', fill('"'), false],
  ['headings', fill('#\n'), false],
  ['items', fill('-\n'), false],
  ['rows of a wide table', fill('|a\n', `${'|b'.repeat(500)}\n${'|:-:'.repeat(500)}\n`), false],
]; // prettier-ignore

describe('a page that repeats', () => {
  it.each(odd)('gets markup of at most eight times its length, or none: %s', (_what, markdown, isTooLong) => {
    const page = compileMarkdown({ kind: 'page', markdown });
    expect(page.isTooLong).toBe(isTooLong);
    const length = page.parts.join('').length;
    expect(length).toBeLessThanOrEqual(8 * markdown.length);
    expect(length > 0).toBe(!isTooLong);
  });
});

const table = (columns: number, delimiter: string, row: string) =>
  `${'|a'.repeat(columns)}\n${delimiter.repeat(columns)}\n${row.repeat(4_000)}`;

describe('a page of 8 KB', () => {
  it.each([
    ['a wide table of empty rows', table(200, '|-', '|\n')],
    ['a narrower table with aligned cells', table(32, '|:-:', '|\n')],
    ['many tables', `${'|a'.repeat(8)}\n${'|-'.repeat(8)}\n|\n|\n\n`.repeat(300)],
    ['quotes in quotes', `${'>'.repeat(100)}\n\n`.repeat(100)],
    ['images that never end', '_a_!['.repeat(2_000)],
  ])('gets markup of at most forty times its length: %s', (_what, text) => {
    const markdown = text.slice(0, 8_180);
    const markup = compileMarkdown({ kind: 'page', markdown }).parts.join('');
    expect(markup.length).toBeLessThan(40 * markdown.length);
  });

  it('shows all rows of a table whose cells have text', () => {
    const markdown = `a|b|c|d\n-|-|-|-\n${'1|2|3|4\n'.repeat(1_000)}`;
    const markup = compileMarkdown({ kind: 'page', markdown }).parts.join('');
    expect(markup.match(/<td/g)).toHaveLength(4_000);
  });

  it('shows the rows of a table with too many cells as text', () => {
    const markup = compileMarkdown({ kind: 'page', markdown: table(200, '|-', '|\n').slice(0, 8_180) }).parts;
    expect(markup.join('').match(/<t[hd][ >]/g)?.length).toBe(40 * 200);
    expect(markup.join('')).toContain('</table></div>\n<p>|\n|\n');
  });
});

it.each(['_a_![', '![', '*a**b', '1. a\n', '[a]: b\n', '>', '[chip:a]\n'])(
  'compiles 500 characters of %j without blocking the event loop',
  (unit) => {
    const markdown = unit.repeat(500).slice(0, 500);
    const ms = cpuMilliseconds(() => void compileMarkdown({ kind: 'page', markdown }), 25);
    expect([ms < 50, ms]).toEqual([true, ms]);
  },
);
