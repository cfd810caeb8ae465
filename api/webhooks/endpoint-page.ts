import type { EndpointNote } from './endpoint-acts';
import type { z } from 'zod';
import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import type { ApiError } from '../platform/operation/api-error';
import { webhookDeliveryList } from './webhook-delivery-list';
import { webhookEvents } from '../../db/webhooks/vocabulary';
import { waitingLimit, webhookEndpointGet } from './webhook-endpoint-get';
import { findSubject } from '../../db/platform/find-subject';
import { webhookRetriesId } from '../../workflows/ids';
import { callOperation, replyOf } from '../platform/site/call-operation';
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
  select,
  table,
  timestamp,
} from '../platform/site/elements';
import type { Cell } from '../platform/site/elements';
import { addEndpointActs } from './endpoint-acts';
import { endpointFields } from './endpoint-form';
import type { EnteredEndpoint } from './endpoint-form';
import { formFields } from '../platform/site/form-fields';
import { healthBadge, healthOf, waitingParts } from './endpoint-health';
import type { Page } from '../platform/site/layout';
import { moment } from '../platform/site/list-elements';
import type { Site } from '../platform/site/site';
import { workflowLink } from '../platform/site/temporal-link';
import { mayChange } from '../platform/site/visitor';
import type { ConsoleDeps, Visit } from '../platform/site/visitor';

type EndpointDetails = z.output<typeof webhookEndpointGet.reply>;

const recentLimit = 10;

/**
 * Adds the page of one endpoint: its health and the reason, the possible actions, its latest deliveries, and its
 * settings.
 */
export function addEndpointPage(site: Site, deps: ConsoleDeps): void {
  const render = async (
    visit: Visit,
    id: string,
    { entered, overlapHours, fault }: EndpointNote = {},
  ): Promise<Page> => {
    const [endpoint, deliveries] = await Promise.all([
      callOperation(deps, visit, webhookEndpointGet, { endpoint_id: id }).then(replyOf),
      callOperation(deps, visit, webhookDeliveryList, {
        endpoint_id: id,
        limit: String(recentLimit),
      }),
    ]);
    const recent = deliveries.reply?.data ?? [];
    return {
      title: endpointName(endpoint),
      key: 'endpoints',
      status: fault?.status ?? 200,
      content: html`${entered || overlapHours !== undefined ? null : faultBox(fault)}
        <section class="panel">
          <h2>How it is</h2>
          <div id="health" data-live>
            ${health(deps, visit, endpoint)} ${mayChange(visit) ? acts(visit, endpoint) : null}
          </div>
        </section>
        ${mayChange(visit) ? panel('Test', testForm(visit, endpoint)) : null}
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
        ${panel('Signing secrets', secrets(visit, endpoint, overlapHours, fault))}
        ${
          mayChange(visit)
            ? html`${panel('Change', changeForm(visit, endpoint, entered, fault))}
              ${panel('Delete', deleteForm(visit, id))}`
            : null
        }`,
    };
  };

  site.page('console-endpoint', '/endpoints/:id', (visit, { params }) => render(visit, params['id'] ?? ''), {
    subject: findSubject.endpoint,
  });
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

/** Shows how many deliveries wait. Each count links to its list. */
function waitingLinks(visit: Visit, endpoint: EndpointDetails): Cell {
  const parts = waitingParts(endpoint, waitingLimit);
  if (parts.length === 0) return 'nothing waits';
  return html`${parts.map(
    ({ state, text }) =>
      html`<a href="${visit.href('/deliveries', { endpoint_id: endpoint.id, state })}">${text}</a> `,
  )}`;
}

const acts = (visit: Visit, { id, paused_reason }: EndpointDetails): Html =>
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
  </div>`;

const testForm = (visit: Visit, { id, enabled, paused_reason }: EndpointDetails): Html =>
  enabled && paused_reason === null
    ? postForm(
        visit,
        `/endpoints/${id}/test`,
        html`${field('event', 'Sample', select('event', sampleChoices, 'test'))}
          <div><button class="plain">Send a test event</button></div>`,
        'inline',
      )
    : html`<p class="soft">Turn on and resume the endpoint to send a test event.</p>`;
const sampleChoices = ['test', ...webhookEvents].map((event) => ({ value: event, label: event }));

function secrets(
  visit: Visit,
  { id, secrets: signing }: EndpointDetails,
  overlapHours: string | undefined,
  fault: ApiError | undefined,
): Html {
  const form = formFields(['overlap_hours'], overlapHours === undefined ? undefined : fault);
  return html`${table(
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
      ? html`<details class="disclosure" id="rotate" ${form.hasErrors ? html`open` : null}>
          <summary>Rotate the secret</summary>
          ${form.summary}
          ${postForm(
            visit,
            `/endpoints/${id}/rotate-secret`,
            html`${form.number(
                'overlap_hours',
                'Hours that the old one signs as well',
                overlapHours ?? '24',
                {
                  min: 0,
                  max: 168,
                  required: true,
                  hint: '0 ends it at once; receivers that know it alone refuse from then on.',
                },
              )}
              <div><button>Make a new secret</button></div>`,
          )}
        </details>`
      : null
  }`;
}

function changeForm(
  visit: Visit,
  endpoint: EndpointDetails,
  entered: EnteredEndpoint | undefined,
  fault: ApiError | undefined,
): Html {
  const { summary, fields } = endpointFields(
    entered ?? {
      ...endpoint,
      timeout_seconds: String(endpoint.timeout_seconds),
      description: endpoint.description ?? '',
      headers: '',
      remove_headers: false,
    },
    {
      hasHeaders: Object.keys(endpoint.custom_headers).length > 0,
      fault: entered === undefined ? undefined : fault,
    },
  );
  return html`${summary}
  ${postForm(
    visit,
    `/endpoints/${endpoint.id}`,
    html`${fields}
      <div><button>Save</button></div>`,
  )}`;
}

const deleteForm = (visit: Visit, id: string): Html =>
  html`<p class="soft">
      Nothing is sent to it any more; what waits is cancelled. The history of its deliveries stays.
    </p>
    ${confirmButton(visit, `/endpoints/${id}/delete`, {
      id: 'delete',
      label: 'Delete this endpoint',
      question: 'This cannot be undone.',
    })}`;
