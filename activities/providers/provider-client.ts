import { Agent, errors, request } from 'undici';
import { z } from 'zod';
import { ProviderError } from './provider-error';

type ProviderSettings = {
  /** The provider's name in error messages, for example `the support desk`. */
  provider: string;
  baseUrl: string;
  headers: Record<string, string>;
  maxResponseBytes: number;
};

/** The time limit of a call, from its first byte to the last byte of the response. `signal` ends the call early. */
export type CallLimit = { timeoutMs: number; signal: AbortSignal };

type ProviderRequest = {
  method: 'GET' | 'POST';
  /** Appended to the base address. */
  path: string;
  headers?: Record<string, string>;
  /** A form is sent as one, and anything else as JSON. */
  body?: unknown;
};

/**
 * Creates a client for a provider whose replies are JSON. If the reply to a failed call has a `code`, so has the error. The client follows no redirects and does not retry, because
 * workflows do. Throws only ProviderError.
 */
export function createProviderClient({ provider, baseUrl, headers, maxResponseBytes }: ProviderSettings) {
  const agent = new Agent({
    connections: 20,
    // undici's own timeouts are off, because one deadline covers the whole call.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Many servers close idle connections after 5 s, and a POST on a connection that is just being closed is lost.
    // The client therefore closes idle connections first.
    keepAliveTimeout: 4_000,
    maxResponseSize: maxResponseBytes,
  });
  const address = baseUrl.replace(/\/+$/, '');

  return {
    call: async <T>(
      { method, path, headers: more, body }: ProviderRequest,
      shape: z.ZodType<T>,
      { timeoutMs, signal }: CallLimit,
    ): Promise<T> => {
      const isForm = body instanceof URLSearchParams;
      const deadline = AbortSignal.timeout(Math.max(0, Math.floor(timeoutMs)));
      try {
        const response = await request(address + path, {
          dispatcher: agent,
          method,
          headers: {
            accept: 'application/json',
            ...(body === undefined ? {} : { 'content-type': isForm ? formType : 'application/json' }),
            ...headers,
            ...more,
          },
          ...(body === undefined ? {} : { body: isForm ? body.toString() : JSON.stringify(body) }),
          signal: AbortSignal.any([signal, deadline]),
        });
        const text = await response.body.text();
        if (response.statusCode !== 200 && response.statusCode !== 201)
          throw ProviderError.ofStatus(provider, response.statusCode, response.headers['retry-after'], {
            code: codeIn(text),
          });
        return shape.parse(JSON.parse(text));
      } catch (error) {
        if (error instanceof ProviderError) throw error;
        throw new ProviderError(provider, signal.aborted ? 'cancelled' : kindOf(error, deadline), {
          isUnsent: isUnsent(error),
        });
      }
    },
    /** Waits for the calls in flight. */
    close: (): Promise<void> => agent.close(),
  };
}

const formType = 'application/x-www-form-urlencoded';
const failure = z.object({ code: z.union([z.int(), z.string().max(100)]).transform(String) });

/** Returns the provider's own code of an error from the body of its reply. */
function codeIn(text: string): string | undefined {
  try {
    return failure.safeParse(JSON.parse(text)).data?.code;
  } catch {
    return undefined;
  }
}

const connectionErrors = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
const isUnsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && connectionErrors.has(String(error.code));

function kindOf(error: unknown, deadline: AbortSignal) {
  if (deadline.aborted || error instanceof errors.ConnectTimeoutError) return 'timeout';
  if (error instanceof errors.ResponseExceededMaxSizeError) return 'too_long';
  return error instanceof SyntaxError || error instanceof z.ZodError ? 'malformed' : 'network';
}
