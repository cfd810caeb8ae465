import type { VNode } from 'preact';
import { maxAttempts } from '../../../db/webhooks/vocabulary';
import { Dash, Link, Soft, Table, Time } from '../../platform/site/elements';
import { DeletedEndpoint } from './deleted-endpoints';
import type { DeletedNames } from './deleted-endpoints';
import { EndpointLink, NextAttempt, outcomeText, StateBadge } from './delivery-words';
import type { WebhookDelivery, WebhookEndpoint } from './delivery-words';

type Props = {
  deliveries: readonly WebhookDelivery[];
  endpoints: readonly WebhookEndpoint[];
  deletedNames?: DeletedNames;
  /** Set for the list of a single endpoint, which does not show the endpoint's name. */
  isOneEndpoint?: boolean;
  isFiltered?: boolean;
};

export const DeliveryTable = (props: Props): VNode => {
  const { deliveries, endpoints, deletedNames, isOneEndpoint = false, isFiltered = false } = props;
  const columns = ['Event', 'Endpoint', 'State', 'Last response', 'Attempts', 'Next step'];
  return (
    <Table
      caption="Deliveries"
      columns={columns.filter((column) => !isOneEndpoint || column !== 'Endpoint')}
      rows={deliveries.map((delivery) => {
        const endpoint = endpoints.find(({ id }) => id === delivery.endpoint_id);
        const name = endpoint ? (
          <EndpointLink {...endpoint} />
        ) : (
          <DeletedEndpoint name={deletedNames?.get(delivery.endpoint_id)} />
        );
        return [
          <>
            <Link class="word" to={`/deliveries/${delivery.id}`}>
              {delivery.event}
            </Link>
            <br />
            <Soft>
              <Time at={delivery.created_at} />
            </Soft>
          </>,
          ...(isOneEndpoint ? [] : [name]),
          <StateBadge {...delivery} />,
          outcomeText(delivery.last_outcome, delivery.last_status) ?? <Dash />,
          attemptCount(delivery),
          <NextAttempt delivery={delivery} endpoint={endpoint} />,
        ];
      })}
      empty={isFiltered ? 'No deliveries match these filters.' : 'No deliveries yet.'}
    />
  );
};

/** Formats the number of attempts, such as `3 of 10`. A retry of a delivery that has ended begins a new series. */
export const attemptCount = ({ attempts, series }: WebhookDelivery): string =>
  `${attempts} of ${maxAttempts}${series > 1 ? `, series ${series}` : ''}`;
