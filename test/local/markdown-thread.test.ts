import path from 'node:path';
import { createMarkdownThread } from '../../api/catalogue/markdown-pages';
import { createTaskThread, TaskTooLarge } from '../../db/platform/kept-thread';

const source = (markdown: string) => ({ kind: 'page' as const, markdown });

describe('the thread that compiles pages', () => {
  it('compiles one page after the other', async () => {
    const compile = createMarkdownThread();
    for (const text of ['one', 'two'])
      expect((await compile(source(text))).parts).toEqual([`<p>${text}</p>\n`]);
  });

  it('gives up a page that takes too long, and compiles the next one in a new thread', async () => {
    const compile = createMarkdownThread({ clockMs: 2_000, heapMb: 1_024 });
    await expect(compile(source('!['.repeat(500_000)))).rejects.toBeInstanceOf(TaskTooLarge);
    // The time limit includes the start of the new thread. On a slow machine, the call may exceed the limit, so it is
    // repeated.
    let parts: string[] = [];
    for (let call = 0; call < 20 && parts.length === 0; call++)
      parts = await compile(source('next')).then(
        (page) => page.parts,
        () => [],
      );
    expect(parts).toEqual(['<p>next</p>\n']);
  });

  it('reports a thread that ends without a result', async () => {
    const compile = createTaskThread(path.resolve('jest.config.js'), { clockMs: 60_000, heapMb: 256 });
    await expect(compile(source('a'))).rejects.toThrow('a thread ended before its task');
  });
});
