import type { VNode } from 'preact';
import type { z } from 'zod';
import { subjectVisibility } from '../../../db/platform/find-subject';
import { webhookEvents } from '../../../db/webhooks/vocabulary';
import { webhookRetriesId } from '../../../workflows/ids';
import type { ApiError } from '../../platform/operation/api-error';
import { PostButton, ConfirmButton, Submit } from '../../platform/site/buttons';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import { Facts, Link, TimeWithRelative, Mono, Panel, Soft, Table, Time } from '../../platform/site/elements';
import { SelectField, ErrorBox, Form, NumberField } from '../../platform/site/form';
import type { Page } from '../../platform/site/layout';
import type { Site } from '../../platform/site/site';
import { mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { WorkflowLink } from '../../platform/site/workflow-link';
import { webhookDeliveryList } from '../webhook-delivery-list';
import { maxCountedWaiting, webhookEndpointGet } from '../webhook-endpoint-get';
import { DeliveryTable } from './delivery-table';
import { endpointName } from './delivery-words';
import { addEndpointActions } from './endpoint-actions';
import type { EndpointNote } from './endpoint-actions';
import { EndpointForm } from './endpoint-form';
import { HealthBadge, healthOf, waitingParts } from './endpoint-health';

type EndpointDetails = z.output<typeof webhookEndpointGet.reply>;
type OfEndpoint = { endpoint: EndpointDetails };

const recentLimit = 10;

/** Adds the page of one endpoint: its health with the reason, the actions, the latest deliveries, and the settings. */
export function addEndpointPage(site: Site, deps: ConsoleDeps): void {
  const render = async (visit: ConsoleVisit, id: string, note: EndpointNote = {}): Promise<Page> => {
    const { entered, overlapHours, error } = note;
    const [endpoint, deliveries] = await Promise.all([
      callOperation(deps, visit, webhookEndpointGet, { endpoint_id: id }).then(replyOf),
      callOperation(deps, visit, webhookDeliveryList, { endpoint_id: id, limit: String(recentLimit) }),
    ]);
    const isEditable = mayChange(visit);
    const { tone, meaning } = healthOf(endpoint);
    return {
      title: endpointName(endpoint),
      at: '/endpoints',
      status: error?.status,
      content: (
        <>
          {!entered && overlapHours === undefined && <ErrorBox error={error} />}
          <Panel title="Health" live="health">
            <p class={`lead ${tone}`}>
              <HealthBadge endpoint={endpoint} /> {meaning}
            </p>
            {isEditable && <Actions endpoint={endpoint} />}
            <EndpointFacts endpoint={endpoint} temporalUi={deps.temporalUi} />
          </Panel>
          {isEditable && (
            <Panel title="Test">
              <TestForm endpoint={endpoint} />
            </Panel>
          )}
          <Panel title="Latest deliveries" live="deliveries">
            <DeliveryTable deliveries={deliveries.reply?.data ?? []} endpoints={[endpoint]} isOneEndpoint />
            <p>
              <Link to="/deliveries" query={{ endpoint_id: id }}>
                All deliveries
              </Link>
              {isEditable && [
                ' · ',
                <Link to="/replays" query={{ endpoint_id: id }}>
                  Bulk replay…
                </Link>,
              ]}
            </p>
          </Panel>
          <Panel title="Signing secrets">
            <Secrets endpoint={endpoint} />
            {isEditable && <RotateForm id={id} hours={overlapHours} error={error} />}
          </Panel>
          {isEditable && <Settings endpoint={endpoint} note={note} />}
        </>
      ),
    };
  };

  site.page('console-endpoint', '/endpoints/:id', (visit, { params }) => render(visit, params['id'] ?? ''), {
    subject: subjectVisibility.endpoint,
  });
  addEndpointActions(site, deps, render);
}

function EndpointFacts({ endpoint, temporalUi }: OfEndpoint & Pick<ConsoleDeps, 'temporalUi'>): VNode {
  const headers = Object.entries(endpoint.custom_headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Facts
      entries={[
        ['URL', <Mono>{endpoint.url}</Mono>],
        ['Pending', <Waiting endpoint={endpoint} />],
        ['Last success', <TimeWithRelative at={endpoint.last_success_at} />],
        ['Last failure', <TimeWithRelative at={endpoint.last_failure_at} />],
        endpoint.failing_since !== null && [
          'Failing since',
          <TimeWithRelative at={endpoint.failing_since} />,
        ],
        ['Events', endpoint.events.join(', ')],
        ['Timeout', `${endpoint.timeout_seconds} seconds`],
        ['Custom headers', headers.length === 0 ? 'None' : <Mono>{headers.join(', ')}</Mono>],
        ['Created', <Time at={endpoint.created_at} />],
        ['ID', <Mono>{endpoint.id}</Mono>],
        [
          'Retry workflow',
          <>
            <WorkflowLink temporalUi={temporalUi} id={webhookRetriesId(endpoint.id)} />{' '}
            <Soft>Runs while deliveries are retried.</Soft>
          </>,
        ],
      ]}
    />
  );
}

/** Shows how many deliveries are waiting in each state. Each count is a link to the list of those deliveries. */
function Waiting({ endpoint }: OfEndpoint): VNode {
  const parts = waitingParts(endpoint, maxCountedWaiting);
  if (parts.length === 0) return <>None pending</>;
  return (
    <>
      {parts.map(({ state, text }) => [
        <Link to="/deliveries" query={{ endpoint_id: endpoint.id, state }}>
          {text}
        </Link>,
        ' ',
      ])}
    </>
  );
}

const Actions = ({ endpoint: { id, paused_reason } }: OfEndpoint): VNode => (
  <div class="acts-row">
    {paused_reason === null ? (
      <ConfirmButton path={`/endpoints/${id}/pause`} id="pause" label="Pause">
        New events are kept and delivered once you resume.
      </ConfirmButton>
    ) : (
      <PostButton path={`/endpoints/${id}/resume`} label="Resume" isPrimary />
    )}
  </div>
);

const TestForm = ({ endpoint: { id, enabled, paused_reason } }: OfEndpoint): VNode =>
  enabled && paused_reason === null ? (
    <Form path={`/endpoints/${id}/test`} layout="inline">
      <SelectField name="event" label="Sample" options={sampleChoices} value="test" />
      <Submit isPlain>Send test event</Submit>
    </Form>
  ) : (
    <p class="soft">Enable and resume the endpoint to send a test event.</p>
  );
const sampleChoices = ['test', ...webhookEvents].map((event) => ({ value: event, label: event }));

const Secrets = ({ endpoint }: OfEndpoint): VNode => (
  <Table
    caption="Signing secrets"
    columns={['Created', 'Expires']}
    rows={endpoint.secrets.map(({ created_at, expires_at }) => [
      <TimeWithRelative at={created_at} />,
      expires_at === null ? 'Never' : <TimeWithRelative at={expires_at} />,
    ])}
    empty="No signing secrets."
  />
);

const RotateForm = (props: { id: string; hours: string | undefined; error: ApiError | undefined }): VNode => {
  const { id, hours, error } = props;
  const isRefused = hours !== undefined && error !== undefined;
  return (
    <details class="disclosure" id="rotate" open={isRefused}>
      <summary>Rotate secret…</summary>
      <Form
        path={`/endpoints/${id}/rotate-secret`}
        names={['overlap_hours']}
        error={isRefused ? error : undefined}
      >
        <NumberField
          name="overlap_hours"
          label="Keep old secret valid for (hours)"
          value={hours ?? '24'}
          min={0}
          max={168}
          required
          hint="With 0, receivers that only know the old secret reject webhooks immediately."
        />
        <Submit isPlain>Rotate secret</Submit>
      </Form>
    </details>
  );
};

const Settings = ({ endpoint, note: { entered, error } }: OfEndpoint & { note: EndpointNote }): VNode => (
  <>
    <Panel title="Settings">
      <EndpointForm
        path={`/endpoints/${endpoint.id}`}
        entered={
          entered ?? {
            ...endpoint,
            timeout_seconds: String(endpoint.timeout_seconds),
            description: endpoint.description ?? '',
            headers: '',
            remove_headers: false,
          }
        }
        button="Save changes"
        isPlain={endpoint.paused_reason !== null}
        hasHeaders={Object.keys(endpoint.custom_headers).length > 0}
        error={entered && error}
      />
    </Panel>
    <Panel title="Delete">
      <p class="soft">
        No more webhooks are sent to this endpoint, and pending deliveries are canceled. The delivery history
        is kept.
      </p>
      <ConfirmButton path={`/endpoints/${endpoint.id}/delete`} id="delete" label="Delete endpoint">
        This can’t be undone.
      </ConfirmButton>
    </Panel>
  </>
);
