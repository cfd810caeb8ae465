import { nameDeletedEndpoints } from './deleted-endpoints';
import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import type { ApiError } from '../platform/operation/api-error';
import { countedDeliveries, webhookDeliveryList } from './webhook-delivery-list';
import { webhookEndpointList } from './webhook-endpoint-list';
import { attemptOutcomes, deliveryEvents, deliveryStates } from '../../db/webhooks/vocabulary';
import { callOperation, replyOf } from '../platform/site/call-operation';
import { deliveryTable } from './delivery-table';
import { endpointLabel, outcomeNames, stateNames } from './delivery-words';
import type { Endpoint } from './delivery-words';
import { pager } from '../platform/site/elements';
import { troubles } from './endpoint-health';
import { formFields } from '../platform/site/form-fields';
import type { FormFields } from '../platform/site/form-fields';
import { askForm, given, oneOf, tabs, toInstant, toTimeInput } from '../platform/site/list-elements';
import type { Site } from '../platform/site/site';
import { mayChange } from '../platform/site/visitor';
import type { ConsoleDeps, Visit } from '../platform/site/visitor';

const limit = 50;
const filterNames = ['endpoint_id', 'event', 'result_id', 'outcome', 'status', 'since', 'until'] as const;
/** The filters that the address of the list accepts. The address of replays accepts the same ones. */
export const deliveryFilterNames = ['state', ...filterNames] as const;
const path = '/deliveries';

/** Adds the page where support starts: endpoints with problems, and the deliveries, newest first. */
export function addDeliveriesPage(site: Site, deps: ConsoleDeps): void {
  site.page('console-deliveries', path, async (visit, { query }) => {
    const filter = given(query, deliveryFilterNames);
    const offset = query['offset'] ?? '0';
    const [listed, { data: endpoints }] = await Promise.all([
      callOperation(deps, visit, webhookDeliveryList, {
        ...toDeliveryQuery(filter),
        limit: String(limit),
        offset,
      }),
      readEndpoints(deps, visit),
    ]);
    const deletedNames = await nameDeletedEndpoints(deps, visit, listed.reply?.data ?? [], endpoints);
    return {
      title: 'Deliveries',
      key: 'deliveries',
      status: listed.error?.status ?? 200,
      content: html`<section class="panel">
          <h2>Endpoints in trouble</h2>
          <div id="troubles" data-live>${troubles(visit, endpoints)}</div>
        </section>
        ${tabs(visit, path, 'State', { name: 'state', entries: stateTabs, query: filter })}
        ${filterForm(visit, filter, endpoints, listed.error)}
        <section class="panel">
          <h2>${filter['state'] ? `Deliveries: ${stateTitle(filter['state'])}` : 'All deliveries'}</h2>
          <div id="deliveries" data-live>
            ${
              listed.reply &&
              html`${deliveryTable(visit, listed.reply.data, endpoints, { isFiltered: Object.keys(filter).length > 0, deletedNames })}
              ${pager(visit, path, { ...listed.reply.pagination, countedTo: countedDeliveries }, filter)}`
            }
          </div>
          ${
            mayChange(visit) && filter['state'] !== 'queued' && listed.reply && listed.reply.data.length > 0
              ? html`<p class="soft">
                  <a href="${visit.href('/replays', filter)}">Send these again…</a> counts first what would be
                  sent.
                </p>`
              : null
          }
        </section>`,
    };
  });
}

/** Returns all existing endpoints, for their names and health. */
export const readEndpoints = async (deps: ConsoleDeps, visit: Visit): Promise<{ data: Endpoint[] }> =>
  replyOf(
    await callOperation(deps, visit, webhookEndpointList, {
      limit: '1000',
      offset: '0',
    }),
  );

/** Converts a filter from the address to the API's input. The API validates what this page does not know. */
const toDeliveryQuery = (filter: Record<string, string>) => ({
  ...filter,
  ...(filter['since'] ? { since: toInstant(filter['since']) } : {}),
  ...(filter['until'] ? { until: toInstant(filter['until']) } : {}),
});

const stateTabs = [
  ['', 'All'],
  ...deliveryStates.map((state) => [state, stateTitle(state)] as const),
] as const;

function stateTitle(text: string): string {
  const state = oneOf(deliveryStates, text);
  const name = state ? stateNames[state] : text;
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

function filterForm(
  visit: Visit,
  filter: Record<string, string>,
  endpoints: readonly Endpoint[],
  fault: ApiError | undefined,
): Html {
  const form = formFields(deliveryControls, fault);
  const isNarrowed = filterNames.some((name) => filter[name] !== undefined);
  return html`${form.summary}
    <section class="panel">
      <details class="filters" ${isNarrowed ? html`open` : null}>
        <summary>Filter</summary>
        ${askForm(
          visit,
          path,
          html`${filter['state'] ? html`<input type="hidden" name="state" value="${filter['state']}" />` : null}
            ${deliveryFields(form, filter, endpoints)}
            <div>
              <button>Show</button>
              ${isNarrowed ? html`<a href="${visit.href(path, { state: filter['state'] })}">Clear</a>` : null}
            </div>`,
        )}
      </details>
    </section>`;
}

/** The controls of a delivery filter, in page order. */
export const deliveryControls = ['endpoint_id', 'event', 'outcome', 'status', 'result_id', 'since', 'until'];

/** The fields of a delivery filter except the state. */
export function deliveryFields(
  form: FormFields,
  filter: Record<string, string>,
  endpoints: readonly Endpoint[],
): Html {
  const value = (name: string) => filter[name] ?? '';
  const chosen = value('endpoint_id');
  const any = { value: '', label: 'Any' };
  const known = endpoints.map((endpoint) => ({ value: endpoint.id, label: endpointLabel(endpoint) }));
  const isDeleted = chosen !== '' && !known.some((each) => each.value === chosen);
  const named = isDeleted ? [{ value: chosen, label: chosen }] : [];
  const outcomes = attemptOutcomes.map((outcome) => ({ value: outcome, label: outcomeNames[outcome] }));
  const events = deliveryEvents.map((event) => ({ value: event, label: event }));
  return html`${form.choice('endpoint_id', 'Endpoint', [any, ...known, ...named], chosen)}
  ${form.choice('event', 'Event', [any, ...events], value('event'))}
  ${form.choice('outcome', 'Last outcome', [any, ...outcomes], value('outcome'))}
  ${form.text('status', 'HTTP status', value('status'), { maxlength: 3, isShort: true })}
  ${form.text('result_id', 'Result id', value('result_id'), { maxlength: 36 })}
  ${form.time('since', 'Since (UTC)', toTimeInput(value('since')))}
  ${form.time('until', 'Until (UTC)', toTimeInput(value('until')))}`;
}
