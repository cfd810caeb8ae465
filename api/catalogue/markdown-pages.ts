import { LRUCache } from 'lru-cache';
import { ApiError } from '../platform/operation/api-error';
import { compileMarkdown } from './markdown';
import type { CompiledMarkdown, MarkdownSource } from './markdown';
import { createMarkdownThread, PageTooSlow } from './markdown-thread';

/** What is kept of compiled pages, in bytes: some thousand usual ones. */
const keptBytes = 64 * 1_048_576;
/** Any text of this length without a table compiles in less than 10 ms. All others compile in a thread. */
const maxCharactersInline = 500;
/** Pages up to this length have a thread of their own, so that they do not wait for those that take seconds. */
const maxCharactersCommon = 8_192;
/** How long a visitor waits for a long page, the pages before it included. */
const waitLimitMs = 10_000;
/** How long a page that did not compile is not tried again. */
const failureKeptMs = 60_000;
/** The same for one that exceeded its limits: its visitors would keep the one thread of all merchants busy. */
const tooSlowKeptMs = 600_000;
/** Pages of one merchant that wait, which are as many megabytes. */
const maxWaiting = 20;

/** Markdown, of which row and version it is, and in whose portal it is shown. */
export type PageSource = MarkdownSource & { rowId: string; version: string; merchantId: string };

export type MarkdownPages = ReturnType<typeof createMarkdownPages>;

/**
 * Compiled pages by row and version. All but the shortest compile in two threads, one for common and one for long pages:
 * each takes one page at a time, from one merchant after the other, while this process serves other requests. A visitor
 * who waits too long gets a 503, and the page goes on compiling for the next one.
 */
export function createMarkdownPages({
  compileAside,
  waitMs = waitLimitMs,
  failedMs = failureKeptMs,
  tooSlowMs = tooSlowKeptMs,
}: {
  compileAside?: (source: MarkdownSource) => Promise<CompiledMarkdown>;
  waitMs?: number;
  failedMs?: number;
  tooSlowMs?: number;
} = {}) {
  const pages = new LRUCache<string, CompiledMarkdown>({ maxSize: keptBytes, sizeCalculation: sizeOf });
  const failed = new LRUCache<string, true>({ max: 1_000, ttl: failedMs });
  // Not in the cache: it lets go of what is under way when others need the room.
  const underWay = new Map<string, Promise<CompiledMarkdown>>();
  const newThread = () => ({ inTurn: takeTurns(), compile: compileAside ?? createMarkdownThread() });
  const commonPages = newThread();
  const longPages = newThread();

  const compile = async (key: string, source: PageSource): Promise<CompiledMarkdown> => {
    const { merchantId, kind, markdown } = source;
    const thread = markdown.length <= maxCharactersCommon ? commonPages : longPages;
    const run = async () =>
      await thread.compile({ kind, markdown }).catch((error: unknown) => {
        const keptMs = error instanceof PageTooSlow ? tooSlowMs : failedMs;
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
    /** Compiles the page of that version, once however many ask. Throws 503 where it does not come about in time. */
    compile: async (source: PageSource): Promise<CompiledMarkdown> => {
      const key = keyOf(source);
      const kept = pages.get(key);
      if (kept) return kept;
      if (failed.has(key)) throw notCompiled(failed.getRemainingTTL(key));
      let page = underWay.get(key);
      if (!page) {
        page = compile(key, source).finally(() => underWay.delete(key));
        underWay.set(key, page);
        // Whoever waits is told; there may be nobody any more.
        page.catch(() => undefined);
      }
      return inTime(page, waitMs);
    },
  };
}

/** A table fills up rows that are too short, so that it can be many times as long as its text. */
const isQuick = (markdown: string) => markdown.length <= maxCharactersInline && !markdown.includes('|');

const keyOf = ({ rowId, version }: Pick<PageSource, 'rowId' | 'version'>) => `${rowId}/${version}`;

/** Two bytes a character, and some hundred an object. */
const sizeOf = ({ parts, slots }: CompiledMarkdown): number =>
  parts.reduce((sum, part) => sum + 2 * part.length, 0) + 200 * (parts.length + slots.length) + 200;

function notCompiled(ms: number, cause?: unknown): ApiError {
  const seconds = Math.ceil(ms / 1_000);
  return Object.assign(new ApiError(503, 'The page is not ready, try again later', undefined, seconds), {
    cause,
  });
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

/** Runs one task at a time, those of different owners in turn, and of one owner in the order in which they came. */
function takeTurns() {
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let isRunning = false;
  const runAll = async () => {
    isRunning = true;
    for (let [next] = waiting; next; [next] = waiting) {
      const [owner, tasks] = next;
      await tasks.shift()?.();
      // Behind all others, with what is left.
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
