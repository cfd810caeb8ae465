import type { z } from 'zod';
import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import { maxAttempts } from '../../db/webhooks/vocabulary';
import type { webhookAttempt, webhookDelivery } from './webhook-deliveries';
import type { webhookEndpoint } from './webhook-fields';
import { badge, timestamp } from '../platform/site/elements';
import { relative } from '../platform/site/list-elements';
import type { Visitor } from '../platform/site/visitor';

export type Delivery = z.output<typeof webhookDelivery>;
export type Attempt = z.output<typeof webhookAttempt>;
export type Endpoint = z.output<typeof webhookEndpoint>;
export type Tone = 'good' | 'warn' | 'bad' | 'plain';

export const stateNames: Record<Delivery['state'], string> = {
  queued: 'queued',
  retried: 'to be retried',
  acknowledged: 'acknowledged',
  gave_up: 'gave up',
  cancelled: 'cancelled',
};
const stateTones: Record<Delivery['state'], Tone> = {
  queued: 'plain',
  retried: 'warn',
  acknowledged: 'good',
  gave_up: 'bad',
  cancelled: 'plain',
};
export const toneOf = ({ state }: Pick<Delivery, 'state'>): Tone => stateTones[state];
export const stateBadge = ({ state }: Pick<Delivery, 'state'>): Html =>
  badge(stateNames[state], stateTones[state]);

export const outcomeNames: Record<Attempt['outcome'], string> = {
  acknowledged: 'acknowledged',
  refused: 'refused',
  timeout: 'no answer in time',
  network: 'no connection',
  blocked_address: 'address not allowed',
  worker_lost: 'outcome unknown',
};

/** `HTTP 500`, or the reason why an attempt got no response. Null before the first attempt. */
export const outcomeText = (outcome: Attempt['outcome'] | null, status: number | null): string | null =>
  outcome === null
    ? null
    : status !== null && (outcome === 'acknowledged' || outcome === 'refused')
      ? `HTTP ${status}`
      : outcomeNames[outcome];

export const pauseNames = {
  failing: 'for days every attempt failed',
  gone: 'it answered 410 Gone',
  by_hand: 'by hand',
} as const;

/** Names an endpoint by its description or, without one, by its address. */
export const endpointName = ({ description, url }: Pick<Endpoint, 'description' | 'url'>): string =>
  description?.trim() ? description : url.replace(/^https?:\/\//, '').replace(/[?#].*$/, '');

/** The same for a list, shortened because a description may have 500 characters. */
export function endpointLabel(endpoint: Pick<Endpoint, 'description' | 'url'>): string {
  const characters = Array.from(endpointName(endpoint));
  return characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : characters.join('');
}

/** Shows the name on one line. The endpoint's own page shows the whole name. */
export function endpointLink(visit: Visitor, endpoint: Pick<Endpoint, 'id' | 'description' | 'url'>): Html {
  const name = endpointName(endpoint);
  return html`<a class="one-line" title="${name}" href="${visit.href(`/endpoints/${endpoint.id}`)}"
    >${name}</a
  >`;
}

export const isOpen = ({ state }: Pick<Delivery, 'state'>): boolean =>
  state === 'queued' || state === 'retried';

/** Describes what happens next with a delivery. `endpoint` is undefined if it was deleted. */
export function nextStep(delivery: Delivery, endpoint: Endpoint | undefined): Html {
  const attempt = `Attempt ${Math.min(delivery.attempts + 1, maxAttempts)} of ${maxAttempts}`;
  if (delivery.is_being_sent) return html`${attempt} is being sent`;
  if (delivery.state === 'acknowledged') return html`<span class="soft">–</span>`;
  if (delivery.state === 'gave_up')
    return html`Nothing, unless it is retried: ${delivery.attempts} of ${maxAttempts} attempts failed`;
  if (!endpoint) return html`Nothing: its endpoint was deleted`;
  if (delivery.state === 'cancelled') return html`Nothing, unless it is retried`;
  if (!endpoint.enabled) return html`Waits: its endpoint is turned off`;
  if (endpoint.paused_reason)
    return html`Waits: its endpoint is paused (${pauseNames[endpoint.paused_reason]})`;
  const { next_attempt_at: at } = delivery;
  return at === null || Date.parse(at) <= Date.now()
    ? html`${attempt} is due now`
    : html`${attempt} ${relative(at)}, ${timestamp(at)}`;
}
