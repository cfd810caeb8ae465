import type { VNode } from 'preact';
import type { z } from 'zod';
import { maxAttempts } from '../../../db/webhooks/vocabulary';
import { Badge, Dash, RelativeTime, OneLine, Time } from '../../platform/site/elements';
import type { Tone } from '../../platform/site/elements';
import type { webhookAttempt, webhookDelivery } from '../webhook-deliveries';
import type { webhookEndpoint } from '../webhook-fields';

export type WebhookDelivery = z.output<typeof webhookDelivery>;
export type WebhookAttempt = z.output<typeof webhookAttempt>;
export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

export const stateNames: Record<WebhookDelivery['state'], string> = {
  queued: 'Queued',
  retried: 'Retrying',
  acknowledged: 'Delivered',
  gave_up: 'Failed',
  cancelled: 'Canceled',
};
export const stateTones: Record<WebhookDelivery['state'], Tone> = {
  queued: 'plain',
  retried: 'warn',
  acknowledged: 'good',
  gave_up: 'bad',
  cancelled: 'plain',
};
export const StateBadge = ({ state }: Pick<WebhookDelivery, 'state'>): VNode => (
  <Badge tone={stateTones[state]}>{stateNames[state]}</Badge>
);

export const outcomeNames: Record<WebhookAttempt['outcome'], string> = {
  acknowledged: 'Delivered',
  refused: 'Rejected by receiver',
  timeout: 'No response in time',
  network: 'No connection',
  blocked_address: 'Address not allowed',
  worker_lost: 'Outcome unknown',
};

/** Returns `HTTP 500` or the like, or the reason why an attempt got no response. Null before the first attempt. */
export const outcomeText = (
  outcome: WebhookAttempt['outcome'] | null,
  status: number | null,
): string | null =>
  outcome === null
    ? null
    : status !== null && (outcome === 'acknowledged' || outcome === 'refused')
      ? `HTTP ${status}`
      : outcomeNames[outcome];

export const pauseNames = {
  failing: 'every attempt failed for five days',
  gone: 'it responded 410 Gone',
  by_hand: 'on request',
} as const;

/** Names an endpoint by its description or, without one, by its address. */
export const endpointName = ({ description, url }: Pick<WebhookEndpoint, 'description' | 'url'>): string =>
  description?.trim() ? description : url.replace(/^https?:\/\//, '').replace(/[?#].*$/, '');

/** Names an endpoint in a list. The name is shortened, because a description may have 500 characters. */
export function endpointLabel(endpoint: Pick<WebhookEndpoint, 'description' | 'url'>): string {
  const characters = Array.from(endpointName(endpoint));
  return characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : characters.join('');
}

/** Links to an endpoint and shows its name on one line. The endpoint's own page shows the whole name. */
export const EndpointLink = (endpoint: Pick<WebhookEndpoint, 'id' | 'description' | 'url'>): VNode => (
  <OneLine text={endpointName(endpoint)} to={`/endpoints/${endpoint.id}`} />
);

export const isOpen = ({ state }: Pick<WebhookDelivery, 'state'>): boolean =>
  state === 'queued' || state === 'retried';

/** Describes the next attempt of a delivery. `endpoint` is undefined if it was deleted. */
export function NextAttempt({
  delivery,
  endpoint,
}: {
  delivery: WebhookDelivery;
  endpoint: WebhookEndpoint | undefined;
}): VNode {
  const attempt = `Attempt ${Math.min(delivery.attempts + 1, maxAttempts)} of ${maxAttempts}`;
  if (delivery.is_being_sent) return <>{attempt} is being sent</>;
  if (delivery.state === 'gave_up') return <>Failed after {delivery.attempts} attempts</>;
  if (!isOpen(delivery)) return <Dash />;
  if (!endpoint) return <>None: its endpoint was deleted</>;
  if (!endpoint.enabled) return <>Waiting: its endpoint is disabled</>;
  if (endpoint.paused_reason)
    return <>Waiting: its endpoint is paused ({pauseNames[endpoint.paused_reason]})</>;
  const { next_attempt_at: at } = delivery;
  if (at === null || Date.parse(at) <= Date.now()) return <>{attempt} is due now</>;
  return (
    <>
      {attempt} <RelativeTime at={at} />, <Time at={at} />
    </>
  );
}
