import type { CompiledMarkdown, MarkdownToCompile } from '../../../api/catalogue/markdown';
import { createMarkdownCompiler } from '../../../api/catalogue/markdown-pages';
import { TaskTooLarge } from '../../../db/platform/kept-thread';
import { waitFor } from '../../harness/wait-for';

const long = 'long '.repeat(10_000);
const page: CompiledMarkdown = { parts: ['<p>'], slots: [], isTooLong: false };
const source = (rowId: string, markdown = rowId + long, merchantId = 'merchant') => ({
  rowId,
  version: '1',
  merchantId,
  kind: 'page' as const,
  markdown,
});
/**
 * Creates a fake compiler thread. It records each page to compile, and the test decides when the compilation ends.
 */
const compiler = () => {
  const asked: { name: string; end: () => void; fail: () => void }[] = [];
  const compileAside = ({ markdown }: MarkdownToCompile) =>
    new Promise<CompiledMarkdown>((resolve, reject) =>
      asked.push({
        name: markdown.slice(0, -long.length),
        end: () => resolve(page),
        fail: () => reject(new Error('ended')),
      }),
    );
  const names = () => asked.map(({ name }) => name);
  return { asked, compileAside, names };
};
/** A time limit so long that no test reaches it. */
const waitMs = 100_000;
const settle = () => new Promise(setImmediate);
/** Resolves with the compiled page or, if compiling fails, with the error. */
const outcome = (compiled: Promise<CompiledMarkdown>) => compiled.catch((error: unknown) => error);
const refusal = { status: 503, retryAfterSeconds: expect.any(Number) };

