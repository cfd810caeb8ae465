import { deletedEndpoint } from './deleted-endpoints';
import type { DeletedNames } from './deleted-endpoints';
import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import { maxAttempts } from '../../db/webhooks/vocabulary';
import { endpointLink, nextStep, outcomeText, stateBadge } from './delivery-words';
import type { Delivery, Endpoint } from './delivery-words';
import { table, timestamp } from '../platform/site/elements';
import type { Visit } from '../platform/site/visitor';

/** Lists deliveries as rows. A list of a single endpoint does not show its name. */
export const deliveryTable = (
  visit: Visit,
  deliveries: readonly Delivery[],
  endpoints: readonly Endpoint[],
  {
    isOneEndpoint = false,
    isFiltered = false,
    deletedNames,
  }: { isOneEndpoint?: boolean; isFiltered?: boolean; deletedNames?: DeletedNames } = {},
): Html =>
  table(
    'Deliveries',
    [
      'Event',
      ...(isOneEndpoint ? [] : ['Endpoint']),
      'State',
      'Last answer',
      'Attempts',
      'What happens next',
    ],
    deliveries.map((delivery) => {
      const endpoint = endpoints.find(({ id }) => id === delivery.endpoint_id);
      return [
        html`<a class="word" href="${visit.href(`/deliveries/${delivery.id}`)}">${delivery.event}</a><br />
          <span class="soft small">${timestamp(delivery.created_at)}</span>`,
        ...(isOneEndpoint
          ? []
          : [
              endpoint
                ? endpointLink(visit, endpoint)
                : deletedEndpoint(deletedNames?.get(delivery.endpoint_id)),
            ]),
        stateBadge(delivery),
        outcomeText(delivery.last_outcome, delivery.last_status) ?? html`<span class="soft">–</span>`,
        html`<span
          >${delivery.attempts} of
          ${maxAttempts}${delivery.series > 1 ? `, series ${delivery.series}` : null}</span
        >`,
        nextStep(delivery, endpoint),
      ];
    }),
    isFiltered ? 'No deliveries match these filters.' : 'No deliveries yet.',
  );
