import { randomUUID } from 'node:crypto';
import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import { ApiError } from '../platform/operation/api-error';
import { webhookDeliveryReplay } from './webhook-delivery-replay';
import { webhookReplayCancel } from './webhook-replay-cancel';
import { listActorNames } from '../../db/platform/actor-names';
import { listReplays } from '../../db/webhooks/replay-list';
import type { ListedReplay } from '../../db/webhooks/replay-list';
import { replayableStates } from '../../db/webhooks/replays';
import { webhookReplayId } from '../../workflows/ids';
import { nameOf } from './attempt-timeline';
import { callOperation } from '../platform/site/call-operation';
import { deliveryControls, deliveryFields, deliveryFilterNames, readEndpoints } from './deliveries-page';
import { endpointLabel, stateNames } from './delivery-words';
import type { Endpoint, Tone } from './delivery-words';
import { actButton, badge, pager, panel, postForm, table, timestamp } from '../platform/site/elements';
import { formFields } from '../platform/site/form-fields';
import type { Page } from '../platform/site/layout';
import { given, offsetOf, oneOf, toInstant } from '../platform/site/list-elements';
import { textOf } from '../platform/site/site';
import type { Sent, Site } from '../platform/site/site';
import { workflowLink } from '../platform/site/temporal-link';
import { mayChange } from '../platform/site/visitor';
import type { ConsoleDeps, Visit } from '../platform/site/visitor';

type Filter = Record<string, string>;
type Note = { filter: Filter; offset?: number; matched?: number; fault?: ApiError };

const path = '/replays';
const limit = 20;
const defaultPerSecond = '100';
const formId = /^[\da-f-]{36}$/;

/**
 * Adds the page that replays many deliveries: they are counted first, then the replay is started, watched and
 * cancelled.
 */
export function addReplaysPage(site: Site, deps: ConsoleDeps): void {
  const render = async (visit: Visit, { filter, offset = 0, matched, fault }: Note): Promise<Page> => {
    const [{ data: endpoints }, replays] = await Promise.all([
      readEndpoints(deps, visit),
      deps.database.query(visit.caller(), listReplays(limit, offset)),
    ]);
    const actors = [...new Set(replays.map(({ requested_by }) => requested_by))];
    const named = await deps.database.query(visit.caller(), listActorNames(actors));
    const names = new Map(named.map(({ id, name }) => [id, name]));
    const list = html`${replayTable(deps, visit, replays, endpoints, names)}
    ${replays[0] || offset > 0 ? pager(visit, path, { total: replays[0]?.total ?? offset, limit, offset }) : null}`;
    return {
      title: 'Send many again',
      key: 'deliveries',
      status: fault?.status ?? 200,
      content: html`${matched === undefined ? null : counted(visit, filter, matched)}
      ${mayChange(visit) ? panel('Which deliveries', countForm(visit, filter, endpoints, fault)) : null}
      ${panel('Replays', list, 'replays')}`,
    };
  };

  site.page('console-replays', path, (visit, { query }) =>
    render(visit, { filter: given(query, deliveryFilterNames), offset: offsetOf(query) }),
  );

  site.act('console-replay-count', path, async (visit, sent) => {
    const filter = filterOf(sent);
    const { reply, error } = await callOperation(deps, visit, webhookDeliveryReplay, {
      ...toReplay(filter),
      dry_run: true,
    });
    return render(visit, { filter, ...(error ? { fault: error } : { matched: reply.matched }) });
  });

  site.act('console-replay-start', `${path}/start`, async (visit, sent) => {
    const filter = filterOf(sent);
    // A form that is sent twice must start only one replay.
    if (!formId.test(textOf(sent, 'form_id')))
      throw new ApiError(422, 'Count the deliveries first, then send them again', 'form_id');
    const { reply, error } = await callOperation(deps, visit, webhookDeliveryReplay, toReplay(filter), {
      key: `console-replay ${textOf(sent, 'form_id')}`,
    });
    if (error?.status === 409) return { goTo: path, flash: 'This replay is being started already.' };
    if (error) return render(visit, { filter, fault: error });
    const before = textOf(sent, 'counted');
    const then = before === '' || before === String(reply.matched) ? '' : ` When counted, it was ${before}.`;
    return { goTo: path, flash: `A replay of ${deliveries(reply.matched)} has started.${then}` };
  });

  site.act('console-replay-cancel', `${path}/:id/cancel`, async (visit, { params }) => {
    const { error } = await callOperation(deps, visit, webhookReplayCancel, {
      replay_id: params['id'] ?? '',
    });
    if (error) return render(visit, { filter: {}, fault: error });
    return { goTo: path, flash: 'The replay is cancelled; what it has queued already is sent.' };
  });
}

