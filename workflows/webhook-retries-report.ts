import { setCurrentDetails } from '@temporalio/workflow';
import type { AttemptedDue } from '../activities/webhooks/webhooks';
import { createStatus } from './status';
import type { Status } from './status';

export type AttemptCounts = {
  attempted: number;
  acknowledged: number;
  gave_up: number;
  last: string | null;
};
export const noAttempts: AttemptCounts = { attempted: 0, acknowledged: 0, gave_up: 0, last: null };

/**
 * Waits that are shorter than this keep the status `retrying`, because each change of the status adds an event to the
 * history.
 */
const longWaitMs = 10_000;

/**
 * Writes what Temporal operators read about an endpoint in trouble: counts and times, never what was sent or received.
 */
export function createRetriesReport(before: AttemptCounts) {
  let counts = before;
  const showStatus = createStatus();
  let shownNow = '';
  let note: string | undefined;
  const refresh = () =>
    setCurrentDetails([shownNow, soFar(counts), ...(note === undefined ? [] : [note])].join('\n\n'));
  const show = (status: Status, now: string) => {
    showStatus(status);
    shownNow = now;
    refresh();
  };
  return {
    counts: () => counts,
    /** Shows a note below the other lines from now on. */
    note: (words: string) => {
      note = `${toTime(Date.now())}: ${words}.`;
      refresh();
    },
    add: (run: AttemptedDue) => {
      counts = {
        attempted: counts.attempted + run.attempted,
        acknowledged: counts.acknowledged + run.acknowledged,
        gave_up: counts.gave_up + run.gave_up,
        last: run.attempted === 0 ? counts.last : (run.last ?? 'acknowledged'),
      };
    },
    running: () => show('retrying', '**Retrying** due deliveries.'),
    waiting: (deliveries: number, dueAt: number) =>
      show(
        dueAt - Date.now() >= longWaitMs ? 'waiting' : 'retrying',
        `**Waiting** until ${toTime(dueAt)}: ${count(deliveries)} for the next attempt.`,
      ),
    paused: ({ waiting, paused_reason }: AttemptedDue, since: string | null) =>
      show(
        'paused',
        [
          `**Paused**${since === null ? '' : ` since ${since}`}: ${reasonOf(paused_reason ?? '')}.`,
          `${count(waiting)} until it is resumed, together with new events.`,
        ].join(' '),
      ),
    done: () => show('done', '**Done**: no delivery waits for a retry.'),
  };
}

const reasons: Readonly<Record<string, string>> = {
  gone: 'the endpoint responded with 410 Gone',
  failing: 'every attempt has failed for five days',
  by_hand: 'an owner paused the endpoint',
};
const reasonOf = (reason: string) => reasons[reason] ?? reason;
const toTime = (at: number) => new Date(at).toISOString();
const count = (deliveries: number) =>
  deliveries === 1 ? '1 delivery waits' : `${deliveries} deliveries wait`;

function soFar({ attempted, acknowledged, gave_up, last }: AttemptCounts): string {
  if (attempted === 0) return 'No attempt so far.';
  const failed = attempted - acknowledged;
  return `Attempts so far: ${attempted}, of which ${failed} failed; ${gave_up} given up. Last: ${last ?? 'unknown'}.`;
}