describe('compiled pages', () => {
  it('are cached by row and version', async () => {
    const pages = createMarkdownCompiler();
    expect(pages.find('row', '1')).toBeUndefined();
    const first = await pages.compile(source('row', '[sessions]'));
    expect(pages.find('row', '1')).toBe(first);
    expect(await pages.compile(source('row', '[sessions]'))).toBe(first);
    expect(first.slots).toEqual([{ kind: 'sessions', term: null, limit: null }]);
    expect(pages.find('row', '2')).toBeUndefined();
    expect(pages.find('other', '1')).toBeUndefined();
  });

  it('treat the directives of a description as text', async () => {
    const { parts, slots } = await createMarkdownCompiler().compile({
      ...source('row', '[sessions]'),
      kind: 'description',
    });
    expect([parts, slots]).toEqual([['<p>[sessions]</p>\n'], []]);
  });

  it('cache that a page is too long', async () => {
    let count = 0;
    const pages = createMarkdownCompiler({
      compileAside: () => {
        count++;
        return Promise.resolve({ parts: [], slots: [], isTooLong: true });
      },
    });
    for (const _ of [1, 2]) expect((await pages.compile(source('row'))).isTooLong).toBe(true);
    expect(count).toBe(1);
  });

  it('compile a long page outside the main thread, once for all callers, one page at a time', async () => {
    const { asked, compileAside, names } = compiler();
    const pages = createMarkdownCompiler({ compileAside, waitMs });
    const waiting = ['a', 'a', 'b', 'a'].map((row) => pages.compile(source(row)));
    await settle();
    expect(names()).toEqual(['a']);
    asked[0]?.end();
    await waiting[0];
    await settle();
    expect(names()).toEqual(['a', 'b']);
    asked[1]?.end();
    await Promise.all(waiting);
    expect(pages.find('b', '1')).toEqual(page);
  });

  it('take turns between merchants, and compile short pages at once', async () => {
    const { asked, compileAside, names } = compiler();
    const pages = createMarkdownCompiler({ compileAside, waitMs });
    const waiting = [
      ...['a1', 'a2', 'a3'].map((row) => pages.compile(source(row, row + long, 'a'))),
      ...['b1', 'b2'].map((row) => pages.compile(source(row, row + long, 'b'))),
    ];
    expect((await pages.compile(source('short', 'Short.', 'a'))).parts).toEqual(['<p>Short.</p>\n']);
    for (const count of [1, 2, 3, 4, 5]) {
      await waitFor('the next page', async () => asked.length === count);
      asked.at(-1)?.end();
    }
    await Promise.all(waiting);
    expect(names()).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it.each([
    ['a text of more than 500 characters', 'a'.repeat(501)],
    ['a table', 'a|b'],
  ])('compile %s in a thread', async (_what, markdown) => {
    let count = 0;
    const compileAside = async () => {
      count++;
      return page;
    };
    expect(await createMarkdownCompiler({ compileAside }).compile(source('row', markdown))).toEqual(page);
    expect(count).toBe(1);
  });

  it('compile common pages while a long page is compiled', async () => {
    const { asked, compileAside } = compiler();
    const pages = createMarkdownCompiler({
      compileAside: (given) => (given.markdown.length > 8_192 ? compileAside(given) : Promise.resolve(page)),
      waitMs,
    });
    const compiling = pages.compile(source('long'));
    expect(await pages.compile(source('common', 'a'.repeat(8_192)))).toEqual(page);
    asked[0]?.end();
    await compiling;
  });

  it('let at most twenty pages of one merchant wait, and still accept a page of another merchant', async () => {
    const { asked, compileAside } = compiler();
    const pages = createMarkdownCompiler({ compileAside, waitMs });
    const rows = Array.from({ length: 22 }, (_, n) => `a${n}`);
    const waiting = rows.map((row) => pages.compile(source(row, row + long, 'a')));
    const other = pages.compile(source('b', `b${long}`, 'b'));
    await expect(waiting.pop()).rejects.toMatchObject(refusal);
    for (let count = 1; count <= 22; count++) {
      await waitFor('the next page', async () => asked.length === count);
      asked.at(-1)?.end();
    }
    expect(await other).toEqual(page);
    expect(await Promise.all(waiting)).toHaveLength(21);
  });

  it('stop the page that is compiled when it exceeds its share and others wait', async () => {
    const pages = createMarkdownCompiler({
      compileAside: async () => {
        await settle();
        return { parts: ['x'.repeat(8 * 1_048_576)], slots: [], isTooLong: false };
      },
    });
    const rows = Array.from({ length: 12 }, (_, n) => `row-${n}`);
    const waiting = await Promise.all(rows.map((row) => pages.compile(source(row))));
    expect(waiting.map(({ parts }) => parts.length)).toEqual(rows.map(() => 1));
  });

  it('throw a 503 for the callers of a page that takes too long, and compile it for later callers', async () => {
    const { asked, compileAside, names } = compiler();
    const pages = createMarkdownCompiler({ compileAside, waitMs: 1 });
    const outcomes = await Promise.all(['a', 'a', 'b'].map((row) => outcome(pages.compile(source(row)))));
    expect(outcomes).toMatchObject([refusal, refusal, refusal]);
    asked[0]?.end();
    await waitFor('the page', async () => pages.find('a', '1'));
    expect(await pages.compile(source('a'))).toEqual(page);
    await waitFor('the next page', async () => names().length === 2);
    asked[1]?.end();
    await waitFor('the page behind it', async () => pages.find('b', '1'));
  });

  it('throw a 503 for a page that fails, and do not retry it for a while', async () => {
    const { asked, compileAside, names } = compiler();
    const pages = createMarkdownCompiler({ compileAside, waitMs });
    const first = outcome(pages.compile(source('a')));
    asked[0]?.fail();
    expect(await first).toMatchObject(refusal);
    await expect(pages.compile(source('a'))).rejects.toMatchObject(refusal);
    expect(names()).toEqual(['a']);
    const other = pages.compile({ ...source('a'), version: '2' });
    asked[1]?.end();
    expect(await other).toEqual(page);
  });

  it('do not retry a page that exceeded its limits for a while, but compile its next version', async () => {
    let count = 0;
    const compileAside = async () => {
      count++;
      throw new TaskTooLarge('too slow');
    };
    const pages = createMarkdownCompiler({ compileAside, failedMs: 1 });
    const first = await outcome(pages.compile(source('a')));
    expect(first).toMatchObject({ status: 503, retryAfterSeconds: 600 });
    // Other failures are remembered for `failedMs`, which is 1 ms here. This failure must still be remembered after
    // 10 ms.
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await outcome(pages.compile(source('a')))).toMatchObject({ status: 503 });
    expect(count).toBe(1);
    await outcome(pages.compile({ ...source('a'), version: '2' }));
    expect(count).toBe(2);
  });

  it('retry a page that failed after a while', async () => {
    const { asked, compileAside } = compiler();
    const pages = createMarkdownCompiler({ compileAside, failedMs: 1 });
    const first = outcome(pages.compile(source('a')));
    asked[0]?.fail();
    expect(await first).toMatchObject(refusal);
    const again = waitFor('the page', async () => {
      const compiled = outcome(pages.compile(source('a')));
      asked[1]?.end();
      return !((await compiled) instanceof Error);
    });
    expect(await again).toBe(true);
  });

  it('drop the oldest pages when the cache has too many bytes', async () => {
    const pages = createMarkdownCompiler({
      compileAside: () =>
        Promise.resolve({ parts: ['x'.repeat(8 * 1_048_576)], slots: [], isTooLong: false }),
    });
    for (const row of ['a', 'b', 'c', 'd', 'e']) await pages.compile(source(row));
    expect(['a', 'b', 'c', 'd', 'e'].filter((row) => pages.find(row, '1'))).toEqual(['c', 'd', 'e']);
  });
});
