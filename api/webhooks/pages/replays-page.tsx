import type { ComponentChildren, VNode } from 'preact';
import { listReplays } from '../../../db/webhooks/replay-list';
import type { ListedReplay } from '../../../db/webhooks/replay-list';
import { replayableStates } from '../../../db/webhooks/vocabulary';
import { webhookReplayId } from '../../../workflows/ids';
import type { ApiError } from '../../platform/operation/api-error';
import { PostButton, Submit } from '../../platform/site/buttons';
import { callOperation } from '../../platform/site/call-operation';
import { Badge, Pager, Panel, Soft, Table, Time } from '../../platform/site/elements';
import type { Tone } from '../../platform/site/elements';
import { SelectField, Form, NumberField } from '../../platform/site/form';
import { formKey, newFormId } from '../../platform/site/form-id';
import type { Page } from '../../platform/site/layout';
import { givenParameters, offsetOf, oneOf, toInstants } from '../../platform/site/query';
import { sentText } from '../../platform/site/site';
import type { RequestData, Site } from '../../platform/site/site';
import { mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { WorkflowLink } from '../../platform/site/workflow-link';
import { webhookDeliveryReplay } from '../webhook-delivery-replay';
import { webhookReplayCancel } from '../webhook-replay-cancel';
import { findActorNames, nameOf } from './actor-names';
import type { ActorNames } from './actor-names';
import { deliveryFilterFields, DeliveryFields, deliveryFilterNames, readEndpoints } from './deliveries-page';
import { EndpointLink, stateNames } from './delivery-words';
import type { WebhookEndpoint } from './delivery-words';

type Filter = Record<string, string>;
type Note = { filter: Filter; offset?: number; matched?: number; error?: ApiError };

const path = '/replays';
const limit = 20;
const defaultPerSecond = '100';

/**
 * Adds the page for replays of many deliveries. A person first previews how many deliveries match, then starts the
 * replay, and can watch and cancel it.
 */
export function addReplaysPage(site: Site, deps: ConsoleDeps): void {
  const render = async (visit: ConsoleVisit, { filter, offset = 0, matched, error }: Note): Promise<Page> => {
    const [{ data: endpoints }, replays] = await Promise.all([
      readEndpoints(deps, visit),
      deps.database.query(visit.caller(), listReplays(limit, offset)),
    ]);
    const requesters = replays.map(({ requested_by }) => requested_by);
    const names = await findActorNames(deps, visit, requesters);
    return {
      title: 'Bulk replay',
      at: path,
      status: error?.status,
      content: (
        <>
          {matched !== undefined && <Preview filter={filter} matched={matched} />}
          {mayChange(visit) && (
            <Panel title="New replay">
              <p class="soft">
                Each matching delivery is sent again with the same webhook-id and the current result. The
                preview only counts them.
              </p>
              <ReplayForm {...{ filter, endpoints, error }} isPlain={Boolean(matched)} />
            </Panel>
          )}
          <Panel title="Replays" live="replays">
            <ReplayTable
              {...{ replays, endpoints, names }}
              temporalUi={deps.temporalUi}
              mayCancel={mayChange(visit)}
            />
            <Pager path={path} total={replays[0]?.total ?? offset} limit={limit} offset={offset} />
          </Panel>
        </>
      ),
    };
  };

  site.page('console-replays', path, (visit, { query }) =>
    render(visit, { filter: givenParameters(query, deliveryFilterNames), offset: offsetOf(query) }),
  );

  site.post('console-replay-count', path, async (visit, sent) => {
    const filter = filterOf(sent);
    const { reply, error } = await callOperation(deps, visit, webhookDeliveryReplay, {
      ...toReplay(visit, filter),
      dry_run: true,
    });
    return render(visit, { filter, ...(error ? { error } : { matched: reply.matched }) });
  });

  site.post('console-replay-start', `${path}/start`, async (visit, sent) => {
    const filter = filterOf(sent);
    const { reply, error } = await callOperation(
      deps,
      visit,
      webhookDeliveryReplay,
      toReplay(visit, filter),
      { key: formKey(sent) },
    );
    if (error) return render(visit, { filter, error });
    const before = sentText(sent, 'counted');
    const then = before === '' || before === String(reply.matched) ? '' : ` The preview counted ${before}.`;
    return { goTo: path, flash: `Replay of ${countOf(reply.matched)} started.${then}` };
  });

  site.post('console-replay-cancel', `${path}/:id/cancel`, async (visit, { params }) => {
    const { error } = await callOperation(deps, visit, webhookReplayCancel, {
      replay_id: params['id'] ?? '',
    });
    if (error) return render(visit, { filter: {}, error });
    return { goTo: path, flash: 'Replay canceled. Deliveries that it already queued are still sent.' };
  });
}

const formNames = [...deliveryFilterNames, 'per_second'];

const filterOf = (sent: RequestData): Filter =>
  givenParameters(Object.fromEntries(formNames.map((name) => [name, sentText(sent, name)])), formNames);

/** Converts the form's texts to the operation's input, which the operation validates. */
const toReplay = (visit: ConsoleVisit, { state, event, outcome, status, per_second, ...others }: Filter) => ({
  ...others,
  ...toInstants(visit, others),
  ...known({ state, event, outcome }),
  ...(status === undefined ? {} : { status: Number(status) }),
  per_second: Number(per_second ?? defaultPerSecond),
});
const known = (texts: Record<string, string | undefined>): Filter =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );

