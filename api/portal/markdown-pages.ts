import { LRUCache } from 'lru-cache';
import { ApiError } from '../contracts/api-error';
import { compileMarkdown } from './markdown';
import type { CompiledMarkdown, MarkdownSource } from './markdown';
import { compileInThread, PageTooSlow } from './markdown-thread';

/** What is kept of compiled pages, in bytes: some thousand usual ones. */
const keptBytes = 64 * 1_048_576;
/** Whatever has this length compiles in some 100 ms at most; longer ones do it beside the requests of others. */
const mostCharactersInline = 8_192;
/** How long a visitor waits for a long page, the pages before it included. */
const waitLimitMs = 10_000;
/** How long a page that did not compile is not tried again. */
const failureKeptMs = 60_000;
/** The same for one that exceeded its limits: its visitors would keep the one thread of all merchants busy. */
const tooSlowKeptMs = 600_000;
/** Pages of one merchant that wait, which are as many megabytes. */
const mostWaiting = 20;

/** Markdown, of which row and version it is, and in whose portal it is shown. */
export type PageSource = MarkdownSource & { rowId: string; version: string; merchantId: string };

export type MarkdownPages = ReturnType<typeof createMarkdownPages>;

/**
 * Compiled pages by the row and the version that they are of. A long page is compiled in a thread of its own, one at a
 * time and each merchant's in turn: a megabyte of brackets takes seconds, in which this process answers others. Whom it
 * keeps waiting too long gets 503; the page goes on, for whoever comes next.
 */
export function createMarkdownPages({
  compileAside = (source) => compileInThread(source),
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
  const inTurn = takeTurns();

  const compile = async (key: string, source: PageSource): Promise<CompiledMarkdown> => {
    const { merchantId, kind, markdown } = source;
    const run = async () =>
      await compileAside({ kind, markdown }).catch((error: unknown) => {
        const keptMs = error instanceof PageTooSlow ? tooSlowMs : failedMs;
        failed.set(key, true, { ttl: keptMs });
        throw notCompiled(keptMs, error);
      });
    const page =
      markdown.length <= mostCharactersInline ? compileMarkdown(source) : await inTurn(merchantId, run);
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
    if (ahead.length >= mostWaiting) return Promise.reject(notCompiled(waitLimitMs));
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
