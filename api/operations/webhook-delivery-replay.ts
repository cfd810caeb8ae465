import type { z } from 'zod';
import type { webhookDeliveryReplay } from '../contracts/webhook-delivery-replay';
import { recordAct } from '../../db/audit';
import { checkNames } from '../../db/delivery-history';
import type { KnownNames } from '../../db/delivery-history';
import { countReplayable, insertReplay } from '../../db/replays';
import { insertWorkflowStart } from '../../db/workflow-starts';
import { webhookReplayId } from '../../workflows/ids';
import type { Handler } from '../http/bind-operation';
import { judgeNames, refuseWideFilter } from './delivery-filter';
import type { OperationDeps } from './deps';
import { withoutUndefined } from './given-questions';

type Contract = typeof webhookDeliveryReplay;

/** Counts what matches, and stores the replay with its flow's start (design/webhooks.md "Support"). */
export const replayWebhookDeliveries: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input: { dry_run, per_second, ...sent }, write }) =>
  write(async (trx) => {
    const [names] = await trx.rows<KnownNames>(checkNames(sent.endpoint_id, sent.result_id));
    if (names) judgeNames(names);
    const filter = withoutUndefined(sent);
    if (dry_run) {
      const [count] = await trx.rows<{ matched: number }>(countReplayable(filter)).catch(refuseWideFilter);
      return { matched: count?.matched ?? 0, replay_id: null };
    }
    const [replay] = await trx
      .rows<{ id: string; matched: number }>(insertReplay(filter, per_second))
      .catch(refuseWideFilter);
    if (!replay) throw new Error('no replay');
    const { id, matched } = replay;
    await trx.count(insertWorkflowStart('webhookReplay', webhookReplayId(id), { replay_id: id }));
    await trx.count(recordAct('webhook-delivery-replay', id, { filter, per_second, matched }));
    return { matched, replay_id: id };
  });
