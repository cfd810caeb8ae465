import type { ComponentChildren, VNode } from 'preact';
import { PostButton } from '../../platform/site/buttons';
import { Badge, TimeWithRelative, Table } from '../../platform/site/elements';
import type { Tone } from '../../platform/site/elements';
import { maxListedWaiting } from '../webhook-endpoint-list';
import { EndpointLink, pauseNames } from './delivery-words';
import type { WebhookEndpoint } from './delivery-words';

/** Describes the health of an endpoint in one word and explains it. */
export function healthOf(endpoint: WebhookEndpoint): {
  tone: Tone;
  word: string;
  meaning: ComponentChildren;
} {
  const { enabled, paused_reason, paused_at, failing_since, waiting, last_success_at, last_failure_at } =
    endpoint;
  if (!enabled)
    return {
      tone: 'plain',
      word: 'Disabled',
      meaning: 'Nothing is sent, and new events are not kept until you enable the endpoint.',
    };
  if (paused_reason)
    return {
      tone: 'bad',
      word: 'Paused',
      meaning: (
        <>
          Paused since <TimeWithRelative at={paused_at} />: {pauseNames[paused_reason]}. New events are kept
          and delivered once you resume.
        </>
      ),
    };
  if (failing_since)
    return {
      tone: 'bad',
      word: 'Failing',
      meaning: (
        <>
          Every attempt has failed since <TimeWithRelative at={failing_since} />. Pending deliveries are
          retried automatically. After five days of failures the endpoint is paused.
        </>
      ),
    };
  if (waiting.retried > 0)
    return {
      tone: 'warn',
      word: 'Some failing',
      meaning: 'Some deliveries fail and are retried automatically. Others arrive.',
    };
  if (last_success_at === null && last_failure_at === null)
    return { tone: 'plain', word: 'No deliveries yet', meaning: 'Nothing has been sent to this endpoint.' };
  return { tone: 'good', word: 'Healthy', meaning: 'Deliveries arrive.' };
}

export const HealthBadge = ({ endpoint }: { endpoint: WebhookEndpoint }): VNode => {
  const { word, tone } = healthOf(endpoint);
  return <Badge tone={tone}>{word}</Badge>;
};

/** Returns the number of pending deliveries by state. A count that reached `countedTo` ends with a plus. */
export function waitingParts(
  { waiting }: WebhookEndpoint,
  countedTo: number,
): { state: 'retried' | 'queued'; text: string }[] {
  const count = (value: number) => (value >= countedTo ? `${countedTo}+` : String(value));
  const parts = [
    { state: 'retried' as const, value: waiting.retried, word: 'retrying' },
    { state: 'queued' as const, value: waiting.queued, word: 'queued' },
  ];
  return parts.flatMap(({ state, value, word }) =>
    value > 0 ? [{ state, text: `${count(value)} ${word}` }] : [],
  );
}

/** Formats the pending deliveries, such as `3 retrying, 1 queued`. */
export const waitingText = (endpoint: WebhookEndpoint): string =>
  waitingParts(endpoint, maxListedWaiting)
    .map(({ text }) => text)
    .join(', ') || 'None pending';

/** Explains the health of an endpoint in short: since when it has a problem, and why. */
const Trouble = ({ endpoint }: { endpoint: WebhookEndpoint }): VNode => {
  const { failing_since, paused_at, paused_reason } = endpoint;
  if (!endpoint.enabled || (paused_reason === null && failing_since === null))
    return <>{healthOf(endpoint).meaning}</>;
  return (
    <>
      Since <TimeWithRelative at={paused_reason ? paused_at : failing_since} />
      {paused_reason && `: ${pauseNames[paused_reason]}`}
    </>
  );
};

/**
 * Lists the endpoints that need attention. Endpoints that their owner disabled are listed only if deliveries are
 * waiting.
 */
export function EndpointTroubles({
  endpoints,
  mayResume,
}: {
  endpoints: readonly WebhookEndpoint[];
  mayResume: boolean;
}): VNode {
  const troubled = endpoints.filter(
    (endpoint) =>
      !['good', 'plain'].includes(healthOf(endpoint).tone) ||
      (!endpoint.enabled && endpoint.waiting.queued + endpoint.waiting.retried > 0),
  );
  return (
    <Table
      caption="Endpoints that need attention"
      columns={['Endpoint', 'Health', 'Pending', 'Details', ...(mayResume ? [''] : [])]}
      rows={troubled.map((endpoint) => [
        <EndpointLink {...endpoint} />,
        <HealthBadge endpoint={endpoint} />,
        waitingText(endpoint),
        <Trouble endpoint={endpoint} />,
        ...(mayResume
          ? [
              endpoint.paused_reason && (
                <PostButton path={`/endpoints/${endpoint.id}/resume`} label="Resume" />
              ),
            ]
          : []),
      ])}
      empty={endpoints.length === 0 ? 'No endpoints yet.' : 'All endpoints are healthy.'}
    />
  );
}