const countOf = (count: number) => (count === 1 ? '1 delivery' : `${count} deliveries`);

const ReplayForm = (props: {
  filter: Filter;
  endpoints: readonly WebhookEndpoint[];
  error: ApiError | undefined;
  isPlain: boolean;
}): VNode => {
  const { filter, endpoints, error, isPlain } = props;
  const states = replayableStates.map((state) => ({ value: state, label: stateNames[state] }));
  return (
    <Form path={path} names={['state', ...deliveryFilterFields, 'per_second']} error={error} layout="inline">
      <SelectField
        name="state"
        label="State"
        options={[{ value: '', label: 'Any except queued' }, ...states]}
        value={filter['state'] ?? ''}
      />
      <DeliveryFields filter={filter} endpoints={endpoints} />
      <NumberField
        name="per_second"
        label="Per second"
        value={filter['per_second'] ?? defaultPerSecond}
        min={1}
        max={1000}
        required
        isShort
      />
      <Submit isPlain={isPlain}>Preview</Submit>
    </Form>
  );
};

/** Shows how many deliveries match, and the button that starts the replay. */
const Preview = ({ filter, matched }: { filter: Filter; matched: number }): VNode => (
  <section class="panel" role="status">
    <h2>{matched === 0 ? 'No deliveries match' : `${countOf(matched)} will be sent again`}</h2>
    {matched === 0 ? (
      <p class="soft">Deliveries that are already queued are not included.</p>
    ) : (
      <>
        <p class="soft">Nothing has been sent yet.</p>
        <PostButton
          path={`${path}/start`}
          label={`Replay ${countOf(matched)}`}
          fields={{ ...filter, counted: String(matched), ...newFormId() }}
          isPrimary
        />
      </>
    )}
  </section>
);

const replayStates: Record<ListedReplay['state'], [name: string, tone: Tone]> = {
  running: ['Running', 'warn'],
  done: ['Done', 'good'],
  cancelled: ['Canceled', 'plain'],
};

const ReplayTable = (
  props: Pick<ConsoleDeps, 'temporalUi'> & {
    replays: readonly ListedReplay[];
    endpoints: readonly WebhookEndpoint[];
    names: ActorNames;
    mayCancel: boolean;
  },
): VNode => {
  const { replays, endpoints, names, temporalUi, mayCancel } = props;
  return (
    <Table
      caption="Replays"
      columns={['Started', 'By', 'Filters', 'State', 'Progress', 'Workflow', ...(mayCancel ? [''] : [])]}
      rows={replays.map((replay) => {
        const { id, created_at, requested_by, matched, replayed, per_second } = replay;
        const [state, tone] = replayStates[replay.state];
        return [
          <Time at={created_at} />,
          nameOf(names, requested_by),
          <span class="small">{filtersOf(replay, endpoints)}</span>,
          <Badge tone={tone}>{state}</Badge>,
          <>
            <progress max={Math.max(matched, 1)} value={matched === 0 ? 1 : replayed} />{' '}
            {`${replayed} of ${matched}`} <Soft>up to {per_second} per second</Soft>
          </>,
          <span class="small">
            <WorkflowLink temporalUi={temporalUi} id={webhookReplayId(id)} />
          </span>,
          ...(mayCancel
            ? [replay.state === 'running' && <PostButton path={`${path}/${id}/cancel`} label="Cancel" />]
            : []),
        ];
      })}
      empty="No replays yet."
    />
  );
};

const filterLabels: Record<string, string> = {
  event: 'Event',
  outcome: 'Last outcome',
  status: 'HTTP status',
  result_id: 'Result ID',
  since: 'Since',
  until: 'Until',
};

function filtersOf({ filter }: ListedReplay, endpoints: readonly WebhookEndpoint[]): ComponentChildren {
  const { endpoint_id, state, ...others } = filter;
  const endpoint = endpoints.find(({ id }) => id === endpoint_id);
  const known = oneOf(replayableStates, state ?? undefined);
  return [
    known && <div>{stateNames[known]}</div>,
    endpoint_id && <div>{endpoint ? <EndpointLink {...endpoint} /> : endpoint_id}</div>,
    ...Object.entries(others).map(
      ([name, value]) =>
        value !== null && (
          <div>
            {filterLabels[name] ?? name}:{' '}
            {name === 'since' || name === 'until' ? <Time at={String(value)} /> : value}
          </div>
        ),
    ),
  ];
}