const formNames = [...deliveryFilterNames, 'per_second'] as const;

const filterOf = (sent: Sent): Filter =>
  given(Object.fromEntries(formNames.map((name) => [name, textOf(sent, name)])), formNames);

/** Converts the form's texts to the operation's input. The operation validates them. */
const toReplay = ({ state, event, outcome, status, since, until, per_second, ...ids }: Filter) => ({
  ...ids,
  ...known({ state, event, outcome }),
  ...(status === undefined ? {} : { status: Number(status) }),
  ...(since === undefined ? {} : { since: toInstant(since) }),
  ...(until === undefined ? {} : { until: toInstant(until) }),
  per_second: Number(per_second ?? defaultPerSecond),
});
const known = (texts: Record<string, string | undefined>): Filter =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );

const deliveries = (count: number) => (count === 1 ? '1 delivery' : `${count} deliveries`);

function countForm(
  visit: Visit,
  filter: Filter,
  endpoints: readonly Endpoint[],
  fault: ApiError | undefined,
): Html {
  const states = replayableStates.map((state) => ({ value: state, label: stateNames[state] }));
  const form = formFields(['state', ...deliveryControls, 'per_second'], fault);
  return html`<p class="soft">
      Each is sent as one Retry would send it: the same webhook-id, the result as it is now. First it is only
      counted.
    </p>
    ${form.summary}
    ${postForm(
      visit,
      path,
      html`${form.choice(
          'state',
          'State',
          [{ value: '', label: 'Any that can be sent again' }, ...states],
          filter['state'] ?? '',
        )}
        ${deliveryFields(form, filter, endpoints)}
        ${form.number('per_second', 'Per second', filter['per_second'] ?? defaultPerSecond, {
          min: 1,
          max: 1000,
          required: true,
          isShort: true,
        })}
        <div><button>Count them</button></div>`,
      'inline',
    )}`;
}

/** Shows the result of the dry run and the button that starts the replay. */
const counted = (visit: Visit, filter: Filter, matched: number): Html =>
  html`<section class="panel" role="status">
    <h2>${matched === 0 ? 'No delivery matches' : `${deliveries(matched)} would be sent again`}</h2>
    ${
      matched === 0
        ? html`<p class="soft">Nothing was sent. Those that are queued already are not counted.</p>`
        : html`<p class="soft">Nothing was sent yet.</p>
            ${actButton(visit, `${path}/start`, `Send ${deliveries(matched)} again`, {
              ...filter,
              counted: String(matched),
              form_id: randomUUID(),
            })}`
    }
  </section>`;

const stateTones: Record<ListedReplay['state'], Tone> = { running: 'warn', done: 'good', cancelled: 'plain' };

const replayTable = (
  deps: ConsoleDeps,
  visit: Visit,
  replays: readonly ListedReplay[],
  endpoints: readonly Endpoint[],
  names: ReadonlyMap<string, string>,
): Html =>
  table(
    'Replays',
    ['Asked for', 'By', 'Which', 'State', 'Progress', 'Workflow', ...(mayChange(visit) ? [''] : [])],
    replays.map((replay) => [
      timestamp(replay.created_at),
      nameOf(names, replay.requested_by),
      html`<span class="small">${describe(replay, endpoints)}</span>`,
      badge(replay.state, stateTones[replay.state]),
      html`<progress
          max="${Math.max(replay.matched, 1)}"
          value="${replay.matched === 0 ? 1 : replay.replayed}"
        ></progress>
        ${replay.replayed} of ${replay.matched}, at most ${replay.per_second} a second`,
      html`<span class="small">${workflowLink(deps, webhookReplayId(replay.id))}</span>`,
      ...(mayChange(visit)
        ? [replay.state === 'running' ? actButton(visit, `${path}/${replay.id}/cancel`, 'Cancel') : null]
        : []),
    ]),
    'Nothing was replayed yet.',
  );

function describe({ filter }: ListedReplay, endpoints: readonly Endpoint[]): string {
  const { endpoint_id, state, ...others } = filter;
  const endpoint = endpoints.find(({ id }) => id === endpoint_id);
  const known = oneOf(replayableStates, state ?? undefined);
  return [
    ...(known ? [stateNames[known]] : []),
    ...(endpoint_id ? [`of ${endpoint ? endpointLabel(endpoint) : endpoint_id}`] : []),
    ...Object.entries(others).flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`])),
  ].join(', ');
}
