import { z } from 'zod';
import { eventDays, listEvents } from '../../db/webhooks/event-list';
import { defineOperation } from '../platform/operation/define-operation';
import { pagingInteger, queryBoolean, timestamp } from '../platform/operation/vocabulary';
import {
  cursorField,
  cursorReply,
  hasMore,
  lagMs,
  mirrorRoles,
  openCursor,
  requireCursorScope,
  sealCursor,
} from '../sync/public';
import { webhookBody } from './webhook-body';
import type { WebhookPayload } from './webhook-body';
import { webhookSamples } from './webhook-samples';

/** How many events a call looks at to find those that were not delivered. */
const lookedAt = 500;
const firstEvent = { tx: '0', id: '00000000-0000-0000-0000-000000000000' };

export const eventList = defineOperation({
  name: 'event-list',
  method: 'GET',
  tag: 'Webhooks',
  summary: 'List the events of webhooks in their order',
  description: `Returns the webhook events about results of the last ${eventDays} days in the order in which they happened, whether or not an endpoint got them. Read on with
the \`cursor\` of each reply, as with \`sync\`: while \`has_more\` is true, call again at once. A cursor that is older than ${eventDays} days, or belongs to
another account, environment or value of \`undelivered\`, gets a 410 \`sync_cursor_expired\`.

\`body\` is what an endpoint would get now: like the body of a delivery, it shows the result as it is at the time of the call.
Owners, service keys, and admins who send \`merchant_id\` may call it.`,
  roles: mirrorRoles,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    cursor: cursorField,
    undelivered: queryBoolean
      .optional()
      .transform((asked) => asked ?? false)
      .meta({
        type: 'boolean',
        default: false,
        description: `True: only events that an endpoint has not acknowledged, or that no endpoint was subscribed to. A call then looks at ${lookedAt} events, so a reply can be empty although \`has_more\` is true.`,
      }),
    limit: pagingInteger(1, lookedAt, 100).meta({
      description: `Maximum number of events, 1 to ${lookedAt}.`,
    }),
  }),
  example: { undelivered: 'true' },
  reply: z.object({
    data: z
      .array(
        z.object({
          id: z.string().meta({ description: 'Id of the event.' }),
          created_at: timestamp.meta({ description: 'When it happened.' }),
          body: webhookBody,
        }),
      )
      .meta({ description: 'The events in their order.' }),
    cursor: cursorReply,
    has_more: hasMore,
    lag_ms: lagMs,
  }),
  replyExample: {
    data: [
      {
        id: '01a1fcf7-b13e-74de-bd85-c2fc187618d1',
        created_at: '2026-01-16T10:12:04.000Z',
        body: webhookSamples.interview_result,
      },
    ],
    cursor: 'AWvSx1JkYzVjM2E0ZTY3ZjAxYjQ',
    has_more: false,
    lag_ms: 0,
  },
  statuses: [410],
  /** Reads a page in one round trip (docs/webhooks.md#the-log-of-events). */
  async handle({ input, caller }, { database, seal }) {
    const { undelivered, limit } = input;
    const of = undelivered ? 'undelivered events' : 'events';
    const cursor = input.cursor === undefined ? undefined : openCursor(seal, input.cursor, of);
    const most = undelivered ? lookedAt : limit;
    const rows = await database.query(caller, listEvents(cursor ?? firstEvent, undelivered, most + 1));
    const [facts] = rows;
    if (!facts) throw new Error('the log of events has no generation');
    const now = Date.parse(facts.now);
    const scope = { ...facts, of };
    if (cursor) requireCursorScope(cursor, scope, now, eventDays);
    const events = rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ ...row, id }]));
    // The page ends with the event that makes it full.
    const data: { id: string; created_at: string; body: WebhookPayload }[] = [];
    let read = 0;
    for (const { id, created_at, is_wanted, body } of events.slice(0, most)) {
      if (data.length === limit) break;
      read++;
      if (is_wanted && body !== null) data.push({ id, created_at, body: body as WebhookPayload });
    }
    const has_more = read < events.length;
    const last = events[read - 1] ?? cursor ?? firstEvent;
    const since = has_more && cursor ? cursor.since : now;
    return {
      data,
      cursor: sealCursor(seal, scope, { tx: last.tx, object: '', id: last.id, since }),
      has_more,
      lag_ms: Math.round(facts.lag_ms),
    };
  },
});
