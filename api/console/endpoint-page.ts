import type { z } from 'zod';
import { html } from '../contracts/html';
import type { Html } from '../contracts/html';
import type { ApiError } from '../contracts/api-error';
import { webhookDeliveryList } from '../contracts/webhook-delivery-list';
import { waitingLimit, webhookEndpointGet } from '../contracts/webhook-endpoint-get';
import { listWebhookDeliveries } from '../operations/webhook-delivery-list';
import { getWebhookEndpoint } from '../operations/webhook-endpoint-get';
import { webhookRetriesId } from '../../workflows/ids';
import { callOperation, replyOf } from './call-operation';
import { deliveryTable } from './delivery-table';
import { endpointName } from './delivery-words';
import {
  actButton,
  confirmButton,
  facts,
  faultBox,
  field,
  panel,
  postForm,
  table,
  timestamp,
} from './elements';
import type { Cell } from './elements';
import { addEndpointActs } from './endpoint-acts';
import { endpointFields } from './endpoint-form';
import type { EnteredEndpoint } from './endpoint-form';
import { healthBadge, healthOf, waitingParts } from './endpoint-health';
import type { Page } from './layout';
import { moment } from './list-elements';
import type { Site } from './site';
import { workflowLink } from './temporal-link';
import { mayChange } from './visit';
import type { ConsoleDeps, Visit } from './visit';

type EndpointDetails = z.output<typeof webhookEndpointGet.reply>;

/** What the page shows besides the endpoint: a new secret, once, or why a form was refused. */
export type EndpointNote = { secret?: Html; entered?: EnteredEndpoint; fault?: ApiError };

const recentLimit = 10;

/** One endpoint: how it is and why, what to do about it, its latest deliveries, and how it is set. */
export function addEndpointPage(site: Site, deps: ConsoleDeps): void {
  const render = async (
    visit: Visit,
    id: string,
    { secret, entered, fault }: EndpointNote = {},
  ): Promise<Page> => {
    const [endpoint, deliveries] = await Promise.all([
      callOperation(deps, visit, webhookEndpointGet, getWebhookEndpoint, { endpoint_id: id }).then(replyOf),
      callOperation(deps, visit, webhookDeliveryList, listWebhookDeliveries, {
        endpoint_id: id,
        limit: String(recentLimit),
      }),
    ]);
    const recent = deliveries.reply?.data ?? [];
    return {
      title: endpointName(endpoint),
      key: 'endpoints',
      status: fault?.status ?? 200,
      content: html`${secret} ${entered ? null : faultBox(fault)}
        <section class="panel">
          <h2>How it is</h2>
          <div id="health" data-live>
            ${health(deps, visit, endpoint)} ${mayChange(visit) ? acts(visit, endpoint) : null}
          </div>
        </section>
        <section class="panel">
          <h2>Latest deliveries</h2>
          <div id="deliveries" data-live>
            ${deliveryTable(visit, recent, [endpoint], { isOneEndpoint: true })}
          </div>
          <p>
            <a href="${visit.href('/deliveries', { endpoint_id: id })}">All its deliveries</a>
            ${mayChange(visit) ? html`· <a href="${visit.href('/replays', { endpoint_id: id })}">Send many again…</a>` : null}
          </p>
        </section>
        ${panel('Signing secrets', secrets(visit, endpoint))}
        ${
          mayChange(visit)
            ? html`${panel('Change', changeForm(visit, endpoint, entered, fault))}
              ${panel('Delete', deleteForm(visit, id))}`
            : null
        }`,
    };
  };

  site.page('console-endpoint', '/endpoints/:id', (visit, { params }) => render(visit, params['id'] ?? ''));
  addEndpointActs(site, deps, render);
}

