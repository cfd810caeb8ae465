import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { cancelReplay, findReplay } from '../../db/webhooks/replays';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { writers } from '../platform/operation/vocabulary';
import { webhookReplay } from './webhook-deliveries';
import { replayExample } from './webhook-examples';
import { replayId } from './webhook-fields';
import { toReplayReply } from './webhook-replay-get';

export const webhookReplayCancel = defineOperation({
  name: 'webhook-replay-cancel',
  method: 'POST',
  tag: 'Webhooks',
  summary: 'Cancel a bulk replay of webhook deliveries',
  description: `Cancels a bulk replay of webhook deliveries. It stops after the current page of deliveries. Deliveries that it has already queued are
still sent. Cancelling a replay twice changes nothing; if the replay is done, the call is a 409.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ replay_id: replayId }),
  example: { replay_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: webhookReplay,
  replyExample: { ...replayExample, state: 'cancelled', finished_at: '2026-01-16T08:00:05.000Z' },
  statuses: [404, 409],
  /** Cancels a replay. The replay's workflow requeues deliveries page by page and stops before the next page. */
  handle({ input: { replay_id }, write }) {
    return write(async (trx) => {
      const cancelled = await trx.count(cancelReplay(replay_id));
      const row = await trx.maybeOne(findReplay(replay_id));
      const replay = toReplayReply(row);
      if (replay.state === 'done') throw new ApiError('state_conflict', 'This replay is already done.');
      const { replayed, matched } = replay;
      if (cancelled > 0)
        await trx.count(recordAuditEntry('webhook-replay-cancel', replay_id, { replayed, matched }));
      return replay;
    });
  },
});
