import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { compileMarkdown } from './markdown';
import type { CompiledMarkdown } from './markdown';

/** What is kept of compiled pages, in bytes: some thousand usual ones. */
const keptBytes = 64 * 1_048_576;
/** A page of this length compiles in some 10 ms; longer ones do it beside the requests of others. */
const mostCharactersInline = 16_384;
/** A megabyte of whatever takes three seconds; every request is answered inside 60. */
const timeLimitMs = 50_000;

export type MarkdownPages = ReturnType<typeof createMarkdownPages>;

/**
 * Compiled pages by the row and the version that they are of. A long page is compiled in a thread of its own, one at a
 * time: a megabyte of brackets takes seconds, in which this process answers others.
 */
export function createMarkdownPages(
  compileAside: (markdown: string) => Promise<CompiledMarkdown> = inThread,
) {
  const oneAtATime = pLimit(1);
  const pages = new LRUCache<string, CompiledMarkdown, string>({
    maxSize: keptBytes,
    sizeCalculation: sizeOf,
    fetchMethod: async (_key, _stale, { context: markdown }) =>
      markdown.length <= mostCharactersInline
        ? compileMarkdown(markdown)
        : await oneAtATime(() => compileAside(markdown)),
  });
  const keyOf = (rowId: string, version: string) => `${rowId}/${version}`;
  return {
    find: (rowId: string, version: string): CompiledMarkdown | undefined => pages.get(keyOf(rowId, version)),
    /** Compiles the page of that version, once however many ask. */
    compile: async (rowId: string, version: string, markdown: string): Promise<CompiledMarkdown> => {
      const page = await pages.fetch(keyOf(rowId, version), { context: markdown });
      if (!page) throw new Error('a page was not compiled');
      return page;
    },
  };
}

/** Two bytes a character, and some hundred an object. */
const sizeOf = ({ parts, slots }: CompiledMarkdown): number =>
  parts.reduce((sum, part) => sum + 2 * part.length, 0) + 200 * (parts.length + slots.length) + 200;

const inThread = (markdown: string): Promise<CompiledMarkdown> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(path.join(__dirname, 'markdown-worker.js'), {
      workerData: markdown,
      resourceLimits: { maxOldGenerationSizeMb: 2_048 },
    });
    const timer = setTimeout(() => {
      reject(new Error('a page took too long to compile'));
      void worker.terminate();
    }, timeLimitMs);
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new Error('a page was not compiled'));
    });
    worker.unref();
  });