function health(deps: ConsoleDeps, visit: Visit, endpoint: EndpointDetails): Html {
  const { tone, meaning } = healthOf(endpoint);
  const { id } = endpoint;
  return html`<p class="lead ${tone}">${healthBadge(endpoint)} ${meaning}</p>
    ${facts([
      ['URL', html`<span class="mono">${endpoint.url}</span>`],
      ['Waiting', waitingLinks(visit, endpoint)],
      ['Last success', moment(endpoint.last_success_at)],
      ['Last failure', moment(endpoint.last_failure_at)],
      endpoint.failing_since === null ? null : ['Failing since', moment(endpoint.failing_since)],
      ['Events', endpoint.events.join(', ')],
      ['Seconds to answer', endpoint.timeout_seconds],
      [
        'Custom headers',
        Object.keys(endpoint.custom_headers).length === 0
          ? 'none'
          : html`<span class="mono"
              >${Object.entries(endpoint.custom_headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join(', ')}</span
            >`,
      ],
      ['Created', timestamp(endpoint.created_at)],
      ['Id', html`<span class="mono">${id}</span>`],
      [
        'Workflow of retries',
        html`${workflowLink(deps, webhookRetriesId(id))}
          <span class="soft small">runs while something is to be retried</span>`,
      ],
    ])}`;
}

/** How many wait, each kind leading to its list. */
function waitingLinks(visit: Visit, endpoint: EndpointDetails): Cell {
  const parts = waitingParts(endpoint, waitingLimit);
  if (parts.length === 0) return 'nothing waits';
  return html`${parts.map(
    ({ state, text }) =>
      html`<a href="${visit.href('/deliveries', { endpoint_id: endpoint.id, state })}">${text}</a> `,
  )}`;
}

const acts = (visit: Visit, { id, enabled, paused_reason }: EndpointDetails): Html =>
  html`<div class="acts-row">
    ${
      paused_reason === null
        ? confirmButton(visit, `/endpoints/${id}/pause`, {
            id: 'pause',
            label: 'Pause',
            question: 'What happens meanwhile is stored, and sent when it is resumed.',
          })
        : actButton(visit, `/endpoints/${id}/resume`, 'Resume')
    }
    ${enabled && paused_reason === null ? actButton(visit, `/endpoints/${id}/test`, 'Send a test event') : null}
  </div>`;

const secrets = (visit: Visit, { id, secrets: signing }: EndpointDetails): Html =>
  html`${table(
    'Signing secrets',
    ['Made', 'Signs until'],
    signing.map(({ created_at, expires_at }) => [
      moment(created_at),
      expires_at === null ? 'it is rotated' : moment(expires_at),
    ]),
    'No secret signs.',
  )}
  ${
    mayChange(visit)
      ? html`<details class="disclosure" id="rotate">
          <summary>Rotate the secret</summary>
          ${postForm(
            visit,
            `/endpoints/${id}/rotate-secret`,
            html`${field(
                'overlap_hours',
                'Hours that the old one signs as well',
                html`<input
                  id="overlap_hours"
                  name="overlap_hours"
                  type="number"
                  min="0"
                  max="168"
                  required
                  value="24"
                  aria-describedby="overlap_hours-hint"
                />`,
                '0 ends it at once; receivers that know it alone refuse from then on.',
              )}
              <div><button>Make a new secret</button></div>`,
          )}
        </details>`
      : null
  }`;

const changeForm = (
  visit: Visit,
  endpoint: EndpointDetails,
  entered: EnteredEndpoint | undefined,
  fault: ApiError | undefined,
): Html =>
  html`${entered ? faultBox(fault) : null}
  ${postForm(
    visit,
    `/endpoints/${endpoint.id}`,
    html`${endpointFields(
        entered ?? {
          ...endpoint,
          timeout_seconds: String(endpoint.timeout_seconds),
          description: endpoint.description ?? '',
          headers: '',
        },
        Object.keys(endpoint.custom_headers).length > 0,
      )}
      <div><button>Save</button></div>`,
  )}`;

const deleteForm = (visit: Visit, id: string): Html =>
  html`<p class="soft">
      Nothing is sent to it any more; what waits is cancelled. The history of its deliveries stays.
    </p>
    ${confirmButton(visit, `/endpoints/${id}/delete`, {
      id: 'delete',
      label: 'Delete this endpoint',
      question: 'This cannot be undone.',
    })}`;
