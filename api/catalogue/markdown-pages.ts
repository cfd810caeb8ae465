import { LRUCache } from 'lru-cache';
import { createTaskThread, TaskTooLarge, threadScript } from '../../db/platform/kept-thread';
import { ApiError } from '../platform/operation/api-error';
import { compileMarkdown } from './markdown';
import type { CompiledMarkdown, MarkdownToCompile } from './markdown';

/** The size limit of the cache for compiled pages, in bytes. It fits a few thousand ordinary pages. */
const keptBytes = 64 * 1_048_576;
/** A text of up to this length without a table always compiles in less than 10 ms. Other pages compile in a thread. */
const maxCharactersInline = 500;
/**
 * Pages of up to this length compile in a different thread than longer pages, so that they do not wait for pages that
 * take seconds.
 */
const maxCharactersCommon = 8_192;
/** How long a visitor waits for a page that compiles in a thread, including the pages queued before it. */
const waitLimitMs = 10_000;
/**
 * The limits of one page. A page of a megabyte takes three to five seconds, and the worst page took 700 MB. Visitors
 * wait longer than the limit, so they get either the page or the error about the limit.
 */
const pageLimits = { clockMs: 8_000, heapMb: 1_024 };
/** A page that failed to compile is not compiled again for this long. */
const failureKeptMs = 60_000;
/**
 * Replaces `failureKeptMs` for a page that exceeded its time or memory limit. Without the longer pause, the visitors of
 * that page would keep the thread, which all merchants share, busy all the time.
 */
const tooSlowKeptMs = 600_000;
/** The most pages of one merchant that wait for a thread. Together they can hold up to 20 megabytes of text. */
const maxWaiting = 20;

/** The Markdown to compile, its row and version, and the merchant whose portal shows the page. */
type PageSource = MarkdownToCompile & { rowId: string; version: string; merchantId: string };

/** Returns a function that compiles pages in a thread. Throws `TaskTooLarge` for a page that exceeds a limit. */
export const createMarkdownThread = (limits = pageLimits) =>
  createTaskThread(threadScript(__dirname, 'markdown-worker.js'), limits) as (
    source: MarkdownToCompile,
  ) => Promise<CompiledMarkdown>;

export type MarkdownCompiler = ReturnType<typeof createMarkdownCompiler>;

/**
 * Compiles pages and caches them by row and version. The shortest pages compile in this process. One thread compiles
 * pages of ordinary length and another compiles long pages. Each thread compiles one page at a time, and the
 * merchants take turns.
 *
 * A visitor who waits too long gets a 503, but the page keeps compiling for the next visitor.
 */
export function createMarkdownCompiler({
  compileAside,
  waitMs = waitLimitMs,
  failedMs = failureKeptMs,
  tooSlowMs = tooSlowKeptMs,
}: {
  compileAside?: (source: MarkdownToCompile) => Promise<CompiledMarkdown>;
  waitMs?: number;
  failedMs?: number;
  tooSlowMs?: number;
} = {}) {
  const pages = new LRUCache<string, CompiledMarkdown>({ maxSize: keptBytes, sizeCalculation: sizeOf });
  const failed = new LRUCache<string, true>({ max: 1_000, ttl: failedMs });
  // Pages that are still compiling are kept outside of the cache, which could evict them when it needs space.
  const underWay = new Map<string, Promise<CompiledMarkdown>>();
  const newThread = () => ({ inTurn: takeTurns(), compile: compileAside ?? createMarkdownThread() });
  const commonPages = newThread();
  const longPages = newThread();

  const compile = async (key: string, source: PageSource): Promise<CompiledMarkdown> => {
    const { merchantId, kind, markdown } = source;
    const thread = markdown.length <= maxCharactersCommon ? commonPages : longPages;
    const run = async () =>
      await thread.compile({ kind, markdown }).catch((error: unknown) => {
        const keptMs = error instanceof TaskTooLarge ? tooSlowMs : failedMs;
        failed.set(key, true, { ttl: keptMs });
        throw notCompiled(keptMs, error);
      });
    const page = isQuick(markdown) ? compileMarkdown(source) : await thread.inTurn(merchantId, run);
    pages.set(key, page);
    return page;
  };

  return {
    find: (rowId: string, version: string): CompiledMarkdown | undefined =>
      pages.get(keyOf({ rowId, version })),
    /**
     * Compiles this version of the page only once, however many callers request it. Throws 503 if it is not ready in
     * time.
     */
    compile: async (source: PageSource): Promise<CompiledMarkdown> => {
      const key = keyOf(source);
      const kept = pages.get(key);
      if (kept) return kept;
      if (failed.has(key)) throw notCompiled(failed.getRemainingTTL(key));
      let page = underWay.get(key);
      if (!page) {
        page = compile(key, source).finally(() => underWay.delete(key));
        underWay.set(key, page);
        // Waiting callers get the error. This handler prevents an unhandled rejection if no caller is waiting any more.
        page.catch(() => undefined);
      }
      return inTime(page, waitMs);
    },
  };
}

/**
 * Returns true if a text certainly compiles quickly. This is not certain for a text with a table, because short rows
 * are padded and the markup can become many times as long as the text.
 */
const isQuick = (markdown: string) => markdown.length <= maxCharactersInline && !markdown.includes('|');

const keyOf = ({ rowId, version }: Pick<PageSource, 'rowId' | 'version'>) => `${rowId}/${version}`;

/** Estimates the size in memory: two bytes for each character and a few hundred for each object. */
const sizeOf = ({ parts, slots }: CompiledMarkdown): number =>
  parts.reduce((sum, part) => sum + 2 * part.length, 0) + 200 * (parts.length + slots.length) + 200;

function notCompiled(ms: number, cause?: unknown): ApiError {
  const seconds = Math.ceil(ms / 1_000);
  return Object.assign(
    new ApiError('service_unavailable', 'The page is not ready yet. Try again later.', undefined, seconds),
    {
      cause,
    },
  );
}

async function inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(notCompiled(ms)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs one task at a time. The owners of tasks take turns, and the tasks of one owner run in the order in which they
 * arrived.
 */
function takeTurns() {
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let isRunning = false;
  const runAll = async () => {
    isRunning = true;
    for (let [next] = waiting; next; [next] = waiting) {
      const [owner, tasks] = next;
      await tasks.shift()?.();
      // The owner's remaining tasks go to the end of the queue.
      waiting.delete(owner);
      if (tasks.length > 0) waiting.set(owner, tasks);
    }
    isRunning = false;
  };
  return <T>(owner: string, task: () => Promise<T>): Promise<T> => {
    const ahead = waiting.get(owner) ?? [];
    if (ahead.length >= maxWaiting) return Promise.reject(notCompiled(waitLimitMs));
    return new Promise<T>((resolve, reject) => {
      const run = async () => {
        try {
          resolve(await task());
        } catch (error) {
          reject(error);
        }
      };
      ahead.push(run);
      waiting.set(owner, ahead);
      if (!isRunning) void runAll();
    });
  };
}
