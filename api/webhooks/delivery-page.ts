import { deletedEndpoint, nameDeletedEndpoints } from './deleted-endpoints';
import type { DeletedNames } from './deleted-endpoints';
import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import type { ApiError } from '../platform/operation/api-error';
import { webhookDeliveryGet } from './webhook-delivery-get';
import { webhookDeliveryRetry } from './webhook-delivery-retry';
import { webhookEndpointGet } from './webhook-endpoint-get';
import { maxAttempts } from '../../db/webhooks/vocabulary';
import { listActorNames } from '../../db/platform/actor-names';
import { findSubject } from '../../db/platform/find-subject';
import { webhookRetriesId } from '../../workflows/ids';
import { attemptTimeline, nameOf } from './attempt-timeline';
import { callOperation, replyOf } from '../platform/site/call-operation';
import { endpointLink, isOpen, nextStep, outcomeText, stateBadge, toneOf } from './delivery-words';
import type { Attempt, Delivery, Endpoint } from './delivery-words';
import { facts, faultBox, panel, postForm } from '../platform/site/elements';
import type { Page } from '../platform/site/layout';
import { moment } from '../platform/site/list-elements';
import type { Site } from '../platform/site/site';
import { workflowLink } from '../platform/site/temporal-link';
import { mayChange } from '../platform/site/visitor';
import type { ConsoleDeps, Visit } from '../platform/site/visitor';

type Shown = Delivery & { waiting_for: string | null; workflow_id: string | null; timeline: Attempt[] };

/**
 * Adds the page of one delivery: what it waits for, the possible actions, and everything that was sent and received.
 */
export function addDeliveryPage(site: Site, deps: ConsoleDeps): void {
  const render = async (visit: Visit, id: string, fault?: ApiError): Promise<Page> => {
    const delivery: Shown = replyOf(
      await callOperation(deps, visit, webhookDeliveryGet, { delivery_id: id }),
    );
    const [{ reply: endpoint }, names] = await Promise.all([
      callOperation(deps, visit, webhookEndpointGet, {
        endpoint_id: delivery.endpoint_id,
      }),
      findNames(deps, visit, delivery),
    ]);
    const deletedNames = await nameDeletedEndpoints(deps, visit, [delivery], endpoint ? [endpoint] : []);
    return {
      title: `Delivery of ${delivery.event}`,
      key: 'deliveries',
      status: fault?.status ?? 200,
      content: html`${faultBox(fault)}
        <section class="panel">
          <h2>Where it stands</h2>
          <div id="standing" data-live>
            ${standing(visit, delivery, endpoint)}
            ${factsOf(deps, visit, delivery, endpoint, names, deletedNames)}
          </div>
        </section>
        ${panel('Attempts, the latest first', attemptTimeline(delivery.timeline, names), 'timeline')}`,
    };
  };

  site.page('console-delivery', '/deliveries/:id', (visit, { params }) => render(visit, params['id'] ?? ''), {
    subject: findSubject.delivery,
  });

  site.act('console-delivery-retry', '/deliveries/:id/retry', async (visit, { params }) => {
    const id = params['id'] ?? '';
    const { reply, error } = await callOperation(deps, visit, webhookDeliveryRetry, {
      delivery_id: id,
    });
    if (error) return render(visit, id, error);
    const flash =
      reply.state === 'queued'
        ? `It is queued again: series ${reply.series}.`
        : 'Its next attempt is due now.';
    return { goTo: `/deliveries/${id}`, flash };
  });
}

/** Summarizes the delivery: its state, the reason, the next step, and the button. */
function standing(visit: Visit, delivery: Shown, endpoint: Endpoint | undefined): Html {
  const isHeld =
    endpoint &&
    isOpen(delivery) &&
    !delivery.is_being_sent &&
    (!endpoint.enabled || endpoint.paused_reason !== null);
  const tone = isHeld ? 'bad' : toneOf(delivery);
  return html`<p class="lead ${tone}">
      ${stateBadge(delivery)} ${sentence(delivery, endpoint)}
      ${isHeld ? html`<a href="${visit.href(`/endpoints/${endpoint.id}`)}">See its endpoint</a> to let it go on.` : null}
    </p>
    ${mayChange(visit) && endpoint ? retryButton(visit, delivery) : null}`;
}

