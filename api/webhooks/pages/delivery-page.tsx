import type { ComponentChildren, VNode } from 'preact';
import { subjectVisibility } from '../../../db/platform/find-subject';
import { findLastAttempt, listAttemptPage } from '../../../db/webhooks/attempt-history';
import type { LastAttempt, ListedAttempt } from '../../../db/webhooks/attempt-history';
import { getDelivery } from '../../../db/webhooks/delivery-history';
import { maxAttempts } from '../../../db/webhooks/vocabulary';
import { webhookRetriesId } from '../../../workflows/ids';
import { ApiError } from '../../platform/operation/api-error';
import { PostButton } from '../../platform/site/buttons';
import { callOperation } from '../../platform/site/call-operation';
import { Facts, Link, TimeWithRelative, Mono, Pager, Panel } from '../../platform/site/elements';
import { ErrorBox } from '../../platform/site/form';
import type { Page } from '../../platform/site/layout';
import { offsetOf } from '../../platform/site/query';
import type { Site } from '../../platform/site/site';
import { mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { WorkflowLink } from '../../platform/site/workflow-link';
import { unknownDelivery } from '../webhook-delivery-get';
import { webhookDeliveryRetry } from '../webhook-delivery-retry';
import { webhookEndpointGet } from '../webhook-endpoint-get';
import { deliveryId } from '../webhook-fields';
import { findActorNames, nameOf } from './actor-names';
import { AttemptTimeline, maxShownBytes, shownAttempts } from './attempt-timeline';
import { DeletedEndpoint, nameDeletedEndpoints } from './deleted-endpoints';
import { attemptCount } from './delivery-table';
import { EndpointLink, isOpen, NextAttempt, outcomeText, StateBadge, stateTones } from './delivery-words';
import type { WebhookDelivery, WebhookEndpoint } from './delivery-words';

type Shown = WebhookDelivery & { last: LastAttempt | undefined };
type OfDelivery = { delivery: Shown; endpoint: WebhookEndpoint | undefined };
type Query = Record<string, string>;

/** Adds the page of one delivery: its state and next step, the actions, and everything that was sent and received. */
export function addDeliveryPage(site: Site, deps: ConsoleDeps): void {
  const render = async (visit: ConsoleVisit, id: string, query: Query, error?: ApiError): Promise<Page> => {
    const only = onlyAttempt(query);
    const offset = only ? 0 : offsetOf(query);
    const { delivery, timeline } = await readDelivery(deps, visit, id, { offset, only });
    const [{ reply: endpoint }, names] = await Promise.all([
      callOperation(deps, visit, webhookEndpointGet, { endpoint_id: delivery.endpoint_id }),
      findActorNames(
        deps,
        visit,
        [delivery, ...timeline].map(({ triggered_by: by }) => by),
      ),
    ]);
    const deletedNames = await nameDeletedEndpoints(deps, visit, [delivery], endpoint ? [endpoint] : []);
    const { triggered_by, result_id } = delivery;
    return {
      title: `Delivery of ${delivery.event}`,
      at: '/deliveries',
      status: error?.status,
      content: (
        <>
          <ErrorBox error={error} />
          <Panel title="Status" live="standing">
            <Standing delivery={delivery} endpoint={endpoint} />
            {mayChange(visit) && endpoint && <RetryButton {...delivery} />}
            <Facts
              entries={[
                [
                  'Endpoint',
                  endpoint ? (
                    <EndpointLink {...endpoint} />
                  ) : (
                    <DeletedEndpoint name={deletedNames.get(delivery.endpoint_id)} />
                  ),
                ],
                endpoint !== undefined && ['URL', <Mono>{endpoint.url}</Mono>],
                [
                  'Result',
                  result_id === null ? (
                    delivery.event === 'test' ? (
                      'None: a test event'
                    ) : (
                      'None'
                    )
                  ) : (
                    <Link class="mono" to={`/results/${result_id}`}>
                      {result_id}
                    </Link>
                  ),
                ],
                delivery.reason !== '' && [
                  delivery.event === 'test' ? 'Sample of' : 'Trigger',
                  delivery.reason,
                ],
                ['Created', <TimeWithRelative at={delivery.created_at} />],
                ['Attempts', attemptCount(delivery)],
                isOpen(delivery)
                  ? ['Next attempt', nextAttempt(delivery, endpoint)]
                  : ['Ended', <TimeWithRelative at={delivery.finished_at} />],
                triggered_by !== null && ['Requested by', nameOf(names, triggered_by)],
                ['webhook-id', <Mono>{delivery.id}</Mono>],
                // The link is shown even if the workflow has ended, because the ended workflow contains the history.
                delivery.last !== undefined && [
                  'Retry workflow',
                  <WorkflowLink temporalUi={deps.temporalUi} id={webhookRetriesId(delivery.endpoint_id)} />,
                ],
              ]}
            />
          </Panel>
          <Panel title={only ? 'Attempt' : 'Attempts'} live="timeline">
            <AttemptTimeline deliveryId={id} timeline={timeline} names={names} />
            {only ? (
              <p>
                <Link to={`/deliveries/${id}`}>All attempts</Link>
              </p>
            ) : (
              <Pager
                path={`/deliveries/${id}`}
                total={delivery.last?.total ?? 0}
                limit={shownAttempts}
                offset={offset}
              />
            )}
          </Panel>
        </>
      ),
    };
  };

  site.page(
    'console-delivery',
    '/deliveries/:id',
    (visit, { params, query }) => render(visit, params['id'] ?? '', query),
    { subject: subjectVisibility.delivery },
  );

  site.post('console-delivery-retry', '/deliveries/:id/retry', async (visit, { params }) => {
    const id = params['id'] ?? '';
    const { reply, error } = await callOperation(deps, visit, webhookDeliveryRetry, { delivery_id: id });
    if (error) return render(visit, id, {}, error);
    const flash =
      reply.state === 'queued'
        ? `Queued again, as series ${reply.series} of attempts.`
        : 'The next attempt is due now.';
    return { goTo: `/deliveries/${id}`, flash };
  });
}

type AttemptChoice = { offset: number; only: { series: number; attempt: number } | undefined };

/** Reads a delivery and a page of its attempts, whose total size is limited, unlike in `webhook-delivery-get`. */
async function readDelivery(
  { database }: ConsoleDeps,
  visit: ConsoleVisit,
  id: string,
  choice: AttemptChoice,
): Promise<{ delivery: Shown; timeline: ListedAttempt[] }> {
  if (!deliveryId.safeParse(id).success) throw unknownDelivery();
  return database.read(visit.caller(), async (trx) => {
    const [delivery, last, timeline] = await Promise.all([
      trx.maybeOne(getDelivery(id)),
      trx.maybeOne(findLastAttempt(id)),
      trx.rows(listAttemptPage(id, { limit: shownAttempts, maxBytes: maxShownBytes, ...choice })),
    ]);
    if (!delivery) throw unknownDelivery();
    if (choice.only && timeline.length === 0)
      throw new ApiError('not_found', 'There is no such attempt of this delivery.', 'attempt');
    return { delivery: { ...delivery, last }, timeline };
  });
}

/** Returns the attempt that the query parameter `attempt` names, as in `2.10`: attempt 10 of series 2. */
function onlyAttempt(query: Query): AttemptChoice['only'] {
  const [, series, attempt] = /^(\d{1,9})\.(\d{1,2})$/.exec(query['attempt'] ?? '') ?? [];
  return series === undefined ? undefined : { series: Number(series), attempt: Number(attempt) };
}

/** Summarizes the delivery: its state, the reason for the state, and the next step. */
function Standing({ delivery, endpoint }: OfDelivery): VNode {
  const isHeld =
    endpoint &&
    isOpen(delivery) &&
    !delivery.is_being_sent &&
    (!endpoint.enabled || endpoint.paused_reason !== null);
  return (
    <p class={`lead ${isHeld ? 'bad' : stateTones[delivery.state]}`}>
      <StateBadge {...delivery} /> {sentence(delivery, endpoint)}
      {isHeld && [' ', <Link to={`/endpoints/${endpoint.id}`}>Go to the endpoint</Link>]}
    </p>
  );
}

function sentence(delivery: Shown, endpoint: WebhookEndpoint | undefined): ComponentChildren {
  const { last } = delivery;
  if (delivery.state === 'acknowledged')
    return last ? (
      <>
        Delivered with attempt {last.attempt}, <TimeWithRelative at={delivery.finished_at} />.
      </>
    ) : (
      'Delivered.'
    );
  if (delivery.state === 'cancelled')
    return endpoint ? 'This delivery was canceled. Retry to send it.' : 'Its endpoint was deleted.';
  const why = last && last.outcome !== 'acknowledged' && `The last attempt failed: ${reasonOf(last)}. `;
  if (delivery.state === 'gave_up')
    return [why, `All ${maxAttempts} attempts failed. Retry to send it again.`];
  return [why, <NextAttempt delivery={delivery} endpoint={endpoint} />, '.'];
}

const reasonOf = ({ outcome, status, error }: LastAttempt): string =>
  [outcomeText(outcome, status), error?.replace(/\.$/, '')].filter(Boolean).join(', ');

const RetryButton = ({ id, state }: Shown): VNode | null =>
  state === 'queued' ? null : (
    <div class="acts-row">
      <PostButton
        path={`/deliveries/${id}/retry`}
        label={state === 'retried' ? 'Retry now' : 'Retry'}
        isPrimary={state !== 'acknowledged'}
      />
    </div>
  );

/** Returns when the next attempt is made. The stored time does not apply while the endpoint is disabled or paused. */
function nextAttempt(delivery: Shown, endpoint: WebhookEndpoint | undefined): ComponentChildren {
  if (delivery.is_being_sent) return 'Now';
  if (endpoint?.enabled === false) return 'After the endpoint is enabled';
  if (endpoint && endpoint.paused_reason !== null) return 'After the endpoint is resumed';
  return <TimeWithRelative at={delivery.next_attempt_at} />;
}
