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
    filter: z.object(replayFields).partial().meta({ description: 'The requested filter.' }),
    per_second: z.int().meta({ description: 'Maximum number of deliveries that are queued per second.' }),
    matched: z.int().meta({ description: 'Deliveries that matched when the replay was requested.' }),
    replayed: z.int().meta({
      description:
        'Deliveries that have been queued so far. Deliveries that are being sent at that moment are skipped.',
    }),
    requested_by: uuid.meta({ description: 'Profile or service key that requested the replay.' }),
    created_at: timestamp.meta({ description: 'When it was requested.' }),
    finished_at: moment('When it was done or cancelled. Null while it runs.'),
    workflow_id: z.string().meta({ description: 'Id of the workflow that runs the replay.' }),
  })
  .meta({ id: 'WebhookReplay', description: 'A bulk replay of deliveries with its progress.' });

/** A delivery in a list: one event for one endpoint. */
export const webhookDelivery = z
  .object({
    id: deliveryId,
    endpoint_id: endpointId,
    event: deliveryEvent,
    result_id: uuid.nullable().meta({ description: 'The result that it is about. Null for a test.' }),
    reason: z.string().meta({
      description:
        'The fields of the result that changed. For a test: the event of the sample. Empty for `sync.changed`.',
    }),
    state: deliveryState,
    series: z.int().meta({
      description:
        'Number of the current series of up to ten attempts, from 1. Each retry or replay of an ended delivery starts the next series.',
    }),
    attempts: z.int().meta({ description: 'Attempts made in this series.' }),
    next_attempt_at: moment(
      'When the next attempt is planned. Null if none is planned, for example while the endpoint is paused or turned off.',
    ),
    is_being_sent: z.boolean().meta({ description: 'True while an attempt is in progress.' }),
    last_outcome: attemptOutcome
      .nullable()
      .meta({ description: 'How the last attempt ended. Null before the first attempt.' }),
    last_status: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the last attempt. Null if there was no response.' }),
    triggered_by: uuid.nullable().meta({
      description: 'Profile or service key that requested the next attempt. Null for an automatic attempt.',
    }),
    created_at: timestamp.meta({ description: 'When the event happened.' }),
    finished_at: moment('When it was acknowledged, given up or cancelled. Null while it is open.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'One event for one endpoint.' });

const milliseconds = (span: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${span}, in milliseconds. Null if the attempt ended before that.` });

/** One attempt. Custom headers and signatures are masked, and at most 16 KiB of a response are kept. */
export const webhookAttempt = z
  .object({
    series: z.int().meta({ description: 'The series it belongs to.' }),
    attempt: z.int().meta({ description: 'Its number in the series, 1 to 10.' }),
    started_at: timestamp.meta({ description: 'When it started.' }),
    outcome: attemptOutcome,
    status: z.int().nullable().meta({ description: 'HTTP status of the response. Null if there was none.' }),
    error: maybe('What went wrong. Null after a 2xx.'),
    triggered_by: uuid.nullable().meta({
      description: 'Profile or service key that requested the attempt. Null for an automatic attempt.',
    }),
    peer_address: maybe('IP address that the request was sent to.'),
    dns_ms: milliseconds('DNS lookup'),
    connect_ms: milliseconds('Connecting'),
    tls_ms: milliseconds('TLS handshake'),
    first_byte_ms: milliseconds('Waiting for the first byte of the response'),
    total_ms: milliseconds('The whole attempt'),
    request_headers: anyJson.meta({
      description: 'Headers of the request as an object. Values of custom headers and signatures are masked.',
    }),
    request_body: maybe('Body of the request.'),
    response_headers: anyJson.meta({
      description: 'Headers of the response as an object. Null if there was none.',
    }),
    response_body: maybe('Body of the response, at most 16 KiB.'),
    is_truncated: z
      .boolean()
      .meta({ description: 'True if the body of the response was longer than what is kept.' }),
  })
  .meta({ id: 'WebhookAttempt', description: 'One attempt to send a delivery.' });
