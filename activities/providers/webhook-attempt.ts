import type { Dispatcher } from 'undici';
import type { Connection, KeptConnections } from './kept-connections';
import { readRetryAfter } from './retry-after';
import { keepBody, keepHeaders, keptBodyBytes, readBodyBytes } from './webhook-answer';
import { explainFailure } from './webhook-failure';

type PostOutcome = 'acknowledged' | 'refused' | 'timeout' | 'network' | 'blocked_address';

/**
 * Durations in milliseconds, rounded to tenths. A phase is null if it was not reached or not needed: a reused
 * connection needs no `connect`, a literal address no `dns`, and http no `tls`.
 */
type PostPhases = {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  /** From the start of the request to the end of the response headers. */
  first_byte: number | null;
  total: number;
};

export type PostResult = {
  outcome: PostOutcome;
  /**
   * The status of the response. A response that was cut off also has its status, its headers and the beginning of its
   * body.
   */
  status: number | null;
  response_headers: Record<string, string> | null;
  /** At most 16 KiB as UTF-8, without NUL. */
  response_body: string | null;
  is_truncated: boolean;
  peer_address: string | null;
  /** One sentence if there was no complete response, otherwise null. */
  error: string | null;
  ms: PostPhases;
  /** The pause that a 429 or 503 response asks for, at most a week. */
  retry_after_ms: number | null;
};

export type PostRequest = {
  url: string;
  /** All headers except host, connection and content-length. */
  headers: Record<string, string>;
  body: string;
  /** The time limit for name lookup, connection, and headers and body of the response together. The default is 60 s. */
  timeoutMs?: number;
  /** Aborts the attempt. Many attempts can share one signal. */
  signal?: AbortSignal;
};

const defaultTimeoutMs = 60_000;

/**
 * One POST request, from the name lookup to its outcome. Implements undici's interface for handlers of a request. One
 * deadline covers all phases, and the attempt settles only once.
 */
export class PostAttempt implements Dispatcher.DispatchHandler {
  onSettled: (() => void) | undefined;
  readonly #request: PostRequest;
  readonly #resolve: (result: PostResult) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  #isSettled = false;
  #connection: Connection | undefined;
  #connections: KeptConnections | undefined;
  #path = '';
  #controller: Dispatcher.DispatchController | undefined;
  #sentAt: number | undefined;
  #respondedAt: number | undefined;
  #status = 0;
  #headers: Record<string, string | string[] | undefined> | undefined;
  readonly #chunks: Buffer[] = [];
  #bodyBytes = 0;

  constructor(
    request: PostRequest,
    resolve: (result: PostResult) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    // A timer for each attempt is cheap, because Node keeps all timers of the same duration in one list.
    this.#timer = setTimeout(onDeadline, request.timeoutMs ?? defaultTimeoutMs, this);
  }

  send(connections: KeptConnections, origin: string, path: string): void {
    this.#connections = connections;
    this.#path = path;
    this.#connection = connections.take(origin);
    const { headers, body } = this.#request;
    this.#connection.client.dispatch({ method: 'POST', path, headers, body }, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#sentAt = performance.now();
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#respondedAt = performance.now();
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bodyBytes < keptBodyBytes) this.#chunks.push(chunk);
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes <= readBodyBytes) return;
    this.#settleResponse();
    this.#breakOff();
  }

  onResponseEnd(): void {
    this.#settleResponse();
    if (this.#connection) this.#connections?.giveBack(this.#connection);
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    const connection = this.#connection;
    if (connection) this.#connections?.discard(connection);
    if (this.#isSettled) return;
    if (connection && this.#connections && this.#isOnKeptConnection() && this.#sentAt === undefined) {
      // The server closed the connection before anything was written. The receiver has not failed, so the request is
      // sent again.
      this.send(this.#connections, connection.origin, this.#path);
      return;
    }
    const failure = explainFailure(error, this.#respondedAt !== undefined);
    this.settle(failure.outcome, failure.error);
  }

  onTimeout(): void {
    const wait = `${(this.#request.timeoutMs ?? defaultTimeoutMs) / 1_000} s`;
    this.settle(
      'timeout',
      this.#status ? `the response did not end within ${wait}` : `no response within ${wait}`,
    );
    this.#breakOff();
  }

  /** Ends the attempt without a result: its promise rejects with the reason. */
  abort(reason: unknown): void {
    if (!this.#end()) return;
    this.#reject(reason);
    this.#breakOff();
  }

  settle(outcome: PostOutcome, error: string | null): void {
    if (!this.#end()) return;
    const headers = this.#headers;
    const body = headers ? keepBody(this.#chunks) : undefined;
    this.#resolve({
      outcome,
      status: this.#status || null,
      response_headers: headers ? keepHeaders(headers) : null,
      response_body: body?.text ?? null,
      is_truncated: this.#bodyBytes > keptBodyBytes || body?.is_cut === true,
      peer_address: this.#connection?.steps.peerAddress ?? null,
      error,
      ms: this.#measure(),
      retry_after_ms: this.#readRetryAfter(),
    });
  }

  #settleResponse(): void {
    this.settle(this.#status < 300 ? 'acknowledged' : 'refused', null);
  }

  #isOnKeptConnection(): boolean {
    const startedAt = this.#connection?.steps.startedAt ?? 0;
    return startedAt > 0 && startedAt < this.#startedAt;
  }

  /** Aborts the request. If it was not sent yet, only the connection that is being opened can be discarded. */
  #breakOff(): void {
    if (this.#controller) this.#controller.abort(noUse);
    else if (this.#connection) this.#connections?.discard(this.#connection);
  }

  /** Marks the attempt as ended. Returns false if it had already ended. */
  #end(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.onSettled?.();
    return true;
  }

  #measure(): PostPhases {
    const steps = this.#isOnKeptConnection() ? undefined : this.#connection?.steps;
    return {
      dns: span(steps?.startedAt, steps?.resolvedAt),
      connect: span(steps?.resolvedAt ?? steps?.startedAt, steps?.connectedAt),
      tls: span(steps?.connectedAt, steps?.securedAt),
      first_byte: span(this.#sentAt, this.#respondedAt),
      total: tenths(performance.now() - this.#startedAt),
    };
  }

  #readRetryAfter(): number | null {
    if (this.#status !== 429 && this.#status !== 503) return null;
    const sent = this.#headers?.['retry-after'];
    const waitMs = typeof sent === 'string' ? readRetryAfter(sent) : undefined;
    return waitMs === undefined ? null : Math.min(waitMs, maxRetryAfterMs);
  }
}

/** undici requires a reason to abort a request. Nothing reads this reason. */
const noUse = new Error('no use for the rest');
const maxRetryAfterMs = 7 * 24 * 3_600_000;

const onDeadline = (attempt: PostAttempt): void => attempt.onTimeout();

const span = (from: number | undefined, to: number | undefined): number | null =>
  from === undefined || to === undefined ? null : tenths(to - from);
const tenths = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
