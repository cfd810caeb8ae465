import { z } from 'zod';
import { findReplay } from '../../db/webhooks/replays';
import type { ReplayRow } from '../../db/webhooks/replays';
import { webhookReplayId } from '../../workflows/ids';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { readers } from '../platform/operation/vocabulary';
import { webhookReplay } from './webhook-deliveries';
import { replayExample } from './webhook-examples';
import { replayId } from './webhook-fields';

type Reply = z.input<typeof webhookReplay>;

/** Converts a replay's row to the API's reply. Throws 404 if there is no row. */
export function toReplayReply(row: ReplayRow | undefined): Reply {
  if (!row) throw new ApiError('not_found', 'There is no replay with this replay_id.', 'replay_id');
  return { ...row, workflow_id: webhookReplayId(row.id) };
}

export const webhookReplayGet = defineOperation({
  name: 'webhook-replay-get',
  method: 'GET',
  tag: 'Webhooks',
  summary: 'Get a bulk replay of webhook deliveries',
  description:
    'Returns a bulk replay of webhook deliveries with its progress. A replay queues deliveries; `webhook-delivery-list` returns the outcome of each.',
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ replay_id: replayId }),
  example: { replay_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: webhookReplay,
  replyExample: replayExample,
  statuses: [404],
  async handle({ input: { replay_id }, caller }, { database }) {
    const [row] = await database.query(caller, findReplay(replay_id));
    return toReplayReply(row);
  },
});
