import { z } from 'zod';
import { createProviderClient } from './provider-client';

type SupportDeskSettings = {
  /** The address before `/api/v2`, for example `https://company.zendesk.com`. */
  baseUrl: string;
  /** The email address of an agent. */
  user: string;
  token: string;
  /** The time limit of one call, from its first byte to the last byte of the response. */
  timeoutMs?: number;
};

type Ticket = {
  /** An id by which the conversation is found even after the desk has forgotten the call's idempotency key. */
  external_id: string;
  requester: { name: string; email: string };
  subject: string;
  body: string;
  tags: string[];
};

export type SupportDesk = ReturnType<typeof createSupportDesk>;

const created = z.object({ ticket: z.object({ id: z.int().positive() }) });
const found = z.object({ tickets: z.array(z.object({ id: z.int().positive(), external_id: z.unknown() })) });

/** A client for Zendesk's tickets. It does not retry, because the workflow does. Throws only ProviderError. */
export function createSupportDesk({ baseUrl, user, token, timeoutMs = 10_000 }: SupportDeskSettings) {
  const path = '/api/v2/tickets.json';
  const client = createProviderClient({
    provider: 'the support desk',
    baseUrl,
    headers: { authorization: `Basic ${Buffer.from(`${user}/token:${token}`).toString('base64')}` },
    maxResponseBytes: 1_048_576,
  });

  return {
    /**
     * Opens a conversation and returns its number. A repeated call with the same `external_id` returns the existing
     * conversation, as long as the desk remembers the idempotency key.
     */
    createTicket: async (
      { requester, subject, body, external_id, tags }: Ticket,
      signal: AbortSignal,
    ): Promise<number> => {
      const { ticket } = await client.call(
        {
          method: 'POST',
          path,
          headers: { 'idempotency-key': external_id },
          body: { ticket: { subject, comment: { body }, requester, external_id, tags } },
        },
        created,
        { timeoutMs, signal },
      );
      return ticket.id;
    },
    /** Returns the number of the conversation with this `external_id`, or of the first one if there are several. */
    findTicket: async (externalId: string, signal: AbortSignal): Promise<number | undefined> => {
      const query = new URLSearchParams({ external_id: externalId }).toString();
      const { tickets } = await client.call({ method: 'GET', path: `${path}?${query}` }, found, {
        timeoutMs,
        signal,
      });
      const numbers = tickets.filter(({ external_id: id }) => id === externalId).map(({ id }) => id);
      return numbers.length > 0 ? Math.min(...numbers) : undefined;
    },
    close: client.close,
  };
}
