import type { VNode } from 'preact';
import { attemptOutcomes, deliveryEvents, deliveryStates } from '../../../db/webhooks/vocabulary';
import { HiddenFields } from '../../platform/site/buttons';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import { Link, Pager, Panel, Tabs } from '../../platform/site/elements';
import { SelectField, SearchForm, TextField, TimeField } from '../../platform/site/form';
import { givenParameters, oneOf, toInstants } from '../../platform/site/query';
import type { Site } from '../../platform/site/site';
import { mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { maxCountedDeliveries, webhookDeliveryList } from '../webhook-delivery-list';
import { webhookEndpointList } from '../webhook-endpoint-list';
import { nameDeletedEndpoints } from './deleted-endpoints';
import { DeliveryTable } from './delivery-table';
import { endpointLabel, outcomeNames, stateNames } from './delivery-words';
import type { WebhookEndpoint } from './delivery-words';
import { EndpointTroubles } from './endpoint-health';

const limit = 50;
/** The controls of a delivery filter, in the order in which the page shows them. */
export const deliveryFilterFields = [
  'endpoint_id',
  'event',
  'outcome',
  'status',
  'result_id',
  'since',
  'until',
];
/** The query parameters that filter deliveries, on this page and on the page of replays. */
export const deliveryFilterNames = ['state', ...deliveryFilterFields];
const path = '/deliveries';
type Filter = Record<string, string>;

/** Adds the page that lists endpoints with problems and, below them, the deliveries, newest first. */
export function addDeliveriesPage(site: Site, deps: ConsoleDeps): void {
  site.page('console-deliveries', path, async (visit, { query }) => {
    const filter = givenParameters(query, deliveryFilterNames);
    const [listed, { data: endpoints }] = await Promise.all([
      callOperation(deps, visit, webhookDeliveryList, {
        ...filter,
        ...toInstants(visit, filter),
        limit: String(limit),
        offset: query['offset'] ?? '0',
      }),
      readEndpoints(deps, visit),
    ]);
    const { reply, error } = listed;
    const deliveries = reply?.data ?? [];
    const deletedNames = await nameDeletedEndpoints(deps, visit, deliveries, endpoints);
    const state = filter['state'] ?? '';
    const isNarrowed = deliveryFilterFields.some((name) => filter[name] !== undefined);
    const isFiltered = state !== '' || isNarrowed;
    return {
      title: 'Deliveries',
      at: path,
      status: error?.status,
      content: (
        <>
          <Panel title="Needs attention" live="troubles">
            <EndpointTroubles endpoints={endpoints} mayResume={mayChange(visit)} />
          </Panel>
          <Tabs path={path} label="State" name="state" entries={stateTabs} query={filter} />
          <Panel>
            <details class="filters" id="filters" open={isNarrowed}>
              <summary>Filters</summary>
              <SearchForm path={path} names={deliveryFilterFields} error={error}>
                {state !== '' && <HiddenFields fields={{ state }} />}
                <DeliveryFields filter={filter} endpoints={endpoints} />
                <div>
                  <button class="plain">Apply filters</button>{' '}
                  {isNarrowed && (
                    <Link to={path} query={{ state }}>
                      Clear
                    </Link>
                  )}
                </div>
              </SearchForm>
            </details>
          </Panel>
          <Panel title={stateTitle(state)} live="deliveries">
            {reply && (
              <>
                <DeliveryTable {...{ deliveries, endpoints, deletedNames, isFiltered }} />
                <Pager path={path} {...reply.pagination} countedTo={maxCountedDeliveries} query={filter} />
              </>
            )}
            {mayChange(visit) && state !== 'queued' && deliveries.length > 0 && (
              <p>
                <Link to="/replays" query={filter}>
                  Replay these…
                </Link>{' '}
                <span class="soft">(preview first)</span>
              </p>
            )}
          </Panel>
        </>
      ),
    };
  });
}

/** Returns all existing endpoints, whose names and health the pages show. */
export const readEndpoints = async (
  deps: ConsoleDeps,
  visit: ConsoleVisit,
): Promise<{ data: WebhookEndpoint[] }> =>
  replyOf(await callOperation(deps, visit, webhookEndpointList, { limit: '1000', offset: '0' }));

const stateTabs = [
  ['', 'All'],
  ...deliveryStates.map((state) => [state, stateNames[state]] as const),
] as const;

function stateTitle(text: string): string {
  const state = oneOf(deliveryStates, text);
  return state ? `${stateNames[state]} deliveries` : 'All deliveries';
}

/** Shows the fields of a delivery filter except the state. */
export function DeliveryFields({
  filter,
  endpoints,
}: {
  filter: Filter;
  endpoints: readonly WebhookEndpoint[];
}): VNode {
  const value = (name: string) => filter[name] ?? '';
  const chosen = value('endpoint_id');
  const any = { value: '', label: 'Any' };
  const known = endpoints.map((endpoint) => ({ value: endpoint.id, label: endpointLabel(endpoint) }));
  const isDeleted = chosen !== '' && !known.some((each) => each.value === chosen);
  const named = isDeleted ? [{ value: chosen, label: chosen }] : [];
  const outcomes = attemptOutcomes.map((outcome) => ({ value: outcome, label: outcomeNames[outcome] }));
  const events = deliveryEvents.map((event) => ({ value: event, label: event }));
  return (
    <>
      <SelectField name="endpoint_id" label="Endpoint" options={[any, ...known, ...named]} value={chosen} />
      <SelectField name="event" label="Event" options={[any, ...events]} value={value('event')} />
      <SelectField
        name="outcome"
        label="Last outcome"
        options={[any, ...outcomes]}
        value={value('outcome')}
      />
      <TextField name="status" label="HTTP status" value={value('status')} maxlength={3} isShort />
      <TextField name="result_id" label="Result ID" value={value('result_id')} maxlength={36} />
      <TimeField name="since" label="Since" value={value('since')} />
      <TimeField name="until" label="Until" value={value('until')} />
    </>
  );
}
