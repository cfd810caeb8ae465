import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';

/** The requests that the sink has received since its last reset. */
export type SinkReport = {
  requests: number;
  /** Distinct `webhook-id` values. */
  ids: number;
  /** Requests by the first part of the path. */
  byKind: Record<string, number>;
  /**
   * Percentiles of the milliseconds from the creation of a delivery (a time that the delivery's id contains) to its
   * first request.
   */
  p50: number;
  p99: number;
};

/*
 * The receiver of the benchmark, in a separate process. `/ok/…` responds at once, `/wait/<ms>/…` after that time,
 * `/status/<code>/…` with that status, and `/silent/…` never. It sends its port to its parent process when it is ready.
 */
let seen = new Set<string>();
let byKind: Record<string, number> = {};
let lags: number[] = [];
let requests = 0;

const server = createServer((request, response) => {
  const [, kind = '', value = ''] = (request.url ?? '').split('/');
  const id = request.headers['webhook-id'];
  request.resume();
  request.on('end', () => {
    requests += 1;
    byKind[kind] = (byKind[kind] ?? 0) + 1;
    if (typeof id === 'string' && !seen.has(id)) {
      seen.add(id);
      lags.push(performance.timeOrigin + performance.now() - bornAt(id));
    }
    answer(kind, value, response);
  });
});

/**
 * Returns the time in a delivery's id, in milliseconds since 1970. In its uuidv7, Postgres stores the fraction of a
 * millisecond in the 12 bits after the version.
 */
const bornAt = (id: string): number =>
  Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) + Number.parseInt(id.slice(15, 18), 16) / 4_096;

function answer(kind: string, value: string, response: ServerResponse): void {
  if (kind === 'silent') return;
  if (kind === 'wait') setTimeout(() => response.end('ok'), Number(value));
  else {
    if (kind === 'status') response.statusCode = Number(value);
    response.end('ok');
  }
}

function report(): SinkReport {
  const sorted = lags.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { requests, ids: seen.size, byKind, p50: at(0.5), p99: at(0.99) };
}

server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' && address ? address.port : 0 });
});
process.on('message', (message) => {
  if (message === 'forget') {
    seen = new Set();
    byKind = {};
    lags = [];
    requests = 0;
  } else process.send?.(message === 'count' ? { requests, byKind } : report());
});
process.on('disconnect', () => process.exit(0));
