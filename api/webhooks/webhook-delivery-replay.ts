import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import type { Transaction } from '../../db/platform/database';
import { insertWorkflowStart } from '../../db/platform/workflow-starts';
import { checkNames } from '../../db/webhooks/delivery-history';
import { countReplayable, countRunningReplays, insertReplay, lockReplays } from '../../db/webhooks/replays';
import { webhookReplayId } from '../../workflows/ids';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation, requireOneOf } from '../platform/operation/define-operation';
import { uuid, fieldWithDefault, writers } from '../platform/operation/vocabulary';
import { withoutUndefined } from '../platform/operation/without-undefined';
import { instantOf } from '../platform/text/date-time';
import { validateNames, rejectWideFilter } from './delivery-filter';
import { replayFilter } from './webhook-fields';

/** The maximum number of replays of a merchant that can run in one environment at the same time. */
const maxReplays = 5;

/** The filters that narrow a replay. A call must have at least one of them. */
const narrowing = ['endpoint_id', 'since', 'result_id', 'state', 'event', 'outcome', 'status'] as const;

export const webhookDeliveryReplay = defineOperation({
  name: 'webhook-delivery-replay',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Send many webhook deliveries again',
  description: `Sends all webhook deliveries that match the filter again, oldest first, each like \`webhook-delivery-retry\`. Start with \`dry_run\`, which only counts
them. All filters must match; send at least one of \`endpoint_id\`, \`since\`, \`result_id\`, \`state\`, \`event\`,
\`outcome\` and \`status\`.

Only deliveries that exist at the time of the call are sent. Deliveries of deleted endpoints and deliveries that are already queued are skipped; deliveries of an
endpoint that is paused or turned off are queued and wait. The replay continues after the reply: \`webhook-replay-get\` returns its progress, and
\`webhook-replay-cancel\` stops it. At most ${maxReplays} replays can run in an environment; further calls are a 409. If a filter has to look through too many deliveries, the call
is a 422 for \`since\`: set a later time.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      ...replayFilter,
      dry_run: fieldWithDefault(z.boolean(), false).meta({
        description: 'True only counts the matching deliveries.',
      }),
      per_second: fieldWithDefault(z.int().min(1).max(1_000), 100).meta({
        description: 'Maximum number of deliveries to queue per second, 1 to 1,000.',
      }),
    })
    .superRefine(requireOneOf(narrowing, narrowing, 'filter')),
  check: ({ since, until }) =>
    typeof since === 'string' && typeof until === 'string' && instantOf(until) < instantOf(since)
      ? [{ name: 'until', code: 'conflicting_fields', error: 'until must not be before since.' }]
      : [],
  example: { state: 'gave_up', since: '2026-01-15T09:30:00Z', dry_run: true },
  reply: z.object({
    matched: z.int().meta({ description: 'Deliveries that match the filter.' }),
    replay_id: uuid.nullable().meta({ description: 'Id of the replay. Null for a dry run.' }),
  }),
  replyExample: { matched: 412, replay_id: null },
  statuses: [409],
  /**
   * Counts the matches, and stores the replay together with the start of its workflow
   * (docs/webhooks.md#retries-and-replays).
   */
  handle({ input: { dry_run, per_second, ...sent }, write }) {
    return write(async (trx) => {
      const names = await trx.one(checkNames(sent.endpoint_id, sent.result_id));
      validateNames(names);
      const filter = withoutUndefined(sent);
      if (dry_run) {
        const { matched } = await trx.one(countReplayable(filter)).catch(rejectWideFilter);
        return { matched, replay_id: null };
      }
      await assertFewReplays(trx);
      const { id, matched } = await trx.one(insertReplay(filter, per_second)).catch(rejectWideFilter);
      await trx.count(insertWorkflowStart('webhookReplay', webhookReplayId(id), { replay_id: id }));
      await trx.count(recordAuditEntry('webhook-delivery-replay', id, { filter, per_second, matched }));
      return { matched, replay_id: id };
    });
  },
});

/**
 * Throws 409 if too many replays are running, because each uses part of the sender's rate and of Temporal's capacity.
 */
async function assertFewReplays(trx: Transaction): Promise<void> {
  await trx.rows(lockReplays);
  const { running } = await trx.one(countRunningReplays);
  if (running >= maxReplays)
    throw new ApiError(
      'limit_reached',
      `${maxReplays} replays are already running. Wait until one is done, or cancel one with webhook-replay-cancel.`,
    );
}
