/* Calls the operations at `/portal/v1` with the cookie of the candidate's link. */

import type { AppData } from '../pages/app-data';
import type { PortalReply } from './reply';

type Call = { json?: unknown; bytes?: Blob; query?: Record<string, string>; keepalive?: boolean };
export type Portal = ReturnType<typeof createPortal>;

/**
 * The time limit of a call. The server takes up to 12 seconds to decide what to ask next, and uploading 1 MiB takes
 * longer on a slow connection.
 */
const patienceMs = 45_000;

/**
 * Returns functions that call an operation: with GET by default, with PUT for bytes, and with POST for JSON. They
 * never throw.
 */
export function createPortal({ callHeader, enrolmentId }: Pick<AppData, 'callHeader' | 'enrolmentId'>) {
  const send = (operation: string, { json, bytes, query, keepalive = false }: Call): Promise<Response> => {
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    return fetch(`/portal/v1/${operation}${search}`, {
      method: bytes ? 'PUT' : json === undefined ? 'GET' : 'POST',
      headers: {
        [callHeader[0]]: callHeader[1],
        'x-enrolment-id': enrolmentId,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: bytes ?? (json === undefined ? null : JSON.stringify(json)),
      keepalive,
      signal: AbortSignal.timeout(patienceMs),
    });
  };

  return {
    async call<Body>(operation: string, call: Call = {}): Promise<PortalReply<Body>> {
      try {
        const response = await send(operation, call);
        return await read<Body>(response);
      } catch {
        return { kind: 'away' };
      }
    },
    /** Returns the file of a GET, or null if the call fails or there is no file yet. */
    async file(operation: string, call: Call): Promise<Blob | null> {
      try {
        const response = await send(operation, call);
        return response.status === 200 ? await response.blob() : null;
      } catch {
        return null;
      }
    },
  };
}

async function read<Body>(response: Response): Promise<PortalReply<Body>> {
  const { status } = response;
  if (status === 429 || status === 408 || status >= 500) return { kind: 'away' };
  const body: unknown = await response.json();
  if (response.ok) return { kind: 'done', body: body as Body };
  const { code = '', details } = body as { code?: string; details?: unknown[] };
  if (status === 409) return { kind: 'conflict', code, detail: details?.[0] };
  return status === 400 || status === 413 || status === 422 ? { kind: 'refused' } : { kind: 'gone' };
}

const longestPauseMs = 15_000;

/**
 * Returns how many milliseconds to wait after this many failed tries: 1, 2, 4, 8 and then 15 seconds, half of it
 * random.
 */
export const retryPauseMs = (tries: number, random = Math.random()): number =>
  Math.min(longestPauseMs, 1_000 * 2 ** (tries - 1)) * (0.5 + random / 2);

/** Waits before the next try. The wait ends early when the browser comes online. */
export const pauseBeforeRetry = (tries: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, retryPauseMs(tries));
    addEventListener('online', end);
  });

/**
 * Repeats a call until its reply is not `away`, which means that the call may succeed later. `onAway` is called
 * before each pause.
 */
export async function callUntilReply<Body>(
  call: () => Promise<PortalReply<Body>>,
  onAway: () => void,
): Promise<Exclude<PortalReply<Body>, { kind: 'away' }>> {
  for (let tries = 1; ; tries += 1) {
    const reply = await call();
    if (reply.kind !== 'away') return reply;
    onAway();
    await pauseBeforeRetry(tries);
  }
}
