import type { VNode } from 'preact';
import type { ApiError } from '../../platform/operation/api-error';
import { callOperation } from '../../platform/site/call-operation';
import { TimeWithRelative, Panel, Table } from '../../platform/site/elements';
import type { Page } from '../../platform/site/layout';
import type { Site } from '../../platform/site/site';
import { mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { webhookEndpointCreate } from '../webhook-endpoint-create';
import { readEndpoints } from './deliveries-page';
import { EndpointLink } from './delivery-words';
import type { WebhookEndpoint } from './delivery-words';
import { emptyEndpoint, EndpointForm, enteredEndpoint } from './endpoint-form';
import type { EnteredEndpoint } from './endpoint-form';
import { HealthBadge, waitingText } from './endpoint-health';

type Note = { entered?: EnteredEndpoint; error?: ApiError };

/** Adds the page that lists the merchant's endpoints with their health, and the form for a new one. */
export function addEndpointsPage(site: Site, deps: ConsoleDeps): void {
  const render = async (
    visit: ConsoleVisit,
    { entered = emptyEndpoint, error }: Note = {},
  ): Promise<Page> => {
    const { data: endpoints } = await readEndpoints(deps, visit);
    return {
      title: 'Endpoints',
      at: '/endpoints',
      status: error?.status,
      content: (
        <>
          <Panel live="endpoints">
            <EndpointTable endpoints={endpoints} />
          </Panel>
          {mayChange(visit) && (
            <Panel title="New endpoint">
              <p class="soft">
                The endpoint receives the events that occur after you create it. Requests are signed with
                Standard Webhooks. The signing secret is shown once, right after you create the endpoint.
              </p>
              <EndpointForm path="/endpoints" entered={entered} button="Create endpoint" error={error} />
            </Panel>
          )}
        </>
      ),
    };
  };

  site.page('console-endpoints', '/endpoints', (visit) => render(visit));

  site.post('console-endpoint-create', '/endpoints', async (visit, sent) => {
    const { entered, headers, error: unreadable } = enteredEndpoint(sent);
    if (unreadable) return render(visit, { entered, error: unreadable });
    const { reply, error } = await callOperation(deps, visit, webhookEndpointCreate, {
      url: entered.url,
      events: entered.events,
      timeout_seconds: Number(entered.timeout_seconds),
      description: entered.description || undefined,
      enabled: entered.enabled,
      custom_headers: headers,
    });
    if (error) return render(visit, { entered, error });
    return {
      goTo: `/endpoints/${reply.id}`,
      flash: 'Endpoint created.',
      secret: {
        title: 'Signing secret',
        secrets: [['signing_secret', 'Signing secret', reply.signing_secret]],
      },
    };
  });
}

const EndpointTable = ({ endpoints }: { endpoints: readonly WebhookEndpoint[] }): VNode => (
  <Table
    caption="Endpoints"
    columns={['Endpoint', 'Health', 'Pending', 'Last success', 'Last failure', 'Events']}
    rows={endpoints.map((endpoint) => [
      <>
        <EndpointLink {...endpoint} />
        {endpoint.description && (
          <>
            <br />
            <span class="soft small long">{endpoint.url}</span>
          </>
        )}
      </>,
      <HealthBadge endpoint={endpoint} />,
      waitingText(endpoint),
      <TimeWithRelative at={endpoint.last_success_at} />,
      <TimeWithRelative at={endpoint.last_failure_at} />,
      endpoint.events.map((event) => [<span class="small word">{event}</span>, ' ']),
    ])}
    empty="No endpoints in this environment yet. No webhooks are sent."
  />
);
