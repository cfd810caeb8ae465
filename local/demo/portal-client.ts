import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt } from '../../api/taking/attempt-fields';
import { currentConsentVersion } from '../../api/taking/consent-version';

type Turn = NonNullable<Attempt['turn']>;
export type PortalClient = ReturnType<typeof createPortalClient>;

/**
 * Returns a client of `/portal/v1` that takes the interview of a candidate's link. Its functions return the attempt,
 * and throw when a request fails.
 */
export function createPortalClient(link: string) {
  const { origin, searchParams } = new URL(link);
  const authorization = `Bearer ${searchParams.get('interview_token') ?? ''}`;

  async function call(operation: string, body?: Record<string, unknown>): Promise<Attempt> {
    const response = await fetch(`${origin}/portal/v1/${operation}`, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    if (response.status !== 200)
      throw new Error(`${operation} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Attempt;
  }

  /** Waits while the next turn is being decided. */
  async function settle(attempt: Attempt): Promise<Attempt> {
    if (attempt.waiting_ms === null) return attempt;
    await sleep(attempt.waiting_ms);
    return settle(await call('attempt-get'));
  }

  return {
    /** Begins the attempt with the candidate's consent. */
    begin: async () =>
      settle(await call('attempt-begin', { consent: true, consent_version: currentConsentVersion })),
    get: () => call('attempt-get'),
    /** Answers a turn in writing, or with its first choice. */
    answer: async ({ turn_id, choices: [choice] = [] }: Turn, text: string) =>
      settle(await call('turn-answer', { turn_id, ...(choice === undefined ? { text } : { choice }) })),
    /** Goes on from a turn that needs no answer. */
    skip: async ({ turn_id }: Turn) => settle(await call('turn-answer', { turn_id, seen: true })),
    /** Ends the attempt before all questions are answered. */
    finish: () => call('attempt-finish', {}),
    submit: () => call('attempt-submit', {}),
  };
}
