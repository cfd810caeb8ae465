import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import type { ApiError } from '../platform/operation/api-error';
import { webhookEndpointCreate } from './webhook-endpoint-create';
import { callOperation } from '../platform/site/call-operation';
import { readEndpoints } from './deliveries-page';
import { endpointLink } from './delivery-words';
import type { Endpoint } from './delivery-words';
import { panel, postForm, table } from '../platform/site/elements';
import { emptyEndpoint, endpointFields, enteredEndpoint } from './endpoint-form';
import type { EnteredEndpoint } from './endpoint-form';
import { healthBadge, waitingText } from './endpoint-health';
import type { Page } from '../platform/site/layout';
import { moment } from '../platform/site/list-elements';
import type { Site } from '../platform/site/site';
import { mayChange } from '../platform/site/visitor';
import type { ConsoleDeps, Visit } from '../platform/site/visitor';

type Note = { entered?: EnteredEndpoint; fault?: ApiError };

/** Adds the page that lists the merchant's endpoints with their health, and the form for a new one. */
export function addEndpointsPage(site: Site, deps: ConsoleDeps): void {
  const render = async (visit: Visit, { entered, fault }: Note = {}): Promise<Page> => {
    const { data: endpoints } = await readEndpoints(deps, visit);
    return {
      title: 'Endpoints',
      key: 'endpoints',
      status: fault?.status ?? 200,
      content: html`${panel('Endpoints', endpointTable(visit, endpoints), 'endpoints')}
      ${mayChange(visit) ? panel('New endpoint', createForm(visit, entered ?? emptyEndpoint, fault)) : null}`,
    };
  };

  site.page('console-endpoints', '/endpoints', (visit) => render(visit));

  site.act('console-endpoint-create', '/endpoints', async (visit, sent) => {
    const { entered, headers, error: unreadable } = enteredEndpoint(sent);
    if (unreadable) return render(visit, { entered, fault: unreadable });
    const { reply, error } = await callOperation(deps, visit, webhookEndpointCreate, {
      url: entered.url,
      events: entered.events,
      timeout_seconds: Number(entered.timeout_seconds),
      description: entered.description || undefined,
      enabled: entered.enabled,
      custom_headers: headers,
    });
    if (error) return render(visit, { entered, fault: error });
    return {
      goTo: `/endpoints/${reply.id}`,
      flash: 'The endpoint is created.',
      secret: {
        title: 'Signing secret',
        secrets: [['signing_secret', 'Signing secret', reply.signing_secret]],
      },
    };
  });
}

const endpointTable = (visit: Visit, endpoints: readonly Endpoint[]): Html =>
  table(
    'Endpoints',
    ['Endpoint', 'Health', 'Waiting', 'Last success', 'Last failure', 'Events'],
    endpoints.map((endpoint) => [
      html`${endpointLink(visit, endpoint)}${
        endpoint.description ? html`<br /><span class="soft small long">${endpoint.url}</span>` : null
      }`,
      healthBadge(endpoint),
      waitingText(endpoint),
      moment(endpoint.last_success_at),
      moment(endpoint.last_failure_at),
      html`${endpoint.events.map((event) => html`<span class="small word">${event}</span> `)}`,
    ]),
    'There is no endpoint in this environment: nothing is sent to anybody.',
  );

function createForm(visit: Visit, entered: EnteredEndpoint, fault: ApiError | undefined): Html {
  const { summary, fields } = endpointFields(entered, { fault });
  return html`<p class="soft">
      From now on its events are sent to it, signed by Standard Webhooks. The signing secret is shown once.
    </p>
    ${summary}
    ${postForm(
      visit,
      '/endpoints',
      html`${fields}
        <div><button>Create endpoint</button></div>`,
    )}`;
}
