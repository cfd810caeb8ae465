import type { Sent } from './call.js';
import { createCredential } from './credential.js';
import type { Credential, TokenSource } from './credential.js';
import { ApiError, ConnectionError, errorOf, isTemporary } from './errors.js';

export type Settings = {
  /** The base address of the API with its version: `https://api.example.com/v1`. */
  baseUrl: string;
  /** An access token, or a refresh token from which the client gets access tokens. */
  token?: string | TokenSource | undefined;
  /** A service key. Its calls name their merchant: see `merchantId`. */
  serviceKey?: string | undefined;
  /** The merchant of calls that name none. */
  merchantId?: string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Limit of one attempt in milliseconds; 60,000 if left out. */
  timeoutMs?: number | undefined;
  /** How often a call is repeated; 2 if left out. */
  maxRetries?: number | undefined;
};

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

type Attempt = {
  url: string;
  init: Omit<RequestInit, 'headers'>;
  headers: Record<string, string>;
  signal?: AbortSignal | undefined;
};

/** A reply that has arrived completely. */
export type Reply = { status: number; headers: Headers; bytes: ArrayBuffer };

/** A longer `Retry-After`, such as that of a daily limit, is for people to wait for. */
const maxRetryAfterSeconds = 60;
const firstDelayMs = 500;

export const textOf = ({ bytes }: Reply): string => new TextDecoder().decode(bytes);

/** Parses a reply. Throws an `ApiError` `unexpected_reply` if it is not JSON, such as the page of a proxy. */
export function parseJson(reply: Reply): unknown {
  const text = textOf(reply);
  try {
    return JSON.parse(text);
  } catch {
    throw errorOf(reply.status, reply.headers, text);
  }
}

/** Sends calls with a credential, a time limit and retries. */
export class Transport {
  readonly #baseUrl: string;
  readonly #credential: Credential;
  readonly #fetch: Fetch;
  readonly #timeoutMs: number;
  readonly #maxRetries: number;

  constructor(settings: Settings) {
    this.#baseUrl = settings.baseUrl.replace(/\/*$/, '/');
    this.#fetch = settings.fetch ?? ((url, init) => fetch(url, init));
    this.#timeoutMs = settings.timeoutMs ?? 60_000;
    this.#maxRetries = settings.maxRetries ?? 2;
    this.#credential = createCredential(settings, (form) =>
      this.#sendWithRetries({
        url: new URL('/auth/token', this.#baseUrl).href,
        init: { method: 'POST', body: form.toString() },
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }).then(parseJson),
    );
  }

  /** Sends a call to `path`, which is relative to the base address. Throws an `ApiError` unless the status is 2xx. */
  async send(method: string, path: string, { query, body, options = {} }: Sent = {}): Promise<Reply> {
    const url = new URL(path, this.#baseUrl);
    if (url.origin !== new URL(this.#baseUrl).origin)
      throw new TypeError('The path is not an address of the API, which alone gets the credential.');
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    // As fetch does, so that each POST gets a key however it is written.
    const verb = method.toUpperCase();
    const isBytes = body instanceof Uint8Array;
    const content = isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);
    const attempt: Attempt = {
      url: url.href,
      init: { method: verb, ...(body === undefined ? {} : { body: content }) },
      headers: {
        ...(verb === 'POST' ? { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() } : {}),
        ...(body === undefined
          ? {}
          : { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
        // With names in lower case, a header of the caller replaces one of these.
        ...Object.fromEntries(new Headers(options.headers)),
      },
      signal: options.signal,
    };
    const token = await this.#credential.token();
    try {
      return await this.#sendWithRetries(attempt, token);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'token_expired')) throw error;
      const next = await this.#credential.renew(token);
      if (next === undefined) throw error;
      return this.#sendWithRetries(attempt, next);
    }
  }

  /** Every attempt sends the same headers, so a POST that was executed and lost its reply is not executed again. */
  async #sendWithRetries(attempt: Attempt, token?: string): Promise<Reply> {
    const { signal } = attempt;
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#sendOnce({ ...attempt, headers: { ...attempt.headers, ...headers } });
      } catch (error) {
        const delayMs = retries < this.#maxRetries ? delayBefore(error, retries) : undefined;
        if (delayMs === undefined || signal?.aborted) throw error;
        await sleep(delayMs, signal);
      }
    }
  }

  async #sendOnce({ url, init, headers, signal }: Attempt): Promise<Reply> {
    const limit = AbortSignal.timeout(this.#timeoutMs);
    const read = async (): Promise<Reply> => {
      const response = await this.#fetch(url, {
        ...init,
        headers,
        // A redirect would send a POST again as a GET.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      return { status: response.status, headers: response.headers, bytes: await response.arrayBuffer() };
    };
    const reply = await read().catch((cause: unknown) => {
      signal?.throwIfAborted();
      const [code, message] = limit.aborted
        ? (['timeout', `The API sent no reply within ${this.#timeoutMs} ms.`] as const)
        : (['connection_failed', 'The connection to the API failed.'] as const);
      throw new ConnectionError({ status: 0, code, message, cause });
    });
    const { status } = reply;
    // A 304 follows only a call with `if-none-match`, which `raw` is for.
    if (status !== 304 && (status < 200 || status > 299)) throw errorOf(status, reply.headers, textOf(reply));
    return reply;
  }
}

/** Returns the time to wait before an error's call is repeated, and undefined if it is not to be repeated. */
function delayBefore(error: unknown, retries: number): number | undefined {
  if (!(error instanceof ApiError) || !isTemporary(error)) return undefined;
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds === null) return firstDelayMs * 2 ** retries * (0.5 + Math.random() / 2);
  if (retryAfterSeconds > maxRetryAfterSeconds) return undefined;
  return retryAfterSeconds * 1000 * (1 + Math.random() * 0.2);
}

/** Waits, and throws the signal's reason as soon as it is aborted. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
