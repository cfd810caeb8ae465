import { z } from 'zod';
import { defineOperation } from './operation';
import { uuid, withDefault, writers } from './vocabulary';
import { replayFilter } from './webhook-fields';

/** Of a merchant in one environment at a time. */
export const mostReplays = 5;

export const webhookDeliveryReplay = defineOperation({
  name: 'webhook-delivery-replay',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Send many webhook deliveries again',
  description: `Sends what matches again, the oldest first, at most \`per_second\`: as \`webhook-delivery-retry\` does with one. Fields narrow together; one of
\`endpoint_id\`, \`since\`, \`result_id\` and \`state\` at least is required. Only deliveries that were there at the time of this call are sent;
those of deleted endpoints and those that are queued already are left out; those of an endpoint that is paused or turned off are queued
and wait. \`dry_run\` counts and does nothing else. The workflow \`webhook-replay/<replay_id>\` does the work: \`webhook-replay-get\` tells
how far it is, \`webhook-replay-cancel\` ends it. While ${mostReplays} of them
run in the environment, another one is 409; a dry run is not. A filter that has to look through too many deliveries is 422 \`since\`.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      ...replayFilter,
      dry_run: withDefault(z.boolean(), false),
      per_second: withDefault(z.int().min(1).max(1_000), 100),
    })
    .refine(
      ({ endpoint_id, since, result_id, state }) =>
        [endpoint_id, since, result_id, state].some((field) => field !== undefined),
      { path: ['endpoint_id'], error: 'or since, result_id or state is required' },
    ),
  example: { state: 'gave_up', since: '2026-01-15T09:30:00Z', dry_run: true },
  reply: z.object({ matched: z.int(), replay_id: uuid.nullable() }),
  statuses: [409],
});
