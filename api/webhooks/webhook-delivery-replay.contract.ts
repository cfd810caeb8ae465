import { z } from 'zod';
import { instantOf } from '../platform/text/date-time';
import { defineOperation, sendsChange } from '../platform/operation/define-operation';
import { uuid, withDefault, writers } from '../platform/operation/vocabulary';
import { replayFilter } from './webhook-fields';

/** Of a merchant in one environment at a time. */
export const mostReplays = 5;

/** The filters of which a call has at least one. */
const narrowing = ['endpoint_id', 'since', 'result_id', 'state', 'event', 'outcome', 'status'] as const;

export const webhookDeliveryReplay = defineOperation({
  name: 'webhook-delivery-replay',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Send many webhook deliveries again',
  description: `Sends all webhook deliveries that match the filter again, the oldest first: each as \`webhook-delivery-retry\` would. Start with \`dry_run\`, which only counts
them. Filters narrow together; send at least one of \`endpoint_id\`, \`since\`, \`result_id\`, \`state\`, \`event\`,
\`outcome\` and \`status\`.

Only deliveries that exist at the time of the call are sent. Those of deleted endpoints and those that are queued already are left out; those of an
endpoint that is paused or turned off are queued and wait. The work goes on after the reply: \`webhook-replay-get\` shows how far it has come, and
\`webhook-replay-cancel\` stops it. While ${mostReplays} replays run in the environment, another one is a 409. A filter that would have to look through too many deliveries is a 422
for \`since\`: set a time.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      ...replayFilter,
      dry_run: withDefault(z.boolean(), false).meta({
        description: 'True only counts the deliveries that match.',
      }),
      per_second: withDefault(z.int().min(1).max(1_000), 100).meta({
        description: 'The most deliveries to queue in a second, 1 to 1,000.',
      }),
    })
    .superRefine(sendsChange(narrowing, narrowing, 'filter')),
  check: ({ since, until }) =>
    typeof since === 'string' && typeof until === 'string' && instantOf(until) < instantOf(since)
      ? [{ name: 'until', code: 'conflicting_fields', error: 'until must not be before since' }]
      : [],
  example: { state: 'gave_up', since: '2026-01-15T09:30:00Z', dry_run: true },
  reply: z.object({
    matched: z.int().meta({ description: 'Deliveries that match the filter.' }),
    replay_id: uuid.nullable().meta({ description: 'Id of the replay; null for a dry run.' }),
  }),
  replyExample: { matched: 412, replay_id: null },
  statuses: [409],
});
