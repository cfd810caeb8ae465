import type { Statement } from '../platform/statement';

/**
 * Queues the event `sync.changed` for at most `limit` endpoints whose account has changed, and returns for how many
 * (docs/webhooks.md#the-event-of-the-feed).
 */
export const announceChanges = (limit: number): Statement<{ queued: number }> => ({
  name: 'announce_changes',
  text: 'select app.announce_changes($1) as queued',
  values: [limit],
});
