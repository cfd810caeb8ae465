import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { z } from 'zod';
import { responseHeaders, parseBody } from './parse-body';
import type { Delays } from './pauses';
import { createRecentRecords, type RecentRecords } from './records';

type SinkRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string; at: string };

export type WebhookSink = {
  handle: (req: IncomingMessage, res: ServerResponse) => void;
  /**
   * Returns how many requests each path under `/sink` has received. The keys are the addresses at which these
   * requests are listed.
   */
  counts: () => Record<string, number>;
  forget: () => void;
};

/** The sink keeps more requests than other lists do, so that all webhooks of a burst can be counted afterwards. */
const limitRequests = 20_000;
const limitBodyBytes = 5_000_000;
const limitNames = 1_000;

const answerBody = z.strictObject({
  status: z.int().min(200).max(599).default(200),
  delay_ms: z.int().min(0).max(600_000).default(0),
  headers: responseHeaders.default({}),
  body: z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]).default('ok'),
  times: z.int().min(1).max(1_000_000).optional(),
});
type Answer = {
  status: number;
  delayMs: number;
  headers: OutgoingHttpHeaders;
  body: string;
  timesLeft: number;
};
type Basin = { answer: Answer; requests: RecentRecords<SinkRequest> };

/**
 * Creates a webhook receiver whose responses can be set. It handles raw requests before express does, because the
 * benchmark of the webhook sender sends more than 12,000 requests a second to it.
 */
export function createWebhookSink(pauses: Delays): WebhookSink {
  const basins = new Map<string, Basin>();
  const findBasin = (name: string): Basin => {
    const known = basins.get(name);
    if (known) return known;
    const [oldest] = basins.keys();
    if (oldest !== undefined && basins.size >= limitNames) basins.delete(oldest);
    const basin = { answer: defaultAnswer, requests: createRecentRecords<SinkRequest>(limitRequests) };
    basins.set(name, basin);
    return basin;
  };

  const receive = (basin: Basin, req: IncomingMessage, res: ServerResponse, body: string) => {
    const { method = '', url = '', headers } = req;
    basin.requests.add({ method, path: url, headers, body, at: new Date().toISOString() });
    const { answer } = basin;
    answer.timesLeft -= 1;
    if (answer.timesLeft === 0) basin.answer = defaultAnswer;
    if (answer.delayMs === 0) {
      res.writeHead(answer.status, answer.headers).end(answer.body);
      return;
    }
    void pauses.wait(answer.delayMs).then((passed) => {
      if (passed) res.writeHead(answer.status, answer.headers).end(answer.body);
    });
  };

  return {
    handle(req, res) {
      const { name, rest } = splitPath(req.url ?? '');
      if (name === '') return sendJson(res, 404, { error: 'name the sink: /sink/<name>', name: null });
      if (rest === 'requests') return answerList(basins.get(name), req, res);
      if (rest === 'answer' && req.method !== 'PUT') return refuseMethod(res, 'PUT');
      readText(req, res, (body) => {
        if (rest === 'answer') return setAnswer(findBasin(name), res, body);
        receive(findBasin(name), req, res, body);
      });
    },
    counts: () =>
      Object.fromEntries(
        [...basins].map(([name, { requests }]) => [
          `/sink/${encodeURIComponent(name)}/requests`,
          requests.count(),
        ]),
      ),
    forget() {
      for (const { requests } of basins.values()) requests.forget();
    },
  };
}

const defaultAnswer = buildAnswer(answerBody.parse({}));

function buildAnswer({ status, delay_ms, headers, body, times }: z.infer<typeof answerBody>): Answer {
  const bodyless = status === 204 || status === 304;
  const text = bodyless ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const named = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  const length = bodyless ? {} : { 'content-length': Buffer.byteLength(text) };
  return {
    status,
    delayMs: delay_ms,
    headers: { ...(bodyless ? {} : { 'content-type': type }), ...named, ...length },
    body: text,
    timesLeft: times ?? Infinity,
  };
}

function setAnswer(basin: Basin, res: ServerResponse, body: string): void {
  const parsed = parseBody(answerBody, body);
  if (!parsed.ok) return sendJson(res, 422, { error: parsed.error, name: parsed.name });
  basin.answer = buildAnswer(parsed.value);
  sendJson(res, 200, parsed.value);
}

function answerList(basin: Basin | undefined, req: IncomingMessage, res: ServerResponse): void {
  if (req.method === 'DELETE') {
    basin?.requests.forget();
    res.writeHead(204).end();
    return;
  }
  if (req.method !== 'GET') return refuseMethod(res, 'GET, DELETE');
  const requests = basin?.requests.list() ?? [];
  res.setHeader('x-total-count', basin?.requests.count() ?? 0);
  sendJson(res, 200, requests);
}

function splitPath(url: string): { name: string; rest: string } {
  const query = url.indexOf('?');
  const path = url.slice('/sink/'.length, query === -1 ? undefined : query);
  const slash = path.indexOf('/');
  if (slash === -1) return { name: decode(path), rest: '' };
  return { name: decode(path.slice(0, slash)), rest: path.slice(slash + 1) };
}

function decode(name: string): string {
  try {
    return name.includes('%') ? decodeURIComponent(name) : name;
  } catch {
    return name;
  }
}

/**
 * Reads the body of a request and calls `done`. For an aborted request, `done` is not called, so the request is not
 * recorded.
 */
function readText(req: IncomingMessage, res: ServerResponse, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limitBodyBytes) chunks.push(chunk);
  });
  req.on('error', () => {});
  req.on('end', () => {
    if (bytes > limitBodyBytes) return sendJson(res, 413, { error: 'the body is too large', name: null });
    const [first] = chunks;
    done(chunks.length === 1 && first ? first.toString() : Buffer.concat(chunks).toString());
  });
}

function refuseMethod(res: ServerResponse, allow: string): void {
  res.setHeader('allow', allow);
  sendJson(res, 405, { error: `this path takes ${allow}`, name: null });
}

function sendJson(res: ServerResponse, status: number, value: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value));
}
