import { describeWaiting } from '../../../api/webhooks/waiting-for';
import type { DeliveryCircumstances } from '../../../db/webhooks/delivery-history';

const due: DeliveryCircumstances = {
  state: 'queued',
  series: 1,
  attempts: 0,
  next_attempt_at: '2026-01-01T00:00:00.000Z',
  is_being_sent: false,
  is_due: true,
  endpoint_enabled: true,
  endpoint_paused_reason: null,
  endpoint_deleted: false,
};

it.each<[Partial<DeliveryCircumstances>, string | null]>([
  [{}, 'It is due: attempt 1 of 10 is next in the queue.'],
  [{ state: 'retried', attempts: 9 }, 'It is due: attempt 10 of 10 is next in the queue.'],
  [
    { state: 'retried', attempts: 1, is_due: false },
    'It waits for attempt 2 of 10 at 2026-01-01T00:00:00.000Z.',
  ],
  [
    { is_being_sent: true, endpoint_paused_reason: 'by_hand' },
    'It is being sent right now: attempt 1 of 10.',
  ],
  [
    { endpoint_enabled: false },
    'Its endpoint is turned off. Turn it on with webhook-endpoint-update (`enabled` true).',
  ],
  [
    { endpoint_paused_reason: 'gone' },
    'Its endpoint is paused, because it responded with 410 Gone. Resume it with webhook-endpoint-resume.',
  ],
  [{ endpoint_deleted: true }, 'Its endpoint was deleted, so it will be cancelled shortly.'],
  [{ state: 'acknowledged' }, null],
  [{ state: 'gave_up', endpoint_enabled: false }, null],
  [{ state: 'cancelled', endpoint_deleted: true }, null],
])('says what a delivery with %j waits for: %s', (changes, sentence) => {
  expect(describeWaiting({ ...due, ...changes })).toBe(sentence);
});
