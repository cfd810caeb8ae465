import { createHash, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Statement } from '../../../db/platform/statement';

const maxBytes = 64 * 1024 * 1024;
const maxBlockBytes = 1024 * 1024;
const keptForMs = 30_000;
const maxSeen = 20_000;
/** Rows in memory take about three times the size of their JSON in V8. */
const bytesPerCharacter = 3;

type Rows = readonly (readonly unknown[])[];

/** Keeps the rows of blocks for 30 s, in at most 64 MB (docs/reports.md#cache). */
export type ResultCache = {
  get(scope: string, statements: readonly Statement[]): Rows | undefined;
  set(scope: string, statements: readonly Statement[], rows: Rows): void;
};

function createResultCache(): ResultCache {
  const rowsByKey = new LRUCache<string, Rows>({
    maxSize: maxBytes,
    maxEntrySize: maxBlockBytes,
    ttl: keptForMs,
    sizeCalculation: (rows) => 500 + JSON.stringify(rows).length * bytesPerCharacter,
  });
  return {
    get: (scope, statements) => rowsByKey.get(keyOf(scope, statements)),
    set: (scope, statements, rows) => void rowsByKey.set(keyOf(scope, statements), rows),
  };
}

const keyOf = (scope: string, statements: readonly Statement[]): string =>
  hashOf([scope, statements.map(({ text, values }) => [text, values])]);

/**
 * Returns the hash of a value. A value that is nested too deep for JSON.stringify gets a random hash, so that it is
 * never found in the cache.
 */
export function hashOf(value: unknown): string {
  const hash = createHash('sha256');
  try {
    return hash.update(JSON.stringify(value)).digest('base64');
  } catch {
    return randomUUID();
  }
}

/** The rows and the report runs that an API process keeps in memory. */
export type ReportResults = {
  cache: ResultCache;
  /**
   * The runs in progress, by request. `what` resolves to a hash of everything on which the result depends, as soon as
   * the run has read it.
   */
  running: Map<string, { what: Promise<string | undefined>; result: Promise<unknown> }>;
  /** Recent requests, whose rows may be in the cache. */
  seen: LRUCache<string, true>;
};

export const createReportResults = (): ReportResults => ({
  cache: createResultCache(),
  running: new Map(),
  seen: new LRUCache({ max: maxSeen, ttl: keptForMs }),
});
