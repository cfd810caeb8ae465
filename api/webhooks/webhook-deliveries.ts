import { z } from 'zod';
import { anyJson, timestamp, uuid } from '../platform/operation/vocabulary';
import {
  attemptOutcome,
  deliveryEvent,
  deliveryId,
  deliveryState,
  endpointId,
  replayFields,
  replayId,
} from './webhook-fields';

const maybe = (description: string) => z.string().nullable().meta({ description });
const moment = (description: string) => timestamp.nullable().meta({ description });

/** A replay of many deliveries and its progress. */
export const webhookReplay = z
  .object({
    id: replayId,
    state: z.enum(['running', 'done', 'cancelled']).meta({
      description:
        '`running`: deliveries are being queued. `done`: all are queued. `cancelled`: it was cancelled before that.',
    }),
    filter: z.object(replayFields).partial().meta({ description: 'The filter that was asked for.' }),
    per_second: z.int().meta({ description: 'The most deliveries that are queued in a second.' }),
    matched: z.int().meta({ description: 'Deliveries that matched when the replay was requested.' }),
    replayed: z.int().meta({
      description:
        'Deliveries that have been queued so far. One that is being sent when its turn comes is left out.',
    }),
    requested_by: uuid.meta({ description: 'Profile or service key that requested the replay.' }),
    created_at: timestamp.meta({ description: 'When it was requested.' }),
    finished_at: moment('When it was done or cancelled; null while it runs.'),
    workflow_id: z.string().meta({ description: 'Id of the workflow that does the work.' }),
  })
  .meta({ id: 'WebhookReplay', description: 'A bulk replay of deliveries, and how far it has come.' });

/** A delivery in a list: one event for one endpoint. */
export const webhookDelivery = z
  .object({
    id: deliveryId,
    endpoint_id: endpointId,
    event: deliveryEvent,
    result_id: uuid.nullable().meta({ description: 'The result it is about; null for a test.' }),
    reason: z.string().meta({
      description:
        'The fields of the result that changed; for a test event, the event that it is a sample of.',
    }),
    state: deliveryState,
    series: z.int().meta({
      description:
        'Counts the series of up to ten attempts, from 1; each retry or replay of an ended delivery starts the next.',
    }),
    attempts: z.int().meta({ description: 'Attempts made in this series.' }),
    next_attempt_at: moment(
      'When the next attempt is planned; null when none is, also while the endpoint is paused or turned off.',
    ),
    is_being_sent: z.boolean().meta({ description: 'True while an attempt is in progress.' }),
    last_outcome: attemptOutcome
      .nullable()
      .meta({ description: 'How the last attempt ended; null before the first.' }),
    last_status: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the last attempt; null without an answer.' }),
    triggered_by: uuid.nullable().meta({
      description: 'Profile or service key that requested the next attempt; null for an automatic one.',
    }),
    created_at: timestamp.meta({ description: 'When the event happened.' }),
    finished_at: moment('When it was acknowledged, given up or cancelled; null while it is open.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'One event for one endpoint.' });

const milliseconds = (span: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${span}, in milliseconds; null when it did not get that far.` });

/** One attempt. Custom headers and signatures are masked, and at most 16 KiB of a response are kept. */
export const webhookAttempt = z
  .object({
    series: z.int().meta({ description: 'The series it belongs to.' }),
    attempt: z.int().meta({ description: 'Its number in the series, 1 to 10.' }),
    started_at: timestamp.meta({ description: 'When it started.' }),
    outcome: attemptOutcome,
    status: z.int().nullable().meta({ description: 'HTTP status of the answer; null without one.' }),
    error: maybe('What went wrong; null after a 2xx.'),
    triggered_by: uuid
      .nullable()
      .meta({ description: 'Profile or service key that requested it; null for an automatic one.' }),
    peer_address: maybe('IP address that it was sent to.'),
    dns_ms: milliseconds('Name look-up'),
    connect_ms: milliseconds('Connecting'),
    tls_ms: milliseconds('TLS handshake'),
    first_byte_ms: milliseconds('Waiting for the first byte of the answer'),
    total_ms: milliseconds('The whole attempt'),
    request_headers: anyJson.meta({
      description: 'Headers of the request, an object; values of custom headers and signatures are masked.',
    }),
    request_body: maybe('Body of the request.'),
    response_headers: anyJson.meta({ description: 'Headers of the answer, an object; null without one.' }),
    response_body: maybe('Body of the answer, at most 16 KiB.'),
    is_truncated: z
      .boolean()
      .meta({ description: 'True when the body of the answer was longer than what is kept.' }),
  })
  .meta({ id: 'WebhookAttempt', description: 'One attempt to send a delivery.' });
