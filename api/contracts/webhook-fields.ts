import { z } from 'zod';
import { anyJson, dateTime, environments, optional, queryInteger, text, timestamp, uuid } from './vocabulary';
import { customHeaders } from './webhook-headers';
import { webhookEvents } from './webhook-payload';
import { webhookUrl } from './webhook-url';

/** `gone`: it answered 410; `failing`: nothing but failures for days. Both are the platform's own doing. */
export const pauseReasons = ['failing', 'gone', 'by_hand'] as const;
export type PauseReason = (typeof pauseReasons)[number];
export const deliveryStates = ['queued', 'retried', 'acknowledged', 'gave_up', 'cancelled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
/** What can be sent anew: queued ones are due already. */
export const replayableStates = ['retried', 'acknowledged', 'gave_up', 'cancelled'] as const;
export const deliveryEvents = [...webhookEvents, 'test'] as const;
export const attemptOutcomes = [
  'acknowledged',
  'refused',
  'timeout',
  'network',
  'blocked_address',
  'worker_lost',
] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];
/** Attempts of one series (spec: Limits); the last failed one gives up. */
export const maxAttempts = 10;

/** What a merchant sets of an endpoint (spec: Events; spec/decisions.md section 6). */
export const endpointField = {
  url: webhookUrl,
  events: z
    .array(z.enum(webhookEvents))
    .min(1)
    .max(webhookEvents.length)
    .transform((events) => webhookEvents.filter((event) => events.includes(event))),
  custom_headers: customHeaders,
  timeout_seconds: z.int().min(1).max(60),
  description: text(500),
  enabled: z.boolean(),
};

/** An endpoint as it is listed. Counts stop at what the operation's description says. */
export const webhookEndpoint = z
  .object({
    id: uuid,
    environment: z.enum(environments),
    url: z.string(),
    events: z.array(z.enum(webhookEvents)),
    description: z.string().nullable(),
    timeout_seconds: z.int(),
    enabled: z.boolean().meta({ description: "Its owner's switch: turned off, no deliveries are born." }),
    paused_reason: z
      .enum(pauseReasons)
      .nullable()
      .meta({ description: 'Paused, deliveries are born and wait until it is resumed, a year at most.' }),
    paused_at: timestamp.nullable(),
    failing_since: timestamp.nullable().meta({ description: 'Since then every attempt failed.' }),
    waiting: z
      .object({ queued: z.int(), retried: z.int() })
      .meta({ description: 'Deliveries that wait: for their first attempt, and for their next one.' }),
    last_success_at: timestamp.nullable().meta({ description: 'Among its latest deliveries.' }),
    last_failure_at: timestamp.nullable().meta({ description: 'Among its latest deliveries.' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'WebhookEndpoint' });

/** Which deliveries are meant; each part narrows. A GET's status is a text. */
const filterFields = {
  state: z.enum(deliveryStates),
  endpoint_id: uuid,
  event: z.enum(deliveryEvents),
  result_id: uuid,
  outcome: z.enum(attemptOutcomes).meta({ description: 'Of the last attempt.' }),
  since: dateTime.meta({ description: 'Created at this time or later.' }),
  until: dateTime.meta({ description: 'Created before this time.' }),
};
const statusMeaning = 'HTTP status of the last answer.';

export const deliveryQuery = {
  state: filterFields.state.optional(),
  endpoint_id: uuid.optional(),
  event: filterFields.event.optional(),
  result_id: uuid.optional(),
  outcome: filterFields.outcome.optional(),
  status: queryInteger(100, 599).optional().meta({ description: statusMeaning }),
  since: filterFields.since.optional(),
  until: filterFields.until.optional(),
};

/** The same in a body, of those that can be sent anew. */
const replayFields = {
  ...filterFields,
  state: z.enum(replayableStates),
  status: z.int().min(100).max(599).meta({ description: statusMeaning }),
};
export const replayFilter = {
  state: optional(replayFields.state),
  endpoint_id: optional(replayFields.endpoint_id),
  event: optional(replayFields.event),
  result_id: optional(replayFields.result_id),
  outcome: optional(replayFields.outcome),
  status: optional(replayFields.status),
  since: optional(replayFields.since),
  until: optional(replayFields.until),
};

/** Many deliveries sent anew, and how far that has come. */
export const webhookReplay = z
  .object({
    id: uuid,
    state: z.enum(['running', 'done', 'cancelled']),
    filter: z.object(replayFields).partial().meta({ description: 'What was asked for.' }),
    per_second: z.int(),
    matched: z.int().meta({ description: 'Deliveries that matched when it was asked for.' }),
    replayed: z.int().meta({
      description: 'Deliveries that it has queued so far; what is in a hand when its turn comes is left out.',
    }),
    requested_by: uuid,
    created_at: timestamp,
    finished_at: timestamp.nullable(),
    workflow_id: z.string(),
  })
  .meta({ id: 'WebhookReplay' });

export type DeliveryFilter = {
  [Field in keyof typeof deliveryQuery]?: z.output<(typeof deliveryQuery)[Field]> | undefined;
};

/** A delivery as it is listed: one event for one endpoint. */
export const webhookDelivery = z
  .object({
    id: uuid,
    endpoint_id: uuid,
    event: z.enum(deliveryEvents),
    result_id: uuid.nullable(),
    reason: z.string().meta({ description: 'The fields of the result that changed.' }),
    state: z.enum(deliveryStates),
    series: z.int().meta({ description: 'Raised by each retry by hand: every series has ten attempts.' }),
    attempts: z.int().meta({ description: 'Attempts of this series.' }),
    next_attempt_at: timestamp.nullable(),
    is_being_sent: z.boolean().meta({ description: 'An attempt is under way.' }),
    last_outcome: z.enum(attemptOutcomes).nullable(),
    last_status: z.int().nullable(),
    triggered_by: uuid
      .nullable()
      .meta({ description: 'Profile or service key that asked for the next attempt; null: the schedule.' }),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

const milliseconds = z.number().nullable();

/** One attempt. Custom headers and signatures are masked; of a response at most 16 KiB are kept. */
export const webhookAttempt = z
  .object({
    series: z.int(),
    attempt: z.int(),
    started_at: timestamp,
    outcome: z.enum(attemptOutcomes),
    status: z.int().nullable(),
    error: z.string().nullable(),
    triggered_by: uuid.nullable(),
    peer_address: z.string().nullable(),
    dns_ms: milliseconds,
    connect_ms: milliseconds,
    tls_ms: milliseconds,
    first_byte_ms: milliseconds,
    total_ms: milliseconds,
    request_headers: anyJson,
    request_body: z.string().nullable(),
    response_headers: anyJson,
    response_body: z.string().nullable(),
    is_truncated: z.boolean().meta({ description: 'More of the response came than was kept.' }),
  })
  .meta({ id: 'WebhookAttempt' });
