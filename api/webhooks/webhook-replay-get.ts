import type { ReplayRow } from '../../db/webhooks/replays';
import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import type { webhookReplayGet } from './webhook-replay-get.contract';
import { findReplay } from '../../db/webhooks/replays';
import { webhookReplayId } from '../../workflows/ids';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';

type Contract = typeof webhookReplayGet;
type Reply = z.input<Contract['reply']>;

/** A replay as the API tells it. Throws 404 where there is none. */
export function showReplay(row: ReplayRow | undefined): Reply {
  if (!row) throw new ApiError('not_found', 'There is no replay with this replay_id', 'replay_id');
  return { ...row, workflow_id: webhookReplayId(row.id) };
}

/** How far a replay has come. */
export const getWebhookReplay: Handler<z.output<Contract['input']>, Reply, OperationDeps> = async (
  { input: { replay_id }, caller },
  { database },
) => {
  const [row] = await database.queryAsCaller(caller, findReplay(replay_id));
  return showReplay(row);
};
