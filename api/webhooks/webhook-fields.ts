import { z } from 'zod';
import {
  attemptOutcomes,
  deliveryEvents,
  deliveryStates,
  pauseReasons,
  replayableStates,
  webhookEvents,
} from '../../db/webhooks/vocabulary';
import { environment, namedEnum } from '../platform/operation/named-enums';
import { optionalField, queryInteger, text, timestamp, uuid } from '../platform/operation/vocabulary';
import { dateTime } from '../platform/text/date-time';
import { webhookUrl } from '../platform/text/webhook-url';
import { eventMeanings } from './webhook-events';
import { customHeaders } from './webhook-headers';

export const deliveryEvent = namedEnum(
  'DeliveryEvent',
  deliveryEvents,
  'The event; `test` is a sample of `webhook-endpoint-test`.',
);
const webhookEvent = namedEnum('WebhookEvent', webhookEvents, 'An event.', eventMeanings);
export const pauseReason = namedEnum('PauseReason', pauseReasons, 'Why the endpoint is paused.', {
  failing: 'All attempts failed for five days. Repair the receiver, then resume the endpoint.',
  gone: 'The endpoint responded with 410 Gone.',
  by_hand: 'A user or a service key paused it.',
});
export const deliveryState = namedEnum('DeliveryState', deliveryStates, 'The state of the delivery.', {
  queued: 'It waits for its first attempt.',
  retried: 'An attempt failed, and the next one is planned.',
  acknowledged: 'The endpoint responded with a 2xx.',
  gave_up: 'All ten attempts failed.',
  cancelled: 'It is not sent any more, because its endpoint was deleted or it waited for a year.',
});
const replayableState = namedEnum(
  'ReplayableState',
  replayableStates,
  'State of the deliveries to send again.',
);
export const attemptOutcome = namedEnum('AttemptOutcome', attemptOutcomes, 'How the attempt ended.', {
  acknowledged: 'The endpoint responded with a 2xx.',
  refused: 'The endpoint responded with another status.',
  timeout: 'The endpoint did not respond in time.',
  network: 'The endpoint could not be reached, or the connection broke.',
  blocked_address: 'The host name resolves to an address that is not public.',
  worker_lost: 'The sender stopped during the attempt.',
});

/** The ids that requests use for endpoints, deliveries and replays. */
export const endpointId = uuid.meta({ description: 'Id of the webhook endpoint.' });
export const deliveryId = uuid.meta({
  description: 'Id of the delivery, the same as in its header `webhook-id`.',
});
export const replayId = uuid.meta({ description: 'Id of the bulk replay.' });

/** The settings of an endpoint that a merchant controls (docs/webhooks.md#endpoints). */
export const endpointFields = {
  url: webhookUrl.meta({
    description:
      'URL that events are sent to: https on port 443 of a public host, unless the deployment allows more. It is stored in normalized form.',
  }),
  events: z
    .array(webhookEvent)
    .min(1)
    .max(webhookEvents.length)
    .transform((events) => webhookEvents.filter((event) => events.includes(event)))
    .meta({
      description: 'The events to send, at least one. `sync.changed` is for those who follow `sync`.',
    }),
  environment: environment.meta({
    description: "The credential's environment, which is also the default. Another value is a 422.",
  }),
  custom_headers: customHeaders,
  timeout_seconds: z.int().min(1).max(60).meta({
    description:
      'Seconds that the endpoint has for its complete response, 1 to 60, including DNS lookup and connection.',
  }),
  description: text(500).meta({ description: 'Your own name or note, at most 500 characters.' }),
  enabled: z.boolean().meta({
    description:
      'False turns the endpoint off: new events create no deliveries, and existing deliveries wait until it is turned on.',
  }),
};

const counted = (description: string) => z.int().meta({ description });

/** An endpoint in a list. Its deliveries are counted only up to a limit, which the operation's description states. */
export const webhookEndpoint = z
  .object({
    id: endpointId,
    environment: environment.meta({ description: 'The environment whose events it receives.' }),
    url: z.string().meta({ description: 'URL that events are sent to.' }),
    events: z.array(webhookEvent).meta({ description: 'The events that it receives.' }),
    description: z.string().nullable().meta({ description: 'Your name or note.' }),
    timeout_seconds: z
      .int()
      .meta({ description: 'Seconds that the endpoint has for its complete response, 1 to 60.' }),
    enabled: z
      .boolean()
      .meta({ description: 'False if you turned it off: new events create no deliveries.' }),
    paused_reason: pauseReason.nullable().meta({
      description:
        'Why it is paused. Null if it is not paused. While it is paused, deliveries wait until it is resumed, for at most a year.',
    }),
    paused_at: timestamp.nullable().meta({ description: 'When it was paused.' }),
    failing_since: timestamp
      .nullable()
      .meta({ description: 'Since when every attempt has failed. Null if the last attempt succeeded.' }),
    waiting: z
      .object({
        queued: counted('Deliveries that wait for their first attempt.'),
        retried: counted('Deliveries that wait for another attempt after a failure.'),
      })
      .meta({ description: 'Deliveries that wait for an attempt.' }),
    last_success_at: timestamp
      .nullable()
      .meta({ description: 'When one of its latest deliveries was acknowledged.' }),
    last_failure_at: timestamp.nullable().meta({
      description:
        'When an attempt last failed, even if a later attempt succeeded. It may be up to an hour early.',
    }),
    created_at: timestamp.meta({ description: 'When it was created.' }),
    updated_at: timestamp.meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'WebhookEndpoint', description: 'An endpoint with its health.' });

/**
 * Filters for deliveries. A delivery must match all of them. The filter `status` is added below, because it is a text
 * in a query and a number in a body.
 */
const filterFields = {
  state: deliveryState.meta({ description: 'Only deliveries in this state.' }),
  endpoint_id: uuid.meta({ description: 'Only deliveries of this endpoint.' }),
  event: deliveryEvent.meta({ description: 'Only deliveries of this event.' }),
  result_id: uuid.meta({ description: 'Only deliveries about this result.' }),
  outcome: attemptOutcome.meta({ description: 'Only deliveries whose last attempt had this outcome.' }),
  since: dateTime.meta({ description: 'Only deliveries created at this time or later.' }),
  until: dateTime.meta({ description: 'Only deliveries created before this time.' }),
};
const statusMeaning = 'Only deliveries whose last attempt got this HTTP status, 100 to 599.';

export const deliveryQuery = {
  state: filterFields.state.optional(),
  endpoint_id: filterFields.endpoint_id.optional(),
  event: filterFields.event.optional(),
  result_id: filterFields.result_id.optional(),
  outcome: filterFields.outcome.optional(),
  status: queryInteger(100, 599).optional().meta({ description: statusMeaning }),
  since: filterFields.since.optional(),
  until: filterFields.until.optional(),
};

/**
 * The filters of `filterFields` in the body of a replay. The state must be one that can be replayed, and the status
 * is a number.
 */
export const replayFields = {
  ...filterFields,
  state: replayableState.meta({ description: 'Only deliveries in this state.' }),
  status: z.int().min(100).max(599).meta({ description: statusMeaning }),
};
export const replayFilter = {
  state: optionalField(replayFields.state),
  endpoint_id: optionalField(replayFields.endpoint_id),
  event: optionalField(replayFields.event),
  result_id: optionalField(replayFields.result_id),
  outcome: optionalField(replayFields.outcome),
  status: optionalField(replayFields.status),
  since: optionalField(replayFields.since),
  until: optionalField(replayFields.until),
};
