import { errors, Pool } from 'undici';
import { z } from 'zod';
import { readRetryAfter } from './retry-after';

export type SupportDeskSettings = {
  /** The address that contains `/api/v2`, for example `https://company.zendesk.com`. */
  baseUrl: string;
  /** The email address of an agent. */
  user: string;
  token: string;
  /** The time limit of one call, from its first byte to the last byte of the response. */
  timeoutMs?: number;
};

export type Ticket = {
  /** Finds the conversation again, even after the desk has forgotten the idempotency key of the call. */
  external_id: string;
  requester: { name: string; email: string };
  subject: string;
  body: string;
  tags: string[];
};

/**
 * No conversation is known of. One may exist all the same, since a response can be lost. `kind` is a word or the
 * status and contains nothing of the response's text, which quotes people. `retryAfterMs` is the wait that the desk
 * asked for.
 */
export class SupportDeskFailed extends Error {
  constructor(
    readonly kind: string,
    readonly retryAfterMs?: number,
  ) {
    super(`the support desk failed: ${kind}`);
  }
}

export type SupportDesk = ReturnType<typeof createSupportDesk>;

const created = z.object({ ticket: z.object({ id: z.int().positive() }) });
const found = z.object({ tickets: z.array(z.object({ id: z.int().positive(), external_id: z.unknown() })) });

/** A client for Zendesk's tickets. It does not retry, because the workflow does. Throws only SupportDeskFailed. */
export function createSupportDesk({ baseUrl, user, token, timeoutMs = 10_000 }: SupportDeskSettings) {
  const { origin, pathname } = new URL(baseUrl);
  const path = `${pathname.replace(/\/+$/, '')}/api/v2/tickets.json`;
  const pool = new Pool(origin, {
    connections: 20,
    // This is below the 5 s after which many servers close a connection: a POST on a connection that is just being
    // closed is lost.
    keepAliveTimeout: 4_000,
    maxResponseSize: 1_048_576,
  });
  const headers = {
    authorization: `Basic ${Buffer.from(`${user}/token:${token}`).toString('base64')}`,
    accept: 'application/json',
  };

  const ask = async <T>(
    request: { method: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string },
    shape: z.ZodType<T>,
    signal: AbortSignal,
  ): Promise<T> => {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await pool.request({
        ...request,
        headers: { ...headers, ...request.headers },
        signal: AbortSignal.any([signal, deadline]),
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200 && answer.statusCode !== 201) {
        const retryAfter = answer.headers['retry-after'];
        throw new SupportDeskFailed(
          String(answer.statusCode),
          typeof retryAfter === 'string' ? readRetryAfter(retryAfter) : undefined,
        );
      }
      return shape.parse(JSON.parse(text));
    } catch (error) {
      throw error instanceof SupportDeskFailed ? error : new SupportDeskFailed(nameFailure(error, deadline));
    }
  };

  return {
    /**
     * Opens a conversation and returns its number. The desk opens one for each `external_id` as long as it remembers
     * its calls.
     */
    createTicket: async (
      { requester, subject, body, external_id, tags }: Ticket,
      signal: AbortSignal,
    ): Promise<number> => {
      const { ticket } = await ask(
        {
          method: 'POST',
          path,
          headers: { 'content-type': 'application/json', 'idempotency-key': external_id },
          body: JSON.stringify({ ticket: { subject, comment: { body }, requester, external_id, tags } }),
        },
        created,
        signal,
      );
      return ticket.id;
    },
    /** Returns the number of the conversation with this `external_id`, or of the first one if there are several. */
    findTicket: async (externalId: string, signal: AbortSignal): Promise<number | undefined> => {
      const query = new URLSearchParams({ external_id: externalId }).toString();
      const { tickets } = await ask({ method: 'GET', path: `${path}?${query}` }, found, signal);
      const numbers = tickets.filter(({ external_id: id }) => id === externalId).map(({ id }) => id);
      return numbers.length > 0 ? Math.min(...numbers) : undefined;
    },
    /** Waits for the calls in flight. */
    close: (): Promise<void> => pool.close(),
  };
}

/** Creates the client from the worker's variables. Returns undefined if they are not set. */
export function openSupportDesk(config: {
  SUPPORT_DESK_BASE_URL?: string | undefined;
  SUPPORT_DESK_USER?: string | undefined;
  SUPPORT_DESK_TOKEN?: string | undefined;
}): SupportDesk | undefined {
  const { SUPPORT_DESK_BASE_URL: baseUrl, SUPPORT_DESK_USER: user, SUPPORT_DESK_TOKEN: token } = config;
  if (baseUrl === undefined || user === undefined || token === undefined) return undefined;
  return createSupportDesk({ baseUrl, user, token });
}

function nameFailure(error: unknown, deadline: AbortSignal): string {
  if (deadline.aborted || error instanceof errors.ConnectTimeoutError) return 'timeout';
  return error instanceof SyntaxError || error instanceof z.ZodError ? 'malformed' : 'network';
}