function sentence(delivery: Shown, endpoint: Endpoint | undefined): Html {
  const last = delivery.timeline.at(-1);
  if (delivery.state === 'acknowledged')
    return html`It
    arrived${last ? html` with attempt ${last.attempt}, ${moment(delivery.finished_at)}` : null}. Nothing
    follows.`;
  const why =
    last && last.outcome !== 'acknowledged' ? html`The last attempt failed: ${reasonOf(last)}.` : null;
  if (delivery.state === 'gave_up')
    return html`${why} That was the last of ${maxAttempts} attempts: nothing follows unless it is retried.`;
  return html`${isOpen(delivery) ? why : null} ${nextStep(delivery, endpoint)}.`;
}

const reasonOf = ({ outcome, status, error }: Attempt): string =>
  [outcomeText(outcome, status), error?.replace(/\.$/, '')].filter(Boolean).join(', ');

function retryButton(visit: Visit, delivery: Shown): Html | null {
  if (delivery.state === 'queued') return null;
  const label = delivery.state === 'retried' ? 'Try now instead of waiting' : 'Retry';
  return html`<div class="acts-row">
    ${postForm(visit, `/deliveries/${delivery.id}/retry`, html`<button>${label}</button>`, 'inline')}
  </div>`;
}

const factsOf = (
  deps: ConsoleDeps,
  visit: Visit,
  delivery: Shown,
  endpoint: Endpoint | undefined,
  names: ReadonlyMap<string, string>,
  deletedNames: DeletedNames,
): Html =>
  facts([
    [
      'Endpoint',
      endpoint ? endpointLink(visit, endpoint) : deletedEndpoint(deletedNames.get(delivery.endpoint_id)),
    ],
    endpoint ? ['URL', html`<span class="mono">${endpoint.url}</span>`] : null,
    [
      'Result',
      delivery.result_id === null
        ? 'none: a test event'
        : html`<a class="mono" href="${visit.href(`/results/${delivery.result_id}`)}"
            >${delivery.result_id}</a
          >`,
    ],
    [delivery.event === 'test' ? 'Sample of' : 'Because of', delivery.reason],
    ['Born', moment(delivery.created_at)],
    [
      'Attempts',
      `${delivery.attempts} of ${maxAttempts}${delivery.series > 1 ? ` in series ${delivery.series}` : ''}`,
    ],
    isOpen(delivery)
      ? ['Next attempt', nextAttempt(delivery, endpoint)]
      : ['Ended', moment(delivery.finished_at)],
    delivery.triggered_by === null ? null : ['Asked for by', nameOf(names, delivery.triggered_by)],
    ['webhook-id', html`<span class="mono">${delivery.id}</span>`],
    // Links to the workflow of the endpoint's retries. A workflow that has ended is linked too, because it holds the
    // history.
    delivery.timeline.length > 0
      ? ['Workflow of retries', workflowLink(deps, webhookRetriesId(delivery.endpoint_id))]
      : null,
  ]);

/** While the endpoint is held, the stored time is in the past. */
function nextAttempt(delivery: Shown, endpoint: Endpoint | undefined): Html | string {
  if (delivery.is_being_sent) return 'now';
  if (endpoint?.enabled === false) return 'after its endpoint is turned on';
  if (endpoint && endpoint.paused_reason !== null) return 'after its endpoint is resumed';
  return moment(delivery.next_attempt_at);
}

async function findNames(
  { database }: ConsoleDeps,
  visit: Visit,
  { triggered_by, timeline }: Shown,
): Promise<Map<string, string>> {
  const ids = [triggered_by, ...timeline.map((attempt) => attempt.triggered_by)].filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const rows = await database.query(visit.caller(), listActorNames([...new Set(ids)]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
