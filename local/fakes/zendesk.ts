import type { Request, Response } from 'express';
import { z } from 'zod';
import { applyFault, type Faults } from './faults';
import { parseBody } from './parse-body';
import type { Delays } from './pauses';
import { createRecentRecords, type RecentRecords } from './records';

export type Conversation = {
  number: number;
  external_id: string | null;
  requester_email: string;
  subject: string;
  body: string;
  idempotency_key: string | null;
  at: string;
  requester_name: string | null;
  tags: string[];
};

const ticketBody = z.object({
  ticket: z.object({
    subject: z.string().max(150, 'Subject: is too long (maximum is 150 characters)').default(''),
    comment: z.object({ body: z.string().min(1, 'Description: cannot be blank').max(65_536) }),
    requester: z
      .object({ name: z.string().min(1, 'Name: is too short (minimum is 1 characters)'), email: z.email() })
      .optional(),
    external_id: z.string().optional(),
    tags: z.array(z.string().regex(/^\S+$/)).default([]),
  }),
});
const settingsBody = z.strictObject({ forget_keys_after_ms: z.int().min(0).max(86_400_000) });

type SupportDesk = {
  conversations: RecentRecords<Conversation>;
  /** Handles `POST /api/v2/tickets.json`. */
  create: (req: Request, res: Response) => Promise<void>;
  /** Handles `GET /api/v2/tickets.json`: all tickets or those with an `external_id`. */
  find: (req: Request, res: Response) => Promise<void>;
  /**
   * Handles `PUT /support/settings`: sets how long idempotency keys are remembered, also for keys that were sent
   * before.
   */
  set: (req: Request, res: Response) => void;
  forget: () => void;
};

/**
 * Creates a fake of Zendesk that creates and finds tickets. An idempotency key is remembered for two hours, as in
 * Zendesk. A ticket whose request gets a fault other than a delay is not created, unless the fault has `accept`.
 */
export function createSupportDesk(faults: Faults, pauses: Delays): SupportDesk {
  const conversations = createRecentRecords<Conversation>();
  const keys = new Map<string, { made: Conversation; text: string; at: number }>();
  let forgetKeysAfterMs = 2 * 3_600_000;
  let lastNumber = 1_000;

  const make = (validated: Validated, key: string | undefined, text: string): Outcome => {
    if ('refusal' in validated) return validated;
    const known = key === undefined ? undefined : keys.get(key);
    if (known && Date.now() - known.at < forgetKeysAfterMs)
      return known.text === text ? { made: known.made, lookup: 'hit' } : { refusal: mismatch };
    lastNumber += 1;
    const made = toConversation(validated.ticket, key ?? null, lastNumber);
    conversations.add(made);
    if (key !== undefined) keys.set(key, { made, text, at: Date.now() });
    return { made, lookup: 'miss' };
  };

  return {
    conversations,
    async create(req, res) {
      const fault = faults.take('support');
      const key = req.get('idempotency-key');
      const text = String(req.body);
      const early = fault?.accept ? make(validate(req), key, text) : undefined;
      if (await applyFault(fault, res, pauses, shapeError)) return;
      if (fault?.malformed) return breakOff(res, fault.status);
      const outcome = early ?? make(validate(req), key, text);
      if ('refusal' in outcome) {
        res.status(outcome.refusal.status).json(outcome.refusal.body);
        return;
      }
      if (key !== undefined) res.set('x-idempotency-lookup', outcome.lookup);
      const ticket = showTicket(outcome.made);
      res.status(201).location(ticket.url).json({ ticket });
    },
    async find(req, res) {
      const fault = faults.take('support', { creates: false });
      if (await applyFault(fault, res, pauses, shapeError)) return;
      if (fault?.malformed) return breakOff(res, fault.status);
      if (!isAuthentic(req)) {
        res.status(401).json(unauthentic);
        return;
      }
      const wanted = req.query['external_id'];
      const tickets = conversations
        .list()
        .filter(({ external_id }) => wanted === undefined || external_id === wanted)
        .map(showTicket);
      const count = tickets.length;
      res.json({ tickets: tickets.slice(0, 100), next_page: null, previous_page: null, count });
    },
    set(req, res) {
      const parsed = parseBody(settingsBody, req.body);
      if (!parsed.ok) {
        res.status(422).json({ error: parsed.error, name: parsed.name });
        return;
      }
      forgetKeysAfterMs = parsed.value.forget_keys_after_ms;
      res.json(parsed.value);
    },
    forget() {
      conversations.forget();
      keys.clear();
    },
  };
}

type Ticket = z.infer<typeof ticketBody>['ticket'];
type Refusal = { status: number; body: object };
type Validated = { ticket: Ticket } | { refusal: Refusal };
type Outcome = { made: Conversation; lookup: 'hit' | 'miss' } | { refusal: Refusal };

const unauthentic = { error: "Couldn't authenticate you" };
const mismatch: Refusal = {
  status: 400,
  body: {
    error: 'IdempotentRequestError',
    description: "Request parameters don't match the given idempotency key",
  },
};

/** Returns true if the request authenticates with an agent's email address followed by `/token`, and an API token. */
function isAuthentic(req: Request): boolean {
  const [, encoded = ''] = /^Basic (\S+)$/i.exec(req.get('authorization') ?? '') ?? [];
  return /^[^\s:]+@[^\s:]+\/token:\S+$/.test(Buffer.from(encoded, 'base64').toString());
}

/** Returns the ticket that a request would create, or Zendesk's error response. */
function validate(req: Request): Validated {
  if (!isAuthentic(req)) return { refusal: { status: 401, body: unauthentic } };
  if ((req.get('idempotency-key')?.length ?? 0) > 255)
    return { refusal: { status: 400, body: shapeError(400, 'The idempotency key is over 255 characters.') } };
  const parsed = parseBody(ticketBody, req.body);
  if (parsed.ok) return { ticket: parsed.value.ticket };
  const details = { [parsed.name?.split('.').at(-1) ?? 'base']: [{ description: parsed.error }] };
  const body = { error: 'RecordInvalid', description: 'Record validation errors', details };
  return { refusal: { status: 422, body } };
}

const toConversation = (
  { subject, comment, requester, external_id, tags }: Ticket,
  key: string | null,
  number: number,
): Conversation => ({
  number,
  external_id: external_id ?? null,
  requester_email: requester?.email ?? '',
  subject,
  body: comment.body,
  idempotency_key: key,
  at: new Date().toISOString(),
  requester_name: requester?.name ?? null,
  tags,
});

const showTicket = ({ number, external_id, subject, body, at, tags }: Conversation) => ({
  url: `https://fake.zendesk.example/api/v2/tickets/${number}.json`,
  id: number,
  external_id,
  via: { channel: 'api' },
  created_at: at,
  updated_at: at,
  subject,
  raw_subject: subject,
  description: body,
  status: 'new',
  tags,
});

const shapeError = (status: number, message: string): object => ({
  error: `Error${status}`,
  description: message,
});

function breakOff(res: Response, status: number | undefined): void {
  res
    .status(status ?? 200)
    .type('json')
    .send('{"ticket": {"id": ');
}
