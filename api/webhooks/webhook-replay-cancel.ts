import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import type { webhookReplayCancel } from './webhook-replay-cancel.contract';
import { recordAct } from '../../db/platform/audit';
import { cancelReplay, findReplay } from '../../db/webhooks/replays';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { showReplay } from './webhook-replay-get';

type Contract = typeof webhookReplayCancel;

/** Ends a replay: its flow reads the row before each page. */
export const cancelWebhookReplay: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input: { replay_id }, write }) =>
  write(async (trx) => {
    const cancelled = await trx.count(cancelReplay(replay_id));
    const row = await trx.maybeOne(findReplay(replay_id));
    const replay = showReplay(row);
    if (replay.state === 'done')
      throw new ApiError('state_conflict', 'This replay is done already: there is nothing to cancel');
    const { replayed, matched } = replay;
    if (cancelled > 0) await trx.count(recordAct('webhook-replay-cancel', replay_id, { replayed, matched }));
    return replay;
  });
