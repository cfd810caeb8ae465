import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import { mostReplays } from './webhook-delivery-replay.contract';
import type { webhookDeliveryReplay } from './webhook-delivery-replay.contract';
import { recordAct } from '../../db/platform/audit';
import { checkNames } from '../../db/webhooks/delivery-history';
import { countReplayable, countRunningReplays, insertReplay, lockReplays } from '../../db/webhooks/replays';
import type { Transaction } from '../../db/platform/scope';
import { insertWorkflowStart } from '../../db/platform/workflow-starts';
import { webhookReplayId } from '../../workflows/ids';
import type { Handler } from '../platform/http/bind-operation';
import { judgeNames, refuseWideFilter } from './delivery-filter';
import type { OperationDeps } from '../deps';
import { withoutUndefined } from '../platform/operation/without-undefined';

type Contract = typeof webhookDeliveryReplay;

/** Counts what matches, and stores the replay with the start of its workflow (docs/webhooks.md#retries-and-replays). */
export const replayWebhookDeliveries: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input: { dry_run, per_second, ...sent }, write }) =>
  write(async (trx) => {
    const names = await trx.one(checkNames(sent.endpoint_id, sent.result_id));
    judgeNames(names);
    const filter = withoutUndefined(sent);
    if (dry_run) {
      const { matched } = await trx.one(countReplayable(filter)).catch(refuseWideFilter);
      return { matched, replay_id: null };
    }
    await refuseMore(trx);
    const { id, matched } = await trx.one(insertReplay(filter, per_second)).catch(refuseWideFilter);
    await trx.count(insertWorkflowStart('webhookReplay', webhookReplayId(id), { replay_id: id }));
    await trx.count(recordAct('webhook-delivery-replay', id, { filter, per_second, matched }));
    return { matched, replay_id: id };
  });

/** Each takes its speed of the sender, and a place of the engine's. */
async function refuseMore(trx: Transaction): Promise<void> {
  await trx.rows(lockReplays);
  const { running } = await trx.one(countRunningReplays);
  if (running >= mostReplays)
    throw new ApiError(
      'limit_reached',
      `${mostReplays} replays run already: wait until one is done, or cancel one by webhook-replay-cancel`,
    );
}
