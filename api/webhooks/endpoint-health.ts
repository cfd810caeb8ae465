import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import { listedWaitingLimit } from './webhook-endpoint-list';
import { endpointLink, pauseNames } from './delivery-words';
import type { Endpoint, Tone } from './delivery-words';
import { badge } from '../platform/site/elements';
import { moment } from '../platform/site/list-elements';
import type { Visitor } from '../platform/site/visitor';

/** Describes the health of an endpoint in one word and explains it. */
export function healthOf(endpoint: Endpoint): { tone: Tone; word: string; meaning: Html } {
  const { enabled, paused_reason, paused_at, failing_since, waiting, last_success_at, last_failure_at } =
    endpoint;
  if (!enabled)
    return {
      tone: 'plain',
      word: 'turned off',
      meaning: html`Nothing is sent and nothing new is stored for it, until it is turned on below.`,
    };
  if (paused_reason)
    return {
      tone: 'bad',
      word: 'paused',
      meaning: html`Paused since ${moment(paused_at)}: ${pauseNames[paused_reason]}. What happens is stored,
      and sent when it is resumed.`,
    };
  if (failing_since)
    return {
      tone: 'bad',
      word: 'failing',
      meaning: html`Every attempt has failed since ${moment(failing_since)}. What waits is tried again by
      schedule; after five days of this it is paused.`,
    };
  if (waiting.retried > 0)
    return {
      tone: 'warn',
      word: 'some fail',
      meaning: html`Some deliveries failed and are tried again by schedule; others arrive.`,
    };
  if (last_success_at === null && last_failure_at === null)
    return { tone: 'plain', word: 'no deliveries yet', meaning: html`Nothing has been sent to it yet.` };
  return { tone: 'good', word: 'sending', meaning: html`It takes what it is sent.` };
}

export const healthBadge = (endpoint: Endpoint): Html => {
  const { word, tone } = healthOf(endpoint);
  return badge(word, tone);
};

/** Returns the number of waiting deliveries by state. A count that stopped at its limit has a plus. */
export function waitingParts(
  { waiting }: Endpoint,
  countedTo: number,
): { state: 'retried' | 'queued'; text: string }[] {
  const count = (value: number) => (value >= countedTo ? `${countedTo}+` : String(value));
  return [
    ...(waiting.retried > 0
      ? [{ state: 'retried' as const, text: `${count(waiting.retried)} to be retried` }]
      : []),
    ...(waiting.queued > 0 ? [{ state: 'queued' as const, text: `${count(waiting.queued)} queued` }] : []),
  ];
}

/** Formats the waiting deliveries, such as `3 to be retried, 1 queued`. */
export const waitingText = (endpoint: Endpoint): string =>
  waitingParts(endpoint, listedWaitingLimit)
    .map(({ text }) => text)
    .join(', ') || 'nothing waits';

/**
 * Lists endpoints that need attention, one per line. An endpoint that its owner disabled needs attention only if
 * deliveries are waiting.
 */
export function troubles(visit: Visitor, endpoints: readonly Endpoint[]): Html {
  const troubled = endpoints.filter(
    (endpoint) =>
      !['good', 'plain'].includes(healthOf(endpoint).tone) ||
      (!endpoint.enabled && endpoint.waiting.queued + endpoint.waiting.retried > 0),
  );
  if (troubled.length === 0)
    return html`<p class="soft">
      ${endpoints.length === 0 ? 'There is no endpoint yet.' : 'None: every endpoint takes what it is sent.'}
    </p>`;
  return html`<ul class="trouble">
    ${troubled.map(
      (endpoint) =>
        html`<li>
          ${healthBadge(endpoint)} <strong>${endpointLink(visit, endpoint)}</strong>,
          ${waitingText(endpoint)}. ${healthOf(endpoint).meaning}
        </li>`,
    )}
  </ul>`;
}
