import { setCurrentDetails } from '@temporalio/workflow';
import type { ReleasedRetries } from '../activities/webhooks/webhook-retries';
import { createStatusSetter } from './status';
import type { WorkflowStatus } from './status';

/**
 * Waits that are shorter than this keep the status `retrying`, because each change of the status adds an event to the
 * history.
 */
const longWaitMs = 10_000;

/**
 * Writes what Temporal operators read about an endpoint in trouble: counts and times, never what was sent or received.
 * `released` is the number of retries that were released before.
 */
export function createRetriesStatus(released: number) {
  const showStatus = createStatusSetter();
  let shownNow = '';
  let note = '';
  const refresh = () =>
    setCurrentDetails([shownNow, `Retries so far: ${released}.`, note].filter(Boolean).join('\n\n'));
  const show = (status: WorkflowStatus, now: string) => {
    showStatus(status);
    shownNow = now;
    refresh();
  };
  return {
    released: () => released,
    /** Shows a note below the other lines from now on. */
    note: (words: string) => {
      note = `${toTime(Date.now())}: ${words}.`;
      refresh();
    },
    add: (count: number) => {
      released += count;
    },
    releasing: () => show('retrying', '**Retrying** due deliveries.'),
    waiting: ({ waiting, in_progress, last_failure, next_due_in_ms }: ReleasedRetries, until: number) => {
      const retrying = `**Retrying** ${count(in_progress)}.`;
      const dueAt = toTime(Math.max(until, Date.now() + (next_due_in_ms ?? 0)));
      const later = `**Waiting** until ${dueAt}: ${countWaiting(waiting)} for the next attempt, after ${last_failure}.`;
      show(
        waiting > 0 && until - Date.now() >= longWaitMs ? 'waiting' : 'retrying',
        [...(in_progress > 0 ? [retrying] : []), ...(waiting > 0 ? [later] : [])].join(' '),
      );
    },
    paused: ({ waiting, in_progress, paused_reason }: ReleasedRetries, since: string | undefined) => {
      const pause = `**Paused**${since ? ` since ${since}` : ''}: ${reasons[paused_reason ?? ''] ?? paused_reason}.`;
      show(
        'paused',
        `${pause} ${countWaiting(waiting + in_progress)} until it is resumed, together with new events.`,
      );
    },
    done: () => show('done', '**Done**: no delivery waits for a retry.'),
  };
}

const reasons: Readonly<Record<string, string>> = {
  gone: 'the endpoint responded with 410 Gone',
  failing: 'every attempt has failed for five days',
  by_hand: 'an owner paused the endpoint',
};
const toTime = (at: number) => new Date(at).toISOString();
const count = (deliveries: number) => (deliveries === 1 ? '1 delivery' : `${deliveries} deliveries`);
const countWaiting = (deliveries: number) => `${count(deliveries)} ${deliveries === 1 ? 'waits' : 'wait'}`;
